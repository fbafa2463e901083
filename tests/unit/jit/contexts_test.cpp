// Where in which context of a loop a walk is: along every path of every context, against the lists that contexts are made of.
#include "jit/build/contexts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <tuple>

namespace mangata::jit {
namespace {

using Step = PlacedLoop::Step;

/// A loop in the first function of the region, and the walk.
struct LoopInRegion {
  LoopInRegion() {
    RegionFunction& root = *input.functions.emplace_back(std::make_unique<RegionFunction>());
    root.register_count = 4;
    root.code.resize(100);
    root.sites = Sites(100);
    input.loops.emplace_back();
    walk.state.slots.resize(4);
    walk.state.frames.push_back({.function = &root});
  }
  PlacedLoop& loop() { return input.loops[0]; }
  LoopContexts& formed() { return input.loops[0].formed; }
  const RegionFunction& root() const { return input.root(); }
  RegionInput input;
  RunningWalk walk;
};

/// Distinct paths through a tree of branches, each ended by another one.
std::vector<std::vector<Step>> random_paths(std::mt19937& random) {
  std::vector<std::vector<Step>> paths{{}};
  for (int splits = 1 + static_cast<int>(random() % 6), pc = 1; splits > 0; --splits, ++pc) {
    const size_t which = random() % paths.size();
    std::vector<Step> other = paths[which];
    paths[which].push_back({CodePc{pc}, false});
    other.push_back({CodePc{pc}, true});
    paths.push_back(other);
  }
  return paths;
}

TEST(Contexts, ByHistoriesFollowThePathThatIsTaken) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    LoopInRegion region;
    region.loop().paths = random_paths(random);
    const auto paths = static_cast<uint32_t>(region.loop().paths.size());
    region.formed().paths.resize(paths);
    const auto contexts = static_cast<uint32_t>(1 + random() % 5);
    region.formed().contexts.resize(contexts);
    for (LoopContexts::Context& context : region.formed().contexts) {
      for (uint32_t path = 0; path < paths; ++path) {
        if (random() % 2 == 0) context.next.push_back({.path = path, .context = static_cast<uint32_t>(random() % contexts)});
      }
    }
    const Contexts followed(region.input, region.walk);
    for (uint32_t context = 0; context < contexts; ++context) {
      const std::vector<LoopContexts::Next>& next = region.formed().contexts[context].next;
      for (uint32_t path = 0; path < paths; ++path) {
        // The walk begins at the head of the context, and takes the path.
        region.walk.track = {.loop = 0, .context = context};
        for (uint32_t i = 0; i < next.size(); ++i) region.walk.track.hot.push_back(i);
        const std::vector<Step>& steps = region.loop().paths[path];
        bool is_generic = next.empty();
        for (size_t step = 0; step < steps.size() && !is_generic; ++step) {
          region.walk.pc = value_of(steps[step].pc);
          region.walk.track = followed.track_of(steps[step].taken);
          std::vector<uint32_t> hot;
          for (uint32_t i = 0; i < next.size(); ++i) {
            const std::vector<Step>& other = region.loop().paths[next[i].path];
            if (other.size() > step && std::equal(steps.begin(), steps.begin() + static_cast<ptrdiff_t>(step) + 1, other.begin())) hot.push_back(i);
          }
          EXPECT_EQ(region.walk.track.hot, hot);
          is_generic = hot.empty();
          EXPECT_EQ(region.walk.track.is_generic(), is_generic);
        }
        const auto found = std::find_if(next.begin(), next.end(), [&](const LoopContexts::Next& each) { return each.path == path; });
        const uint32_t expected = found == next.end() ? 0 : found->context;
        const Track head = followed.track_at_head(0);
        if (region.formed().contexts[expected].next.empty()) {
          EXPECT_TRUE(head.is_generic()) << "nothing is hot there";
        } else {
          EXPECT_EQ(head.context, expected);
          EXPECT_EQ(head.hot.size(), region.formed().contexts[expected].next.size());
          EXPECT_EQ(head.step, 0u);
        }
      }
    }
  }
}

TEST(Contexts, GenericCodeAndInlinedFunctionsTakeNoSteps) {
  LoopInRegion region;
  region.loop().paths = {{{CodePc{1}, true}}, {{CodePc{1}, false}}};
  region.formed().contexts.resize(1);
  region.formed().contexts[0].next = {{.path = 0}, {.path = 1}};
  const Contexts contexts(region.input, region.walk);
  region.walk.pc = 1;
  EXPECT_TRUE(contexts.track_of(true).is_generic());
  region.walk.track = {.loop = 0, .hot = {0, 1}};
  EXPECT_EQ(contexts.track_of(true).hot, std::vector<uint32_t>{0});
  region.walk.state.frames.push_back({.function = &region.root(), .base = FrameSlot{4}});
  EXPECT_EQ(contexts.track_of(true), region.walk.track);
}

