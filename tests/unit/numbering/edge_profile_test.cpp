#include "numbering/edge_profile.h"

#include <gtest/gtest.h>

#include "numbering/edge_weights.h"
#include "numbering/path_plan.h"
#include "numbering/plan_interpreter.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

std::vector<CountedPath> counted_paths(const FlowGraph& graph, const PathPlan& plan,
                                       const PlanCounters& counters) {
  std::vector<CountedPath> paths;
  for (auto [number, count] : counters.paths) {
    paths.push_back({*plan.decode(graph, PathNumber{number}), count});
  }
  return paths;
}

TEST(EdgeProfile, ChordsAndFlowConservationGiveAllEdgeCounts) {
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    const FlowGraph graph = seed % 2 ? testing::random_graph(seed, 2 + seed % 13)
                                     : testing::random_structured_graph(seed, 1 + seed % 12);
    const auto plan = plan_edge_profile(graph, static_edge_weights(graph, LoopForest::find(graph)));
    std::vector<uint64_t> counts(graph.edge_count(), 0), cut_off(graph.block_count(), 0);
    constexpr uint64_t kActivations = 4;
    for (uint64_t i = 0; i < kActivations; ++i) {
      const auto trace = testing::random_trace(graph, seed * 5 + i, 60);
      for (EdgeId edge : trace) ++counts[edge.index()];
      const BlockId at = trace.empty() ? graph.entry() : graph.target(trace.back());
      if (at != graph.exit()) ++cut_off[at.index()];
    }
    std::vector<uint64_t> chords;
    for (EdgeId edge : plan.counted) chords.push_back(counts[edge.index()]);
    const auto derived = derive_edge_counts(graph, plan, chords, cut_off);
    ASSERT_TRUE(derived) << seed;
    ASSERT_EQ(derived->edge, counts) << seed;
    if (graph.entry() != graph.exit()) {
      ASSERT_EQ(derived->entries, kActivations) << seed;
    }
    // A tree over the reachable blocks and the imaginary edge are all that is not counted.
    size_t reachable = 0, live = 0;
    for (BlockId block : graph.blocks()) reachable += graph.is_reachable(block) || block == graph.exit();
    for (EdgeId edge : graph.edges()) live += graph.is_live(edge);
    ASSERT_EQ(plan.counted.size(), live - (reachable - 1) + (graph.entry() != graph.exit())) << seed;
  }
}

TEST(EdgeProfile, ContradictingCountsAreAnError) {
  // Two parallel arms, then the exit. The heavy arm is derived: what leaves block 1 minus the other arm.
  const FlowGraph graph = testing::make_graph(3, 0, 2, {{0, 1}, {0, 1}, {1, 2}});
  const auto plan = plan_edge_profile(graph, std::vector<double>{9, 1, 1});
  ASSERT_EQ(plan.counted, (std::vector<EdgeId>{EdgeId(1u), EdgeId(2u)}));
  EXPECT_FALSE(derive_edge_counts(graph, plan, std::vector<uint64_t>{1}));
  EXPECT_FALSE(derive_edge_counts(graph, plan, std::vector<uint64_t>{5, 3}));
  const auto derived = derive_edge_counts(graph, plan, std::vector<uint64_t>{2, 3});
  ASSERT_TRUE(derived);
  EXPECT_EQ(derived->edge[0], 1u);
  EXPECT_EQ(derived->entries, 3u);
}

TEST(EdgeProfile, PathProfilesImplyEdgeProfiles) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const FlowGraph graph = testing::random_structured_graph(seed, 1 + seed % 12);
    const auto plan = plan_paths(graph);
    ASSERT_TRUE(plan);
    const auto trace = testing::random_trace(graph, seed, 100000);
    PlanCounters counters;
    PlanInterpreter interpreter(plan->events, counters);
    std::vector<uint64_t> counts(graph.edge_count(), 0);
    for (EdgeId edge : trace) {
      interpreter.take(edge);
      ++counts[edge.index()];
    }
    if (trace.size() == 100000) continue;
    // Parallel backedges end a path in one way, so only their sum is known.
    auto implied = edge_counts_of_paths(graph, plan->loops, counted_paths(graph, *plan, counters));
    for (EdgeId a : graph.edges()) {
      for (EdgeId b : graph.edges()) {
        if (a < b && graph.edge(a) == graph.edge(b) && !plan->loops.cut_by(a).is_none()) {
          counts[a.index()] += counts[b.index()];
          counts[b.index()] = 0;
        }
      }
    }
    ASSERT_EQ(implied, counts) << seed;
  }
}

