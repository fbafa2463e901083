// Multi-iteration plans at their limits: large k, many paths, many loops, truncation, malformed requests.
#include <gtest/gtest.h>

#include <ctime>

#include "numbering/plan_interpreter.h"
#include "tests/unit/numbering/k_iteration_support.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering::testing {
namespace {

// Counters of a plan against the trace cut by the definition that the plan says is in force.
void expect_exact(const FlowGraph& graph, const PathPlan& plan, uint64_t seed, size_t length) {
  std::vector<uint8_t> iterations;
  for (LoopId loop : plan.loops.ids()) iterations.push_back(static_cast<uint8_t>(plan.k_loops.k(loop)));
  const auto trace = random_trace(graph, seed, length);
  PlanCounters counters;
  PlanInterpreter interpreter(plan.events, counters);
  for (EdgeId edge : trace) interpreter.take(edge);
  KeyCounts counts;
  const auto add = [&](const Result<FlowPath>& path, uint64_t count) {
    ASSERT_TRUE(path);
    counts[path_key(*path)] += count;
  };
  for (auto [number, count] : counters.paths) add(plan.decode(graph, PathNumber{number}), count);
  for (size_t w = 0; w < counters.windows.size(); ++w) {
    for (auto [slot, count] : counters.windows[w]) add(plan.decode_window(graph, w, slot), count);
  }
  ASSERT_EQ(counts, cut_trace({graph, plan.loops, iterations}, trace).counts) << seed;
}

TEST(KLimits, PlansBelowAnyLimitAreExactByTheirOwnDefinition) {
  int shortened = 0, truncated = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    const KCase test = random_k_case(seed);
    const PathCount limit = 2 * test.graph.edge_count() + 2 + seed % 40;
    const auto plan =
        plan_paths(test.graph, test.forest,
                   {.path_limit = limit, .window_path_limit = limit, .iterations = test.iterations});
    if (!plan) {
      ASSERT_EQ(plan.error().kind, ErrorKind::PathLimit) << seed;
      continue;
    }
    ASSERT_LE(plan->path_count(), limit);
    shortened += plan->shortened;
    truncated += plan->truncated;
    expect_exact(test.graph, *plan, seed, 80);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(shortened, 100);
  EXPECT_GT(truncated, 100);
}

// Eight branches in a row make 256 paths per iteration: 16 iterations would need 128 bits.
TEST(KLimits, AWindowThatDoesNotFitItsRegisterGetsASmallerK) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 8; ++i)
    edges.insert(edges.end(), {{2 * i, 2 * i + 1}, {2 * i, 2 * i + 2}, {2 * i + 1, 2 * i + 2}});
  edges.insert(edges.end(), {{16, 0}, {16, 17}});
  const FlowGraph graph = make_graph(18, 0, 17, edges);
  const auto plan = plan_paths(graph, LoopForest::find(graph), {.iterations = std::vector<uint8_t>{16}});
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_TRUE(plan->shortened);
  ASSERT_EQ(plan->windows.size(), 1u);
  EXPECT_GE(plan->windows[0].k, 2u);
  EXPECT_LE(plan->windows[0].k * plan->windows[0].digit_bits, 62u);
  EXPECT_EQ(plan->events.windows[0].table.kind, TableKind::Hash);
  expect_exact(graph, *plan, 3, 5000);
}

TEST(KLimits, SixteenIterationsOfATwoPathLoop) {
  const FlowGraph graph = make_graph(5, 0, 4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 0}, {3, 4}});
  const auto plan = plan_paths(graph, LoopForest::find(graph), {.iterations = std::vector<uint8_t>{16}});
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->shortened);
  EXPECT_EQ(plan->windows[0].slots(), 65536u);
  for (uint64_t seed = 0; seed < 50; ++seed) expect_exact(graph, *plan, seed, 600);
}