TEST(Contexts, ABranchIsSeenByWhatWasRecordedOrByPaths) {
  LoopInRegion region;
  region.loop().paths = {{{CodePc{1}, true}}};
  const Contexts contexts(region.input, region.walk);
  region.walk.pc = 1;
  EXPECT_TRUE(contexts.is_seen(true)) << "by a path";
  EXPECT_FALSE(contexts.is_seen(false));
  SiteTypes& site = region.input.functions[0]->sites.at(1);
  site.count = 3;
  EXPECT_TRUE(contexts.is_seen(false)) << "it did not jump";
  site.taken = 3;
  EXPECT_FALSE(contexts.is_seen(false)) << "it always did";
  region.walk.state.frames.push_back({.function = &region.root(), .base = FrameSlot{4}});
  site.taken = 0;
  EXPECT_FALSE(contexts.is_seen(true)) << "paths are of the region's own function";
}

/// Contexts by facts about R[0]: the root, one where it is 0, and one where it is 1.
struct LoopByFacts : LoopInRegion {
  LoopByFacts() {
    formed().followed.set(0);
    formed().contexts.resize(3);
    for (uint32_t value = 0; value < 2; ++value) formed().contexts[value + 1].facts.set(0, Value::integer(value));
    loop().head_pc = CodePc{1};
    walk.track = {.loop = 0};
  }
};

TEST(Contexts, ByFactsAreThoseOfTheValuesThatAreKnown) {
  LoopByFacts region;
  const Contexts contexts(region.input, region.walk);
  Fact& fact = region.walk.state.slots[0];
  EXPECT_TRUE(contexts.merges(region.walk.track));
  for (uint64_t value = 0; value < 3; ++value) {
    fact = {.kind = Kind::Integer};
    fact.know_constant(value);
    const Track head = contexts.track_at_head(0);
    EXPECT_EQ(head.context, value < 2 ? value + 1 : 0);
    EXPECT_EQ(head.enters_anew, value == 2);
  }
  for (const Fact& unknown : {Fact{.kind = Kind::Integer}, Fact{.kind = Kind::Any}, Fact{}, Fact{.kind = Kind::True}}) {
    fact = unknown;
    EXPECT_EQ(contexts.track_at_head(0).context, 0u);
  }
  region.walk.track = {};
  fact = {.kind = Kind::Integer};
  fact.know_constant(1);
  EXPECT_EQ(contexts.track_at_head(0).context, 0u) << "it comes from outside";
}

TEST(Contexts, OnlyWhatIsFollowedKeepsItsValueAtLeaders) {
  LoopByFacts region;
  const Contexts contexts(region.input, region.walk);
  State& state = region.walk.state;
  const auto set_all = [&] {
    for (Fact& fact : state.slots) fact = {.kind = Kind::Integer}, fact.know_constant(1);
  };
  for (const uint32_t context : {0u, 2u}) {
    set_all();
    Track track{.loop = 0, .context = context};
    contexts.keep_constants(&track, &state, 5);
    EXPECT_EQ(state.slots[0].is_constant, context != 0);
    EXPECT_FALSE(state.slots[1].is_constant);
    EXPECT_EQ(track.known.size(), context != 0 ? 1u : 0u);
  }
  set_all();
  Track generic;
  contexts.keep_constants(&generic, &state, 5);
  EXPECT_FALSE(state.slots[0].is_constant);
}

/// Values of R[0] to R[2], as facts: True, nil, and numbers.
Value random_value(std::mt19937& random) {
  const Value values[] = {Value::boolean(true), Value::boolean(false), Value::nil(), Value::integer(0), Value::integer(1), Value::integer(2)};
  return values[random() % std::size(values)];
}

