// The pipeline of acyclic paths against brute force and against traces cut by definition.
#include "numbering/path_plan.h"

#include <gtest/gtest.h>

#include "numbering/dump.h"
#include "numbering/plan_interpreter.h"
#include "tests/unit/numbering/path_oracle.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

using testing::all_paths;
using testing::cut_trace;
using testing::KeyCounts;
using testing::PathDefinition;

FlowGraph graph_for(uint64_t seed) {
  return seed % 2 ? testing::random_graph(seed, 2 + seed % 11)
                  : testing::random_structured_graph(seed, 1 + seed % 12);
}

// Ball & Larus 1996, figures 1, 2, 6: A..F are 0..5.
FlowGraph ball_larus_figure_1() {
  return testing::make_graph(6, 0, 5, {{0, 2}, {0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 5}, {3, 4}, {4, 5}});
}

KeyCounts run(const FlowGraph& graph, const PathPlan& plan, const std::vector<EdgeId>& trace,
              std::string* in_flight) {
  PlanCounters counters;
  PlanInterpreter interpreter(plan.events, counters);
  for (EdgeId edge : trace) interpreter.take(edge);
  const BlockId at = trace.empty() ? graph.entry() : graph.target(trace.back());
  in_flight->clear();
  if (at != graph.exit()) {
    const auto prefix = plan.decode_in_flight(graph, at, interpreter.path_register());
    *in_flight = prefix ? path_key(*prefix) : "error";
  }
  KeyCounts counts;
  for (auto [number, count] : counters.paths) {
    EXPECT_LT(number, plan.events.paths.size);
    const auto path = plan.decode(graph, PathNumber{number});
    counts[path ? path_key(*path) : "error"] += count;
  }
  return counts;
}

void expect_exact(const FlowGraph& graph, const PathPlan& plan, uint64_t seed) {
  const PathDefinition definition{graph, plan.loops, {}};
  for (uint64_t t = 0; t < 3; ++t) {
    const auto trace = testing::random_trace(graph, seed * 7 + t, 5 + (seed * 31 + t * 40) % 120);
    const auto expected = cut_trace(definition, trace);
    std::string in_flight;
    ASSERT_EQ(run(graph, plan, trace, &in_flight), expected.counts) << seed << "\n"
                                                                    << dump(graph, plan);
    ASSERT_EQ(in_flight, expected.in_flight) << seed << "\n"
                                             << dump(graph, plan);
  }
}

TEST(PathPlan, SumsAreABijectionAndDecodeInvertsThem) {
  int compared = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const FlowGraph graph = graph_for(seed);
    const auto plan = plan_paths(graph);
    ASSERT_TRUE(plan);
    const auto expected = all_paths({graph, plan->loops, {}}, 2000);
    if (!expected) continue;
    ++compared;
    KeyCounts decoded;
    for (PathNumber number; number.value < plan->path_count(); ++number.value) {
      const auto path = plan->decode(graph, number);
      ASSERT_TRUE(path);
      ++decoded[path_key(*path)];
      const auto steps = decode_steps(plan->dag, plan->numbering, number);
      ASSERT_TRUE(steps);
      std::vector<DagEdgeId> edges;
      int64_t increments = 0;
      for (const DagStep& step : *steps) {
        edges.push_back(step.edge);
        increments += plan->chords.increment[step.edge.index()];
      }
      ASSERT_EQ(path_sum(plan->numbering, edges), number);
      ASSERT_EQ(increments, static_cast<int64_t>(number.value)) << "chords keep every path sum";
    }
    ASSERT_EQ(decoded, *expected) << seed;
    ASSERT_FALSE(plan->decode(graph, PathNumber{plan->path_count()}));
  }
  EXPECT_GT(compared, 2500);
}

