// The default policy: counts cheaply at first, more deeply where that predicts more, and not at all while nothing changes.
//
// [DESIGN] The life of a function, each arrow one decision:
//
//     Cold -> Lukewarm -> Warm -> Paths -> Deepening -> Watching -> Quiet <-> Burst
//                                   ^          (k grows)                        |
//                                   +---------------- drift --------------------+
//
// Machine code costs as much as interpreting each of its bytecodes a thousand times. Real programs have hundreds of functions that are
// called now and then and take a tenth of their time, so the larger a function is, the longer it stays Lukewarm: until its calls and
// iterations have cost about as much as its machine code will, or somewhat earlier, for who has run so far is likely to run on (`size` = 3
// instead of 5: 1.013 in 31 programs of others; 2: 1.019, but more code).
//
// Warm is plain machine code: most functions never leave it. One that stays is optimized by what a recording has of its paths, and
// leaves for Paths only if it still runs in baseline code when sixteen times as much has happened: counting takes two or three
// compilations of the function, which in 31 programs of others was 1.5 % of the time and made hardly any region better (four times as
// much: 0.985). Earlier than after 100,000 events, recordings see how programs begin: at 75,000 regions of large loops were left and
// made anew (1.011 instead of 1.015 in those programs, are-we-fast-yet 1.022 and 1.025, bench/suite 1.013 and 1.032). Paths counts
// acyclic paths. A loop with two paths through it that both are frequent is counted over k iterations, and k grows as long as acc(k)
// does. A function that has so many paths that they are counted in a hash table is counted preferentially instead. What does not change
// any more goes Quiet; after ever longer silences a Burst looks whether it is still the same. The longest silence is short enough for a
// change to be seen soon: once it is reached, `sample` of every `sample` + `rest` events are counted, 1 in 200.
//
// What changes from look to look has phases shorter than a look, which no single look can describe. Then it is left alone for a
// silence, and looked at anew; looks, and the silences between them, become longer by factors of two until each covers all phases:
// what is found is their mixture. A function that is never the same from one of the longest looks to the next is left alone, too,
// and looked at again later.
//
// In a function whose innermost loops have one way each nothing is to be found that an optimizer could use: it stays Warm, and
// nothing is counted in it, unless counting is all that is asked for.
//
// A Quiet function that has been called and has gone back often enough is optimized by the paths that were found, and again after a
// drift.
//
// What to remember is packed into the four words of the snapshot.
#include <algorithm>
#include <cstdio>

#include "runtime/tiering/built_in_policies.h"
#include "runtime/tiering/policy_parameters.h"

namespace mangata {
namespace {

enum class Phase : uint8_t {
  Cold,
  Lukewarm,
  Warm,
  Paths,
  Deepening,
  Watching,
  Quiet,
  Burst
};

struct Parameters {
  int32_t entry = 20;       ///< interpreted calls until machine code
  int32_t loop = 60;        ///< interpreted iterations until machine code
  int32_t size = 3;         ///< and at least so many calls or iterations for each of its bytecodes
  int32_t warm = 100000;    ///< calls and backedges in machine code until paths are counted
  int32_t recorded_first = 16;  ///< times as many of what may be optimized, unless `warm` was given
  int32_t sample = 8000;    ///< calls and backedges counted before each look
  int32_t quiet = 400000;   ///< calls and backedges of the first silence; each next one is twice as long
  int32_t rest = 1600000;   ///< of the longest one
  int32_t k = 4;            ///< the most iterations
  int32_t optimize = 100000;   ///< calls and backedges from which a function is optimized; 0: never
};

constexpr double kFrequent = 0.10;   ///< share of the second path through a loop from which looking back may pay
constexpr double kGain = 0.05;       ///< of acc(k) over acc(k-1) that pays for one more iteration
constexpr double kStable = 0.90;     ///< overlap of two profiles that are called the same
constexpr double kResidual = 0.20;   ///< share of unexpected paths from which the expected ones are chosen anew
constexpr uint8_t kPatience = 3;     ///< looks that may differ before something is done about it
constexpr uint8_t kLongestStretch = 4;
constexpr uint64_t kEnoughIterations = 500;
constexpr uint8_t kMostAttempts = 4;  ///< to optimize one function
constexpr uint32_t kLargestSize = 2000;  ///< in bytecodes: of larger functions, machine code is made of the loops that are hot

/// What is remembered of a function.
struct Memory {
  Phase phase = Phase::Cold;
  bool preferential = false;
  uint8_t looks = 0;                     ///< at the installed plan
  bool optimized = false;                ///< by the paths that were found last
  bool restless = false;                 ///< they were not the same from look to look
  uint8_t attempts = 0;                  ///< to optimize it
  uint8_t stretch = 0;                   ///< looks and silences are 2^stretch times as long as the parameters say
  uint64_t silence = 0;                  ///< the last one
  uint8_t k[MANGATA_MAX_LOOPS] = {};     ///< the plan to come back to

