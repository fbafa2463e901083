// Where in which context of a loop a walk is: along every path of every context, against the lists that contexts are made of.
#include "jit/build/contexts.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

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

}  // namespace
}  // namespace mangata::jit
