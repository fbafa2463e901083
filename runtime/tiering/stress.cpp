#include "runtime/tiering/stress.h"

#include <charconv>
#include <iterator>
#include <utility>

#include "jit/region/region_settings.h"
#include "vm/object/hash_key.h"

namespace mangata {
namespace {

class StressPolicy : public Policy {
 public:
  explicit StressPolicy(const StressSpec& spec) : spec_(spec), random_(spec.seed) {}

  bool samples() const override { return spec_.kind == StressSpec::Kind::Profile || optimizes(); }
  bool optimizes() const override { return spec_.kind >= StressSpec::Kind::Region; }
  int32_t sample_period() const override { return 6; }

  void first(Decision* decision) override {
    decision->entry = random_below(spec_.kind == StressSpec::Kind::Resume ? 1 : 6);
    decision->loop = random_below(spec_.kind == StressSpec::Kind::Resume ? 1 : 12);
  }

  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    decision->tier = MANGATA_BASELINE;
    decision->loop = random_below(spec_.kind == StressSpec::Kind::Resume ? 1 : 12);
    give_reason(decision, "at random");
    if (!samples()) return;
    decision->profile = static_cast<uint32_t>(random_below(4));
    decision->forget = random_below(8) == 0;
    for (uint32_t i = 0; i < snapshot.loop_count; ++i) decision->loop_k[i] = static_cast<uint8_t>(1 + random_below(4));
    decision->sample = random_below(40);
    if (!optimizes() || random_below(3) != 0) return;
    decision->tier = MANGATA_OPTIMIZED;
    decision->profile = MANGATA_PROFILE_NONE;
    decision->sample = 100 + random_below(400);
    decision->compiler = some_compiler();
  }

 private:
  /// Left to itself, quick code would be replaced only where it runs long, which generated programs do not. LLVM's takes fifty times as
  /// long to make.
  uint32_t some_compiler() {
    constexpr mangata_compiler kCompilers[] = {MANGATA_COMPILER_ANY, MANGATA_COMPILER_QUICK, MANGATA_COMPILER_QUICK, MANGATA_COMPILER_LLVM};
    return kCompilers[random_below(std::size(kCompilers))];
  }
  /// SplitMix64.
  int32_t random_below(uint64_t limit) {
    uint64_t z = random_ += kHashMultiplier;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return static_cast<int32_t>((z ^ z >> 31) % limit);
  }

  StressSpec spec_;
  uint64_t random_;
};

}  // namespace

bool parse_stress(std::string_view text, StressSpec* spec, std::string* error) {
  if (text == "resume") {
    *spec = {.kind = StressSpec::Kind::Resume, .leave_period = 1};
    return true;
  }
  constexpr std::pair<std::string_view, StressSpec::Kind> kSeeded[] = {
#define STRESS(kind, word, what) {word ":", StressSpec::Kind::kind},
#include "runtime/tiering/stress_kinds.def"
  };
  for (const auto& [prefix, kind] : kSeeded) {
    if (!text.starts_with(prefix)) continue;
    const std::string_view seed = text.substr(prefix.size());
    const auto [end, problem] = std::from_chars(seed.data(), seed.data() + seed.size(), spec->seed);
    const std::string_view rest = seed.substr(static_cast<size_t>(end - seed.data()));
    const bool makes_regions = kind >= StressSpec::Kind::Region;
    if (problem != std::errc() || !(rest.empty() || (rest == ",O0" && makes_regions))) break;
    spec->kind = kind;
    spec->runs_passes = rest.empty();
    spec->leave_period = makes_regions ? 200 : 8;
    return true;
  }
  std::string prefixes;
  for (const auto& [prefix, kind] : kSeeded) prefixes += (prefixes.empty() ? "" : prefix == std::rbegin(kSeeded)->first ? " or "
                                                                                                                        : ", ") +
                                                         std::string(prefix);
  *error = "'--stress' must be resume, or " + prefixes + "SEED (the last three also SEED,O0), not '" + std::string(text) + "'";
  return false;
}

void set_regions(const StressSpec& spec, jit::RegionSettings* regions) {
  const auto seed = static_cast<uint32_t>(spec.seed);
  regions->waits = true;
  regions->checks_profitability = false;
  regions->runs_passes = spec.runs_passes;
  regions->recorded = 150 + seed * 37 % 900;
  if (seed % 3 == 1) regions->interim_for = 1 + seed % 53;
  if (spec.kind == StressSpec::Kind::Deopt) regions->fail_every = 2 + seed % 61;
  if (spec.kind == StressSpec::Kind::Osr) regions->leave_every = 1 + seed % 17;
}

std::unique_ptr<Policy> make_stress_policy(const StressSpec& spec) {
  return spec.kind == StressSpec::Kind::None ? nullptr : std::make_unique<StressPolicy>(spec);
}

}  // namespace mangata