TEST(PathPlan, CountsAreThoseOfTheTraceCutByDefinition) {
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    const FlowGraph graph = graph_for(seed);
    const auto plan = plan_paths(graph, {.use_chords = seed % 3 != 0});
    ASSERT_TRUE(plan);
    expect_exact(graph, *plan, seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(PathPlan, TruncatedPathsAreExactByTheTruncatedDefinition) {
  int truncated = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const FlowGraph graph = graph_for(seed);
    const PathCount limit = 2 * graph.edge_count() + 2 + seed % 9;
    const auto plan = plan_paths(graph, {.path_limit = limit});
    ASSERT_TRUE(plan) << seed << describe(plan.error());
    ASSERT_LE(plan->path_count(), limit);
    truncated += plan->truncated;
    expect_exact(graph, *plan, seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(truncated, 100);
}

TEST(PathPlan, MoreThan2To32PathsAreTruncated) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 200; ++i) {  // 2^200 paths
    edges.insert(edges.end(), {{2 * i, 2 * i + 1}, {2 * i, 2 * i + 2}, {2 * i + 1, 2 * i + 2}});
  }
  const FlowGraph graph = testing::make_graph(401, 0, 400, edges);
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->truncated);
  EXPECT_LE(plan->path_count(), kDefaultPathLimit);
  EXPECT_LT(plan->loops.size(), 30u) << "a cut every 30 branches or so is enough";
  EXPECT_EQ(plan->events.paths.kind, TableKind::Hash);
  expect_exact(graph, *plan, 1);
}

TEST(PathPlan, ALimitBelowTheNumberOfEdgesIsAnError) {
  const auto plan = plan_paths(ball_larus_figure_1(), {.path_limit = 3});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().kind, ErrorKind::PathLimit);
}

TEST(PathPlan, UnusableWeightsAreAnError) {
  const FlowGraph graph = ball_larus_figure_1();
  std::vector<double> weights(graph.edge_count(), 1);
  EXPECT_TRUE(plan_paths(graph, {.edge_weights = weights}));
  weights[2] = -1;
  EXPECT_EQ(plan_paths(graph, {.edge_weights = weights}).error(), (NumberingError{ErrorKind::BadWeights, 2}));
  weights[2] = 0.0 / 0.0;
  EXPECT_EQ(plan_paths(graph, {.edge_weights = weights}).error(), (NumberingError{ErrorKind::BadWeights, 2}));
  weights.resize(2);
  EXPECT_EQ(plan_paths(graph, {.edge_weights = weights}).error().kind, ErrorKind::BadWeights);
}

TEST(PathPlan, BallLarusFigure2NumbersTheSixPaths) {
  const FlowGraph graph = ball_larus_figure_1();
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->path_count(), 6u);
  // ACDF, ACDEF, ABCDF, ABCDEF, ABDF, ABDEF
  const char* expected[] = {"E:0-2-3-5:X", "E:0-2-3-4-5:X", "E:0-1-2-3-5:X",
                            "E:0-1-2-3-4-5:X", "E:0-1-3-5:X", "E:0-1-3-4-5:X"};
  for (uint64_t i = 0; i < 6; ++i) EXPECT_EQ(path_key(*plan->decode(graph, PathNumber{i})), expected[i]);
}

TEST(PathPlan, BallLarusFigure6PathsPerVertex) {
  const FlowGraph graph = ball_larus_figure_1();
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  const PathCount expected[] = {6, 4, 2, 2, 1, 1};  // A..F
  for (BlockId block : graph.blocks()) {
    EXPECT_EQ(plan->numbering.paths_to_end[plan->dag.node_of(block).index()], expected[block.index()]);
  }
}

TEST(PathPlan, SelfLoopsAndSharedTailsNeedNoSpecialCode) {
  const FlowGraph graph = testing::make_graph(2, 0, 1, {{0, 0}, {0, 1}});
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->path_count(), 4u);
  std::string in_flight;
  const EdgeId loop(0u), out(1u);
  EXPECT_EQ(run(graph, *plan, {loop, loop, loop, out}, &in_flight),
            (KeyCounts{{"E:0:L0", 1}, {"L0:0:L0", 2}, {"L0:0-1:X", 1}}));
}

TEST(PathPlan, OneBlockIsOnePath) {
  const FlowGraph graph = testing::make_graph(1, 0, 0, {});
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  std::string in_flight;
  EXPECT_EQ(run(graph, *plan, {}, &in_flight), (KeyCounts{{"E:0:X", 1}}));
}

TEST(PathPlan, DecodingNonsenseIsAnError) {
  const FlowGraph graph = ball_larus_figure_1();
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->decode_in_flight(graph, BlockId(99u), 0));
  EXPECT_FALSE(plan->decode_in_flight(graph, BlockId(2u), 1 << 20));
  EXPECT_FALSE(plan->decode(graph, PathNumber{UINT64_MAX}));
}

}  // namespace
}  // namespace mangata::numbering