  static Memory unpack(const uint64_t (&words)[MANGATA_MEMORY_WORDS]) {
    Memory memory;
    memory.phase = static_cast<Phase>(words[0] & 0xff);
    memory.preferential = (words[0] >> 8 & 1) != 0;
    memory.looks = static_cast<uint8_t>(words[0] >> 16);
    memory.stretch = static_cast<uint8_t>(words[0] >> 24);
    memory.optimized = (words[0] >> 9 & 1) != 0;
    memory.restless = (words[0] >> 10 & 1) != 0;
    memory.attempts = static_cast<uint8_t>(words[0] >> 32);
    memory.silence = words[1];
    for (int i = 0; i < MANGATA_MAX_LOOPS; ++i) memory.k[i] = static_cast<uint8_t>(words[2] >> (4 * i) & 15);
    return memory;
  }
  void pack(uint64_t (&words)[MANGATA_MEMORY_WORDS]) const {
    words[0] = static_cast<uint64_t>(phase) | uint64_t{preferential} << 8 | uint64_t{optimized} << 9 | uint64_t{restless} << 10 |
               uint64_t{looks} << 16 | uint64_t{stretch} << 24 | uint64_t{attempts} << 32;
    words[1] = silence;
    words[2] = 0;
    for (int i = 0; i < MANGATA_MAX_LOOPS; ++i) words[2] |= uint64_t{k[i]} << (4 * i);
  }
  bool iterates() const {
    return std::any_of(std::begin(k), std::end(k), [](uint8_t each) { return each >= 2; });
  }
};

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * share);
  return text;
}