/// Contexts by random facts of R[0] and R[1], each with some of the paths, hot or not.
struct RandomFacts : LoopInRegion {
  explicit RandomFacts(std::mt19937& random) {
    loop().paths = random_paths(random);
    for (const auto& path : loop().paths) formed().paths.emplace_back().resize(path.size());
    formed().followed.set(0).set(1);
    loop().head_pc = CodePc{90};
    formed().contexts.resize(2 + random() % 4);
    const auto count = static_cast<uint32_t>(formed().contexts.size());
    for (uint32_t context = 0; context < count; ++context) {
      if (context != 0 && random() % 4 != 0) formed().contexts[context].facts.set(0, random_value(random));
      if (context != 0 && random() % 2 != 0) formed().contexts[context].facts.set(1, random_value(random));
      for (uint32_t path = 0; path < loop().paths.size(); ++path) {
        if (random() % 2 != 0) continue;
        formed().contexts[context].next.push_back({.path = path, .context = static_cast<uint32_t>(random() % count), .count = random() % 3 * (1 + random() % 1000), .is_hot = random() % 2 == 0});
      }
    }
  }
  /// What is known of a register: its value, or its kind, or nothing.
  void know(std::mt19937& random, size_t slot) {
    const Value value = random_value(random);
    Fact& fact = walk.state.slots[slot];
    fact = {.kind = random() % 5 == 0 ? Kind::Any : kind_of(value.tag)};
    if (fact.kind == Kind::Integer && random() % 4 != 0) fact.know_constant(value.payload);
  }
  /// Null: it is not known.
  std::optional<Value> known(size_t slot) const {
    const Fact& fact = walk.state.slots[slot];
    if (fact.kind == Kind::True || fact.kind == Kind::False) return Value::boolean(fact.kind == Kind::True);
    if (fact.kind == Kind::Nil) return Value::nil();
    return fact.kind == Kind::Integer && fact.is_constant ? std::optional(Value::integer(static_cast<int64_t>(fact.constant))) : std::nullopt;
  }
  bool holds(uint32_t context) {
    const KnownRegisters& facts = formed().contexts[context].facts;
    return std::all_of(facts.begin(), facts.end(), [&](const auto& fact) { return known(fact.first) && known(fact.first)->is_identical(fact.second); });
  }
  std::vector<uint32_t> hot_of(uint32_t context) {
    std::vector<uint32_t> hot;
    const std::vector<LoopContexts::Next>& next = formed().contexts[context].next;
    for (uint32_t i = 0; i < next.size() && context != 0; ++i) {
      if (next[i].is_hot) hot.push_back(i);
    }
    return hot;
  }
  bool goes(uint32_t context, uint32_t next, const std::vector<Step>& steps, size_t count) {
    const std::vector<Step>& path = loop().paths[formed().contexts[context].next[next].path];
    return path.size() >= count && std::equal(steps.begin(), steps.begin() + static_cast<ptrdiff_t>(count), path.begin());
  }
};

/// Along a hot path nothing merges, and where it is left the context stays the same. At the head, the context is the one that the path leads
/// to, if its facts hold, or else the one with the most facts that do.
TEST(Contexts, ByFactsFollowHotPathsAndThenTheFacts) {
  std::mt19937 random(3);
  int by_path = 0;
  for (int round = 0; round < 500; ++round) {
    RandomFacts region(random);
    const Contexts contexts(region.input, region.walk);
    const auto count = static_cast<uint32_t>(region.formed().contexts.size());
    for (uint32_t context = 0; context < count; ++context) {
      std::vector<uint32_t> hot = region.hot_of(context);
      EXPECT_EQ(contexts.hot_paths(region.formed(), context), hot);
      const std::vector<Step>& steps = region.loop().paths[random() % region.loop().paths.size()];
      region.walk.track = {.loop = 0, .context = context, .hot = hot};
      EXPECT_EQ(contexts.merges(region.walk.track), hot.empty());
      for (size_t step = 0; step < steps.size(); ++step) {
        region.walk.pc = value_of(steps[step].pc);
        region.walk.track = contexts.track_of(steps[step].taken);
        std::erase_if(hot, [&](uint32_t next) { return !region.goes(context, next, steps, step + 1); });
        EXPECT_EQ(region.walk.track.loop, 0);
        EXPECT_EQ(region.walk.track.context, context);
        EXPECT_EQ(region.walk.track.hot, hot);
        EXPECT_EQ(region.walk.track.step, hot.empty() ? 0 : step + 1);
        EXPECT_EQ(contexts.merges(region.walk.track), hot.empty());
      }
      for (size_t slot = 0; slot < 4; ++slot) region.know(random, slot);
      uint32_t expected = 0;
      for (uint32_t other = 1; other < count; ++other) {
        if (region.holds(other) && (expected == 0 || region.formed().contexts[other].facts.size() > region.formed().contexts[expected].facts.size())) expected = other;
      }
      for (const uint32_t next : hot) {
        const uint32_t led_to = region.formed().contexts[context].next[next].context;
        if (region.holds(led_to)) by_path += led_to != expected ? 1 : 0, expected = led_to;
      }
      const Track head = contexts.track_at_head(0);
      EXPECT_EQ(head.context, expected);
      EXPECT_EQ(head.hot, region.hot_of(expected));
      EXPECT_EQ(head.enters_anew, expected == 0);
      EXPECT_EQ(head.step, 0u);
    }
  }
  EXPECT_GT(by_path, 20);
}