// Ball & Larus 1996, figure 1: two path profiles with the same edge profile. A..F = 0..5.
TEST(EdgeProfile, Figure1EdgesNameTheWrongPath) {
  const FlowGraph graph =
      testing::make_graph(6, 0, 5, {{0, 2}, {0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 5}, {3, 4}, {4, 5}});
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  // ACDF, ACDEF, ABCDF, ABCDEF, ABDF, ABDEF
  const uint64_t profile_1[] = {90, 60, 0, 100, 20, 0}, profile_2[] = {110, 40, 0, 100, 0, 20};
  std::vector<std::vector<CountedPath>> profiles(2);
  for (uint64_t i = 0; i < 6; ++i) {
    profiles[0].push_back({*plan->decode(graph, PathNumber{i}), profile_1[i]});
    profiles[1].push_back({*plan->decode(graph, PathNumber{i}), profile_2[i]});
  }
  const auto edges = edge_counts_of_paths(graph, plan->loops, profiles[0]);
  EXPECT_EQ(edges, edge_counts_of_paths(graph, plan->loops, profiles[1]));
  EXPECT_EQ(edges, (std::vector<uint64_t>{150, 120, 100, 20, 250, 110, 160, 160}));
  const auto first = predict_paths(graph, plan->loops, edges, 270, profiles[0]);
  ASSERT_TRUE(first.named.has_value());
  EXPECT_EQ(path_key(*first.named), "E:0-2-3-4-5:X") << "ACDEF";
  EXPECT_TRUE(first.misleads) << "it ran 60 times, ABCDEF 100 times";
  EXPECT_DOUBLE_EQ(first.share(), 60.0 / 270);
  const auto named = [&](uint64_t number) {
    return expected_edges(graph, plan->loops, edges, *plan->decode(graph, PathNumber{number}));
  };
  EXPECT_EQ(named(0), 2u) << "ACDF: D is left for E";
  EXPECT_EQ(named(1), 4u) << "ACDEF: all of it";
  EXPECT_EQ(named(3), 0u) << "ABCDEF: A is left for C";
  const auto second = predict_paths(graph, plan->loops, edges, 270, profiles[1]);
  EXPECT_TRUE(second.misleads);
  EXPECT_DOUBLE_EQ(second.share(), 40.0 / 270);
}

TEST(EdgeProfile, TwoCorrelatedDiamondsCannotBeToldFromIndependentOnes) {
  // The tutorial: s L1 R1 m L2 R2 t = 0..6, both arms 50 times each.
  const FlowGraph graph =
      testing::make_graph(7, 0, 6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6}});
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  std::vector<CountedPath> correlated, independent;
  for (uint64_t i = 0; i < 4; ++i) {
    const auto path = *plan->decode(graph, PathNumber{i});
    correlated.push_back({path, i == 0 || i == 3 ? 50u : 0u});
    independent.push_back({path, 25});
  }
  EXPECT_EQ(edge_counts_of_paths(graph, plan->loops, correlated),
            edge_counts_of_paths(graph, plan->loops, independent));
}

TEST(EdgeProfile, ALoopIsPredictedFromItsHead) {
  // 0 -> 1; the loop 1 -> (2 | 3) -> 4 -> 1, left from 4 to 5. The arms alternate: edges see 50/50.
  const FlowGraph graph =
      testing::make_graph(6, 0, 5, {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 1}, {4, 5}});
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  PlanCounters counters;
  PlanInterpreter interpreter(plan->events, counters);
  std::vector<uint64_t> edges(graph.edge_count(), 0);
  const auto take = [&](size_t edge) {
    interpreter.take(EdgeId(edge));
    ++edges[edge];
  };
  take(0);
  for (int i = 0; i < 100; ++i) {
    take(i % 2 ? 1 : 2);
    take(i % 2 ? 3 : 4);
    take(i == 99 ? 6 : 5);
  }
  const auto prediction = predict_paths(graph, plan->loops, edges, 1, counted_paths(graph, *plan, counters));
  EXPECT_EQ(prediction.executions, 100u);
  EXPECT_NEAR(prediction.share(), 0.5, 0.02) << "an alternating branch is half right by edges";
  for (const CountedPath& counted : counted_paths(graph, *plan, counters)) {
    const std::string key = path_key(counted.path);
    const size_t named = expected_edges(graph, plan->loops, edges, counted.path);
    if (key == "L0:1-2-4:L0") EXPECT_EQ(named, 3u) << "of equals the first; the backedge counts";
    if (key == "L0:1-3-4:L0") EXPECT_EQ(named, 0u);
    if (key == "L0:1-2-4-5:X") EXPECT_EQ(named, 2u) << "4 is left for 1";
  }
}

}  // namespace
}  // namespace mangata::numbering
