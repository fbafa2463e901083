// The errata of the k-iteration paper, each with a small graph on which its printed rule fails and the
// corrected one holds.
#include <gtest/gtest.h>

#include <algorithm>

#include "numbering/path_dag.h"
#include "tests/unit/numbering/k_iteration_support.h"
#include "tests/unit/numbering/printed_algorithms.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering::testing {
namespace {

bool has_parallel_edges(const FlowGraph& graph) {
  for (EdgeId a : graph.edges()) {
    for (EdgeId b : graph.edges()) {
      if (a < b && graph.edge(a) == graph.edge(b)) return true;
    }
  }
  return false;
}

std::vector<std::vector<EdgeId>> some_traces(const FlowGraph& graph) {
  std::vector<std::vector<EdgeId>> traces;
  for (uint64_t seed = 0; seed < 12; ++seed) traces.push_back(random_trace(graph, seed, 6 + 4 * seed));
  return traces;
}

struct Counterexample {
  int erratum;
  const char* what;
  size_t blocks, entry, exit;
  std::vector<std::pair<int, int>> edges;
  std::vector<std::pair<std::vector<size_t>, uint8_t>> loops;  // backedges, k
};

// Found by searching 60,000 random graphs for the one with the fewest edges.
const Counterexample kCounterexamples[] = {
    {1, "the table has invalid paths in it", 2, 1, 0, {{1, 0}, {1, 1}}, {{{1}, 2}}},
    {2,
     "paths from the procedure entry are taken for invalid ones",
     3,
     0,
     2,
     {{0, 1}, {1, 0}, {1, 2}},
     {{{1}, 2}}},
    {3,
     "edges of Start numbered after a k-loop's are not shifted",
     3,
     2,
     1,
     {{2, 2}, {0, 1}, {0, 2}, {2, 0}},
     {{{2}, 3}, {{0}, 1}}},
    {4,
     "one flag for all accumulators, which differ for k >= 3",
     3,
     1,
     0,
     {{2, 0}, {1, 1}, {1, 2}, {2, 1}},
     {{{1, 3}, 3}}},
    {5, "the loop runs over 0..k-1: iteration k is never added", 2, 0, 1, {{0, 1}, {0, 0}}, {{{1}, 2}}},
    {6,
     "the flag never rises for k = 1, so nothing is counted",
     3,
     2,
     1,
     {{2, 2}, {0, 1}, {0, 2}, {2, 0}},
     {{{2}, 3}, {{0}, 1}}},
    {7,
     "an edge that leaves L late and enters M is ignored",
     3,
     0,
     1,
     {{0, 0}, {2, 1}, {0, 2}, {2, 2}},
     {{{0}, 3}, {{3}, 2}}},
    {8,
     "an outer loop's end waits for iteration k of the inner",
     4,
     0,
     3,
     {{0, 1}, {1, 2}, {2, 1}, {2, 0}, {2, 3}},
     {{{2}, 2}, {{3}, 1}}},
    {9,
     "an outer backedge is not taken for an exit",
     4,
     0,
     3,
     {{0, 1}, {1, 2}, {2, 1}, {2, 0}, {2, 3}},
     {{{2}, 2}, {{3}, 1}}},
    {10,
     "an acyclic backedge is followed in iterations before k",
     3,
     2,
     0,
     {{2, 2}, {1, 0}, {2, 1}, {1, 2}},
     {{{3}, 2}, {{0}, 1}}},
    {11,
     "another k-loop stands between the loop's nodes in the list and is numbered again",
     6,
     0,
     1,
     {{3, 2}, {3, 1}, {0, 4}, {4, 5}, {4, 2}, {5, 4}, {2, 3}},
     {{{5}, 2}, {{0}, 2}}},
    {12,
     "with several tails some nodes miss an iteration",
     3,
     1,
     0,
     {{2, 0}, {1, 1}, {1, 2}, {2, 1}},
     {{{1, 3}, 3}}},
    {13, "a self-loop reads a sum that was just cleared", 2, 1, 0, {{1, 0}, {1, 1}}, {{{1}, 2}}},
    {14,
     "a tail that is passed without taking its backedge counts as an iteration",
     3,
     0,
     2,
     {{1, 2}, {1, 0}, {0, 1}, {0, 0}},
     {{{1, 3}, 2}}},
    {15,
     "loops with one head share a dummy start",
     3,
     2,
     1,
     {{2, 2}, {0, 1}, {0, 2}, {2, 0}},
     {{{2}, 3}, {{0}, 1}}},
    {16, "dummy weights in real edges: the block is head and tail", 2, 0, 1, {{0, 0}, {0, 1}}, {{{0}, 1}}},
    {16,
     "dummy weights in real edges: two loops share a head",
     5,
     0,
     4,
     {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 1}, {3, 4}},
     {{{2}, 2}, {{4}, 1}}},
    {16,
     "dummy weights in real edges: two loops share a tail",
     4,
     0,
     3,
     {{0, 1}, {1, 2}, {2, 1}, {2, 0}, {2, 3}},
     {{{2}, 2}, {{3}, 1}}},
    {17, "counting before the loop is left counts a dead path", 2, 1, 0, {{1, 0}, {1, 1}}, {{{1}, 2}}},
    {19,
     "one k for all loops, which have different ones",
     3,
     0,
     1,
     {{0, 0}, {2, 1}, {0, 2}, {2, 2}},
     {{{0}, 3}, {{3}, 2}}},
};