// More ways from the head to an exit than a rank table holds: the sum itself is the rank, with gaps.
TEST(KLimits, ExitsWithTooManyPrefixesForARankTable) {
  std::vector<std::pair<int, int>> edges;
  constexpr int kBranches = 14;
  for (int i = 0; i < kBranches; ++i) {
    edges.insert(edges.end(), {{2 * i, 2 * i + 1}, {2 * i, 2 * i + 2}, {2 * i + 1, 2 * i + 2}});
  }
  edges.insert(edges.end(), {{2 * kBranches, 0}, {2 * kBranches, 2 * kBranches + 1}});
  const FlowGraph graph = make_graph(2 * kBranches + 2, 0, 2 * kBranches + 1, edges);
  const auto plan = plan_paths(graph, LoopForest::find(graph), {.iterations = std::vector<uint8_t>{3}});
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_EQ(plan->events.leaves[0].rank_table, Leave::kNoRanks);
  for (uint64_t seed = 0; seed < 20; ++seed) expect_exact(graph, *plan, seed, 1000);
}

TEST(KLimits, ImpossibleRequestsAreErrors) {
  const FlowGraph nested = make_graph(4, 0, 3, {{0, 1}, {1, 1}, {1, 2}, {2, 0}, {2, 3}});
  const LoopForest forest = LoopForest::find(nested);
  const auto error = [&](std::vector<uint8_t> iterations) {
    const auto plan = plan_paths(nested, forest, {.iterations = iterations});
    return plan ? std::optional<ErrorKind>() : plan.error().kind;
  };
  EXPECT_FALSE(error({1, 2}));
  EXPECT_EQ(error({2, 1}), ErrorKind::BadIterations) << "the outer loop is not innermost";
  EXPECT_EQ(error({2, 2}), ErrorKind::BadIterations);
  EXPECT_EQ(error({1, 0}), ErrorKind::BadIterations);
  EXPECT_EQ(error({1, 17}), ErrorKind::BadIterations);
  EXPECT_EQ(error({1, 2, 1}), ErrorKind::BadIterations) << "more entries than rows";
}

TEST(KLimits, CountersSaturateAndSaySo) {
  PlanCounters counters;
  counters.add(counters.paths, 1, UINT64_MAX - 1);
  EXPECT_FALSE(counters.saturated);
  counters.add(counters.paths, 1, 5);
  EXPECT_TRUE(counters.saturated);
  EXPECT_EQ(counters.paths[1], UINT64_MAX);
}

TEST(KLimits, ManyLoopsAndOneLargeLoopStayLinear) {
  constexpr int kBlocks = 100000;
  std::vector<std::pair<int, int>> many, large;
  for (int i = 0; i + 4 < kBlocks; i += 4) {
    many.insert(many.end(),
                {{i, i + 1}, {i, i + 2}, {i + 1, i + 3}, {i + 2, i + 3}, {i + 3, i}, {i + 3, i + 4}});
  }
  for (int i = 0; i + 2 < kBlocks; ++i) large.emplace_back(i, i + 1);
  large.insert(large.end(), {{kBlocks - 2, 0}, {kBlocks / 2, kBlocks - 2}, {kBlocks - 2, kBlocks - 1}});
  const auto measure = [](const char* name, const FlowGraph& graph, uint8_t k) {
    const auto begin = std::clock();
    const LoopForest forest = LoopForest::find(graph);
    const auto plan = plan_paths(graph, forest, {.iterations = std::vector<uint8_t>(forest.size(), k)});
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ASSERT_TRUE(plan) << name << describe(plan.error());
    EXPECT_LT(seconds, 10) << name << ": seconds of processor time";
    std::printf("%s: %.0f ms, %zu windows\n", name, seconds * 1000, plan->windows.size());
  };
  measure("many loops with k = 3", make_graph(kBlocks - 3, 0, kBlocks - 4, many), 3);
  // Ten branches in each loop: no window of 16 iterations fits, every loop has to find its own k.
  std::vector<std::pair<int, int>> wide;
  int at = 0;
  for (; at + 21 < kBlocks; at += 21) {
    for (int i = at; i < at + 20; i += 2) wide.insert(wide.end(), {{i, i + 1}, {i, i + 2}, {i + 1, i + 2}});
    wide.insert(wide.end(), {{at + 20, at}, {at + 20, at + 21}});
  }
  measure("many loops with k = 16 that do not fit",
          make_graph(static_cast<size_t>(at) + 1, 0, static_cast<size_t>(at), wide), 16);
  measure("one large loop with k = 3", make_graph(kBlocks, 0, kBlocks - 1, large), 3);
}

}  // namespace
}  // namespace mangata::numbering::testing
