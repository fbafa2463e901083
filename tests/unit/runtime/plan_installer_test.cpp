// What decisions want counted, as plans.
#include "runtime/tiering/plan_installer.h"

#include <gtest/gtest.h>

#include "tests/unit/numbering/random_graphs.h"

namespace mangata {
namespace {

/// A function with loops, without bytecode.
SampledFunction with_loops() {
  for (uint64_t seed = 0;; ++seed) {
    numbering::FlowGraph graph = numbering::testing::random_structured_graph(seed, 12);
    std::vector<Arm> arms(graph.edge_count(), Arm::Fallthrough);
    SampledFunction function(FunctionIdentity(), {std::move(graph), {}, std::move(arms), {}});
    bool can = false, cannot = false;
    for (const numbering::LoopId loop : function.loops.ids()) (can_iterate(function, loop) ? can : cannot) = true;
    if (can && cannot && function.loops.size() < MANGATA_MAX_LOOPS) return function;
  }
}

Decision wanting(uint32_t profile, uint8_t k = 0) {
  Decision decision = {};
  decision.profile = profile;
  std::fill(std::begin(decision.loop_k), std::end(decision.loop_k), k);
  return decision;
}

TEST(PlanOf, EachProfileHasItsMode) {
  const SampledFunction function = with_loops();
  EXPECT_EQ(plan_of(wanting(MANGATA_PROFILE_NONE), function, 5), SamplingPlan());
  EXPECT_EQ(plan_of(wanting(MANGATA_PROFILE_PATHS), function, 5), (SamplingPlan{.mode = SamplingPlan::Mode::Paths, .iterations = {}}));
  EXPECT_EQ(plan_of(wanting(MANGATA_PROFILE_PREFERENTIAL), function, 5),
            (SamplingPlan{.mode = SamplingPlan::Mode::Preferential, .iterations = {}, .generation = 5}));
  EXPECT_EQ(plan_of(wanting(77), function, 5), SamplingPlan()) << "unknown ones count nothing";
}

TEST(PlanOf, IterationsAreOfLoopsThatCanBeCountedSo) {
  const SampledFunction function = with_loops();
  const SamplingPlan plan = plan_of(wanting(MANGATA_PROFILE_ITERATIONS, 200), function, 0);
  EXPECT_EQ(plan.mode, SamplingPlan::Mode::Iterations);
  ASSERT_EQ(plan.iterations.size(), function.loops.size());
  for (const numbering::LoopId loop : function.loops.ids())
    EXPECT_EQ(plan.iterations[loop.index()], can_iterate(function, loop) ? MANGATA_MAX_K : 1);
}

TEST(PlanOf, WithoutSuchLoopsPathsAreCounted) {
  EXPECT_EQ(plan_of(wanting(MANGATA_PROFILE_ITERATIONS, 1), with_loops(), 0).mode, SamplingPlan::Mode::Paths);
}

}  // namespace
}  // namespace mangata