TEST(Errata, EachPrintedRuleFailsWhereTheCorrectedOneHolds) {
  for (const Counterexample& example : kCounterexamples) {
    const FlowGraph graph = make_graph(example.blocks, example.entry, example.exit, example.edges);
    std::vector<Loop> rows;
    std::vector<uint8_t> iterations;
    for (const auto& [backedges, k] : example.loops) {
      Loop row{.head = graph.target(EdgeId(backedges.front())), .backedges = {}};
      for (size_t edge : backedges) row.backedges.emplace_back(edge);
      rows.push_back(std::move(row));
      iterations.push_back(k);
    }
    const auto forest = LoopForest::from_table(graph, std::move(rows));
    ASSERT_TRUE(forest) << "E" << example.erratum;
    EXPECT_EQ(judge_printed(graph, *forest, iterations, {}, some_traces(graph)), "")
        << "E" << example.erratum;
    EXPECT_NE(judge_printed(graph, *forest, iterations, {example.erratum}, some_traces(graph)), "")
        << "E" << example.erratum << ": " << example.what;
    EXPECT_EQ(check_k_paths({graph, *forest, iterations}, some_traces(graph)), "") << "E" << example.erratum;
  }
}

// The numbers that the errata list gives.
TEST(Errata, PathCountsOfE1E2E8) {
  const auto count = [](const FlowGraph& graph, std::vector<Loop> rows, std::vector<uint8_t> iterations) {
    const auto forest = LoopForest::from_table(graph, std::move(rows));
    const auto k_loops = KLoops::make(graph, *forest, iterations);
    return PrintedNumbering(graph, *forest, *k_loops, {}).size();
  };
  const BlockId zero(0u), one(1u);
  EXPECT_EQ(
      count(make_graph(3, 0, 2, {{0, 1}, {1, 0}, {1, 2}}), {{.head = zero, .backedges = {EdgeId(1u)}}}, {2}),
      5);
  EXPECT_EQ(
      count(make_graph(4, 0, 3, {{0, 1}, {1, 2}, {2, 1}, {2, 0}, {2, 3}}),
            {{.head = one, .backedges = {EdgeId(2u)}}, {.head = zero, .backedges = {EdgeId(3u)}}}, {2, 1}),
      13);
}

// As printed, all at once: right on hardly any graph with a k-loop.
TEST(Errata, AsPrintedHardlyAnyGraphIsRight) {
  int right = 0, graphs = 0;
  const Printed all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19};
  for (uint64_t seed = 0; graphs < 600; ++seed) {
    const KCase test = random_k_case(seed);
    if (std::none_of(test.iterations.begin(), test.iterations.end(), [](uint8_t k) { return k > 1; }))
      continue;
    if (has_parallel_edges(test.graph) || !all_paths({test.graph, test.forest, test.iterations}, 500))
      continue;
    ++graphs;
    right += judge_printed(test.graph, test.forest, test.iterations, all, some_traces(test.graph)).empty();
  }
  EXPECT_LT(right, 60);
  std::printf("as printed: %d of %d random graphs right\n", right, graphs);
}

// Also E20: with the greedy choice exactly as printed, every identifier leads back to its path.
TEST(Errata, WithAllCorrectionsTheAlgorithmsAgreeWithBruteForce) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const KCase test = random_k_case(seed);
    if (has_parallel_edges(test.graph)) continue;  // keys do not tell parallel edges apart
    if (!all_paths({test.graph, test.forest, test.iterations}, 500)) continue;
    ASSERT_EQ(judge_printed(test.graph, test.forest, test.iterations, {}, some_traces(test.graph)), "")
        << seed;
    ASSERT_EQ(judge_printed(test.graph, test.forest, test.iterations, {18}, some_traces(test.graph)), "")
        << seed << ": clearing c[1..k-1] at a loop exit changes nothing (E18)";
  }
}

// E10: with the backedges of acyclic loops in it, G-delta has no topological order at all.
TEST(Errata, E10ABackedgeOfAnAcyclicLoopIsACycle) {
  const FlowGraph graph = make_graph(3, 0, 2, {{0, 1}, {1, 0}, {1, 2}});
  const auto uncut = LoopForest::from_table(graph, {});
  ASSERT_TRUE(uncut);
  EXPECT_FALSE(build_path_dag(graph, *uncut));
  EXPECT_TRUE(build_path_dag(graph, LoopForest::find(graph)));
}

}  // namespace
}  // namespace mangata::numbering::testing