std::string number(double value) {
  char text[16];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

class AdaptivePolicy : public Policy {
 public:
  explicit AdaptivePolicy(const Parameters& parameters) : parameters_(parameters) {}

  bool samples() const override { return true; }
  bool optimizes() const override { return parameters_.optimize != 0; }
  /// They are optimized where they are called, so what they would be asked about for is what their callers are.
  bool counts_leaves() const override { return !optimizes(); }

  /// Whether something has changed is all that matters once a plan is found.
  bool looks_at_paths(const uint64_t (&memory)[MANGATA_MEMORY_WORDS]) const override {
    const Phase phase = Memory::unpack(memory).phase;
    return phase != Phase::Watching && phase != Phase::Quiet && phase != Phase::Burst;
  }

  void first(Decision* decision) override {
    decision->entry = parameters_.entry;
    decision->loop = parameters_.loop;
  }

  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    Memory memory = Memory::unpack(snapshot.memory);
    if (snapshot.is_counted_exactly != 0) {
      give_reason(decision, decide_about_code(snapshot, decision, &memory));
      memory.pack(decision->memory);
      return;
    }
    std::string reason;
    switch (memory.phase) {
      case Phase::Cold:
      case Phase::Lukewarm: reason = warm_up(snapshot, decision, &memory); break;
      case Phase::Warm: reason = get_hot(snapshot, decision, &memory); break;
      case Phase::Paths: reason = look_at_paths(snapshot, decision, &memory); break;
      case Phase::Deepening: reason = look_at_iterations(snapshot, decision, &memory); break;
      case Phase::Watching: reason = watch(snapshot, decision, &memory); break;
      case Phase::Quiet: reason = may_optimize(snapshot, memory) ? optimize(snapshot, decision, &memory) : wake_up(decision, &memory); break;
      case Phase::Burst: reason = compare(snapshot, decision, &memory); break;
    }
    memory.pack(decision->memory);
    give_reason(decision, reason);
  }

 private:
  /// What is counted is not up to policies. Without looks at paths nothing says that the function does something else now, so it is
  /// optimized again after four times as many events: loops that did not run when it was recorded get their regions then.
  std::string decide_about_code(const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    memory->optimized = false;
    if (may_optimize(snapshot, *memory)) {
      const std::string why = optimize(snapshot, decision, memory);
      const uint64_t next = static_cast<uint64_t>(parameters_.optimize) << (2 * memory->attempts);
      decision->sample = memory->attempts < kMostAttempts ? static_cast<int32_t>(std::min<uint64_t>(next, MANGATA_NEVER - 1)) : MANGATA_NEVER;
      return why;
    }
    const std::string why = warm_up(snapshot, decision, memory);
    decision->sample = parameters_.optimize == 0 ? MANGATA_NEVER : parameters_.optimize;
    return why;
  }

  std::string get_hot(const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    const std::string why = "hot: " + std::to_string(snapshot.events) + " calls and iterations";
    const bool matters = snapshot.is_straight == 0 || parameters_.optimize == 0;
    if (!matters) return decide_without_counts(why, snapshot, decision, memory);
    if (!is_recorded_first(snapshot) || snapshot.events >= counted_from()) return start_counting(why, decision, memory);
    const bool is_now = may_optimize(snapshot, *memory);
    const uint64_t next = !is_now && is_to_be_optimized(*memory) ? static_cast<uint64_t>(parameters_.optimize) : counted_from();
    const std::string what = is_now ? optimize(snapshot, decision, memory) : why + ", is recorded first";
    decision->sample = static_cast<int32_t>(std::min<uint64_t>(next, MANGATA_NEVER - 1) - snapshot.events);
    return what;
  }

  bool is_recorded_first(const ProfileSnapshot& snapshot) const { return snapshot.is_optimizable != 0 && parameters_.optimize != 0; }
  /// Calls and backedges of a function that is optimized until its paths are counted: by then the recording has proved not to be enough.
  uint64_t counted_from() const { return static_cast<uint64_t>(parameters_.warm) * static_cast<uint64_t>(parameters_.recorded_first); }

  /// Its paths make no difference. Once it is optimized, it is optimized again only for what has not run by then.
  std::string decide_without_counts(const std::string& hot, const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    memory->optimized = false;
    if (!is_to_be_optimized(*memory)) return hot + ", counts nothing";
    if (!may_optimize(snapshot, *memory)) {
      decision->sample = static_cast<int32_t>(static_cast<uint64_t>(parameters_.optimize) - snapshot.events);
      return hot + ", its loops have one way each";
    }
    const std::string why = optimize(snapshot, decision, memory);
    const uint64_t next = std::min<uint64_t>(static_cast<uint64_t>(parameters_.optimize) << (4 * memory->attempts), MANGATA_NEVER - 1);
    decision->sample = static_cast<int32_t>(next);
    return why;
  }

  std::string warm_up(const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    const uint64_t enough = static_cast<uint64_t>(parameters_.size) * std::min(snapshot.bytecodes, kLargestSize);
    if (memory->phase == Phase::Cold && snapshot.events < enough) return wait_for(enough - snapshot.events, snapshot, decision, memory);
    const bool has_waited = memory->phase == Phase::Lukewarm;
    decision->tier = MANGATA_BASELINE;
    if (parameters_.warm == 0 && snapshot.is_counted_exactly == 0) return start_counting("warm", decision, memory);
    memory->phase = Phase::Warm;
    decision->sample = is_recorded_first(snapshot) ? std::min(parameters_.warm, parameters_.optimize) : parameters_.warm;
    if (has_waited) return "warm: " + std::to_string(snapshot.events) + " calls and iterations";
    return snapshot.occasion == MANGATA_ASKED_CALLS ? "warm: called " + std::to_string(parameters_.entry) + " times"
                                                    : "warm: went back " + std::to_string(parameters_.loop) + " times";
  }

  static std::string wait_for(uint64_t events, const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) {
    memory->phase = Phase::Lukewarm;
    decision->entry = decision->loop = static_cast<int32_t>(std::min<uint64_t>(events, MANGATA_NEVER - 1));
    return "lukewarm: " + std::to_string(snapshot.bytecodes) + " bytecodes wait for " + std::to_string(events) + " calls or iterations more";
  }

  /// Nothing is known of the function's paths but, from earlier, how long looks should be.
  std::string start_counting(std::string why, Decision* decision, Memory* memory) const {
    *memory = {.phase = Phase::Paths, .attempts = memory->attempts, .stretch = memory->stretch};
    decision->profile = MANGATA_PROFILE_PATHS;
    decision->sample = look(*memory);
    return why + ", counts paths";
  }

  std::string look_at_paths(const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    decision->sample = look(*memory);
    if (snapshot.is_hashed != 0) {
      memory->preferential = true;
      return settle(std::to_string(snapshot.possible_paths) + " paths are too many for an array, prefers the " +
                        std::to_string(snapshot.distinct_paths) + " seen",
                    decision, memory);
    }
    std::string why;
    for (uint32_t i = 0; i < snapshot.loop_count; ++i) {
      const mangata_loop_snapshot& loop = snapshot.loops[i];
      if (loop.is_innermost == 0 || loop.iterations < kEnoughIterations || loop.second_share < kFrequent || parameters_.k < 2) continue;
      memory->k[i] = 2;
      why += (why.empty() ? "loop " : ", loop ") + std::to_string(loop.line) + " goes " + percent(loop.top_share) + " and " +
             percent(loop.second_share) + " two ways";
    }
    if (why.empty()) return settle("no loop has two frequent ways", decision, memory);
    memory->phase = Phase::Deepening;
    apply_plan(*memory, decision);
    return why + ", counts 2 iterations";
  }

  std::string look_at_iterations(const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    decision->sample = look(*memory);
    std::string why;
    bool grows = false;
    for (uint32_t i = 0; i < snapshot.loop_count; ++i) {
      const mangata_loop_snapshot& loop = snapshot.loops[i];
      const uint32_t k = loop.accuracy_count;
      if (memory->k[i] < 2 || k < 2 || loop.iterations == 0) continue;
      const double gain = loop.accuracy[k - 1] - loop.accuracy[k - 2];
      why += (why.empty() ? "loop " : ", loop ") + std::to_string(loop.line) + ": acc(" + std::to_string(k - 1) + ") " +
             number(loop.accuracy[k - 2]) + ", acc(" + std::to_string(k) + ") " + number(loop.accuracy[k - 1]);
      if (gain < kGain) {  // the last step has not paid
        memory->k[i] = static_cast<uint8_t>(k - 1);
      } else if (loop.k == memory->k[i] && static_cast<int32_t>(k) < parameters_.k && loop.accuracy[k - 1] < 1 - kGain) {
        memory->k[i] = static_cast<uint8_t>(k + 1);
        grows = true;
      }
    }
    if (!grows) return settle(why, decision, memory);
    apply_plan(*memory, decision);
    return why + ", looks further back";
  }

  /// The plan is found: from now on only whether it stays so is of interest.
  std::string settle(std::string why, Decision* decision, Memory* memory) const {
    memory->phase = Phase::Watching;
    memory->looks = 0;
    decision->sample = look(*memory);
    apply_plan(*memory, decision);
    return why;
  }

  std::string watch(const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    decision->sample = look(*memory);
    const bool first = memory->looks++ == 0;
    if (first && snapshot.stability == 1.0 && snapshot.paths == snapshot.paths_since) return "counts once more, to compare";
    if (const std::string why = changed(snapshot); !why.empty()) {
      if (memory->looks < kPatience) return why + ", counts on";
      if (memory->stretch == kLongestStretch) return go_quiet(snapshot, "never the same: " + why, decision, memory);
      ++memory->stretch;
      memory->restless = true;
      return go_quiet(snapshot, "restless: " + why, decision, memory);
    }
    return go_quiet(snapshot, "stable: " + percent(snapshot.stability) + " as before", decision, memory);
  }

  std::string wake_up(Decision* decision, Memory* memory) const {
    if (memory->restless) {
      const bool optimized = memory->optimized;
      std::string why = start_over("looks twice as long", decision, memory);
      memory->optimized = optimized;
      return why;
    }
    memory->phase = Phase::Burst;
    decision->sample = look(*memory);
    apply_plan(*memory, decision);
    return "looks whether it is still the same";
  }

  std::string compare(const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    if (const std::string why = changed(snapshot); !why.empty()) return start_over("drift: " + why, decision, memory);
    return go_quiet(snapshot, "the same: " + percent(snapshot.stability), decision, memory);
  }

  std::string go_quiet(const ProfileSnapshot& snapshot, std::string why, Decision* decision, Memory* memory) const {
    const uint64_t shortest = stretched(parameters_.quiet, *memory);
    const uint64_t longest = std::max(shortest, stretched(parameters_.rest, *memory));
    memory->silence = std::clamp(2 * memory->silence, shortest, longest);
    memory->phase = Phase::Quiet;
    decision->profile = MANGATA_PROFILE_NONE;
    decision->sample = static_cast<int32_t>(memory->silence);
    if (may_optimize(snapshot, *memory)) return why + ", " + optimize(snapshot, decision, memory);
    if (is_to_be_optimized(*memory))
      decision->sample = static_cast<int32_t>(std::min(memory->silence, static_cast<uint64_t>(parameters_.optimize) - snapshot.events));
    return why + ", stops counting";
  }

  bool is_to_be_optimized(const Memory& memory) const {
    return parameters_.optimize != 0 && !memory.optimized && memory.attempts < kMostAttempts;
  }
  /// Its paths are known, and so many events have passed that as many are likely to come.
  bool may_optimize(const ProfileSnapshot& snapshot, const Memory& memory) const {
    return is_to_be_optimized(memory) && snapshot.events >= static_cast<uint64_t>(parameters_.optimize);
  }

  /// The function stays Quiet. After a drift it is optimized anew, by its new paths.
  std::string optimize(const ProfileSnapshot& snapshot, Decision* decision, Memory* memory) const {
    memory->optimized = true;
    ++memory->attempts;
    decision->tier = MANGATA_OPTIMIZED;
    decision->profile = MANGATA_PROFILE_NONE;
    decision->sample = static_cast<int32_t>(memory->silence);
    return "optimizes, after " + std::to_string(snapshot.events) + " calls and iterations";
  }

  std::string start_over(std::string why, Decision* decision, Memory* memory) const {
    decision->forget = 1;
    return start_counting(std::move(why), decision, memory);
  }

  /// So many calls and backedges, or what a countdown can hold.
  static uint64_t stretched(int32_t events, const Memory& memory) {
    return std::min<uint64_t>(static_cast<uint64_t>(events) << memory.stretch, MANGATA_NEVER - 1);
  }
  /// How many are counted until the next look.
  int32_t look(const Memory& memory) const { return static_cast<int32_t>(stretched(parameters_.sample, memory)); }

  /// Empty when the last sample was like those before it.
  static std::string changed(const ProfileSnapshot& snapshot) {
    if (snapshot.stability < kStable) return "only " + percent(snapshot.stability) + " as before";
    if (static_cast<double>(snapshot.residual) > kResidual * static_cast<double>(snapshot.paths_since)) {
      return std::to_string(snapshot.residual) + " of " + std::to_string(snapshot.paths_since) + " on paths not expected";
    }
    return {};
  }

  static void apply_plan(const Memory& memory, Decision* decision) {
    decision->profile = memory.preferential ? MANGATA_PROFILE_PREFERENTIAL
                        : memory.iterates() ? MANGATA_PROFILE_ITERATIONS
                                            : MANGATA_PROFILE_PATHS;
    std::copy(std::begin(memory.k), std::end(memory.k), decision->loop_k);
  }

  Parameters parameters_;
};

}  // namespace

std::unique_ptr<Policy> make_adaptive_policy(std::string_view text, jit::RegionSettings&, std::string* error) {
  Parameters parameters{.size = -1};
  const bool ok = parse_parameters(text,
                                   {{"entry", &parameters.entry},
                                    {"loop", &parameters.loop},
                                    {"size", &parameters.size},
                                    {"warm", &parameters.warm},
                                    {"sample", &parameters.sample},
                                    {"quiet", &parameters.quiet},
                                    {"rest", &parameters.rest},
                                    {"k", &parameters.k},
                                    {"optimize", &parameters.optimize}},
                                   error);
  if (!ok) return nullptr;
  // Who says when functions are compiled means all of them.
  if (parameters.size < 0) parameters.size = text.find("entry=") != text.npos || text.find("loop=") != text.npos ? 0 : Parameters{}.size;
  if (text.find("warm=") != text.npos) parameters.recorded_first = 1;
  if (parameters.k > MANGATA_MAX_K) {
    *error = "k is at most " + std::to_string(MANGATA_MAX_K);
    return nullptr;
  }
  return std::make_unique<AdaptivePolicy>(parameters);
}

}  // namespace mangata