/// Of slots of functions that are inlined, too, which no facts are about.
TEST(Contexts, LeadersKeepTheValuesThatAreFollowed) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    RandomFacts region(random);
    const Contexts contexts(region.input, region.walk);
    region.walk.state.slots.resize(7);
    region.formed().followed.set(4 + random() % 3);  // beyond the registers of the function
    for (size_t slot = 0; slot < 7; ++slot) region.know(random, slot);
    const bool is_inlined = random() % 3 == 0;
    if (is_inlined) region.walk.state.frames.push_back({.function = &region.root(), .base = FrameSlot{4}});
    const auto context = static_cast<uint32_t>(random() % region.formed().contexts.size());
    const bool is_generic = random() % 4 == 0;
    Track track = is_generic ? Track{} : Track{.loop = 0, .context = context, .hot = {}};
    track.known.emplace_back(FrameSlot{2}, Kind::Integer, 99);  // of the leader before
    const int pc = random() % 2 == 0 ? 90 : 5;
    State state = region.walk.state;
    contexts.keep_constants(&track, &state, pc);
    std::vector<std::tuple<FrameSlot, Kind, uint64_t>> expected;
    for (size_t slot = 0; slot < 7; ++slot) {
      const Fact& before = region.walk.state.slots[slot];
      const bool is_at_head = pc == 90 && !is_inlined;
      const bool is_fact = region.formed().contexts[context].facts.find(static_cast<uint16_t>(slot)) != nullptr;
      const bool is_kept = !is_generic && context != 0 && slot < 2 && (!is_at_head || is_fact);
      EXPECT_EQ(state.slots[slot].kind, before.kind);
      EXPECT_EQ(state.slots[slot].is_constant, before.is_constant && is_kept) << slot;
      if (is_kept && region.known(slot)) expected.emplace_back(static_cast<FrameSlot>(slot), before.kind, before.constant);
    }
    EXPECT_EQ(track.known, expected);
  }
}

/// As often as the paths that were seen in the context go that way. Numbers that are too large keep their proportion.
TEST(Contexts, BranchesWeighWhatTheirContextHasSeen) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    RandomFacts region(random);
    const Contexts contexts(region.input, region.walk);
    const auto context = static_cast<uint32_t>(random() % region.formed().contexts.size());
    uint64_t counts[2] = {};
    const int pc = 1 + static_cast<int>(random() % 4);
    const uint64_t scale = random() % 2 == 0 ? 1 : uint64_t{1} << 34;
    for (LoopContexts::Next& next : region.formed().contexts[context].next) {
      next.count *= scale;
      for (const Step& step : region.loop().paths[next.path]) {
        if (step.pc == CodePc{pc}) counts[step.taken ? 1 : 0] += next.count;
      }
    }
    region.walk.pc = pc;
    uint32_t taken = 0, not_taken = 0;
    EXPECT_FALSE(contexts.weights(&taken, &not_taken)) << "generic code";
    region.walk.track = {.loop = 0, .context = context, .hot = {}};
    const bool is_known = contexts.weights(&taken, &not_taken);
    EXPECT_EQ(is_known, context != 0 && counts[0] + counts[1] != 0);
    if (is_known) {
      EXPECT_LE(std::max(taken, not_taken), 1u << 24);
      const double whole = static_cast<double>(counts[0] + counts[1]), part = static_cast<double>(counts[1]);
      EXPECT_NEAR(static_cast<double>(taken) / (static_cast<double>(taken) + not_taken), part / whole, 1e-5);
      EXPECT_TRUE(scale != 1 || taken == counts[1]);
    }
    region.walk.state.frames.push_back({.function = &region.root(), .base = FrameSlot{4}});
    EXPECT_FALSE(contexts.weights(&taken, &not_taken)) << "paths are of the region's own function";
  }
}

}  // namespace
}  // namespace mangata::jit
