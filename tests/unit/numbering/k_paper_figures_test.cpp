// The worked examples of the k-iteration paper (Roy & Srikant 2009). Figures 2 and 8 as far as their numbers
// survive.
#include <gtest/gtest.h>

#include <algorithm>

#include "numbering/kpath_numbering.h"
#include "numbering/plan_interpreter.h"
#include "numbering/split_dag.h"
#include "tests/unit/numbering/k_iteration_support.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

using testing::KeyCounts;

// Figure 1, blocks named as in the paper (0 is unused). Edge 6 is the backedge 5 -> 2.
const std::vector<std::pair<int, int>> kFigure1{{1, 2}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 2}, {5, 6}};

struct KFigure {
  FlowGraph graph;
  LoopForest forest;
  KLoops k_loops;

  static KFigure make(size_t blocks, size_t entry, size_t exit, const std::vector<std::pair<int, int>>& edges,
                      std::vector<Loop> rows, std::vector<uint8_t> iterations) {
    FlowGraph graph = testing::make_graph(blocks, entry, exit, edges);
    auto forest = rows.empty() ? LoopForest::find(graph) : *LoopForest::from_table(graph, std::move(rows));
    auto k_loops = *KLoops::make(graph, forest, iterations);
    return {std::move(graph), std::move(forest), std::move(k_loops)};
  }
  static KFigure figure_1(uint8_t k) { return make(7, 1, 6, kFigure1, {}, {k}); }
};

// 1-(2-3-5-2-4-5)^100-6
std::vector<EdgeId> figure_1_trace() {
  std::vector<EdgeId> trace{EdgeId(0u)};
  for (int i = 0; i < 100; ++i) {
    for (size_t edge : {1, 3, 6, 2, 4, i == 99 ? 7 : 6}) trace.emplace_back(edge);
  }
  return trace;
}

TEST(KPaperFigures, Figure1FrequenciesOfTheAlternatingLoop) {
  for (uint8_t k : {1, 2}) {
    const KFigure figure = KFigure::figure_1(k);
    const auto plan = plan_paths(figure.graph, figure.forest, {.iterations = std::vector<uint8_t>{k}});
    ASSERT_TRUE(plan);
    PlanCounters counters;
    PlanInterpreter interpreter(plan->events, counters);
    for (EdgeId edge : figure_1_trace()) interpreter.take(edge);
    KeyCounts counts;
    for (auto [number, count] : counters.paths)
      counts[path_key(*plan->decode(figure.graph, PathNumber{number}))] += count;
    for (size_t w = 0; w < counters.windows.size(); ++w) {
      for (auto [slot, count] : counters.windows[w]) {
        counts[path_key(*plan->decode_window(figure.graph, w, slot))] += count;
      }
    }
    const KeyCounts acyclic{
        {"E:1-2-3-5:L0", 1}, {"L0:2-3-5:L0", 99}, {"L0:2-4-5:L0", 99}, {"L0:2-4-5-6:X", 1}};
    const KeyCounts two{{"E:1-2-3-5-2-4-5:L0", 1},
                        {"L0:2-3-5-2-4-5:L0", 98},
                        {"L0:2-4-5-2-3-5:L0", 99},
                        {"L0:2-3-5-2-4-5-6:X", 1}};
    EXPECT_EQ(counts, k == 1 ? acyclic : two);
  }
}

TEST(KPaperFigures, Figure2StaticPaths) {
  const PathCount expected[] = {10, 23, 49, 101};  // E1: the paper's figure 5 would give 26 for k = 2
  for (uint8_t k = 1; k <= 4; ++k) {
    const KFigure figure = KFigure::figure_1(k);
    const auto dag = build_split_dag(figure.graph, figure.forest, figure.k_loops);
    ASSERT_TRUE(dag);
    EXPECT_EQ(number_paths(*dag)->path_count, expected[k - 1]);
    const auto brute = testing::all_paths({figure.graph, figure.forest, {k}}, 1000);
    uint64_t total = 0;
    for (const auto& [key, count] : *brute) total += count;
    EXPECT_EQ(total, expected[k - 1]);
    if (k != 2) continue;
    EXPECT_TRUE(brute->contains("E:1-2-3-5-6:X")) << "iterates once, but begins and ends outside: valid";
    EXPECT_FALSE(brute->contains("L0:2-3-5-6:X")) << "begins with the loop head, iterates once: invalid";
    EXPECT_FALSE(brute->contains("E:1-2-3-5:L0")) << "ends with the loop tail, iterates once: invalid";
  }
}

struct Row {
  int from, to;  // 8 = Start, 9 = End
  unsigned iteration;
  uint64_t val, cval;
};

size_t find_edge(const KFigure& figure, const KPathNumbering& numbering, const Row& row) {
  if (row.from == 8) return row.to == 1 ? numbering.entry_edge() : numbering.start_edge(LoopId(0u));
  if (row.to == 9) {
    return row.from == 6 ? numbering.exit_edge()
                         : numbering.end_edge(BlockId(static_cast<size_t>(row.from)), LoopId(0u));
  }
  for (size_t i = 0; i < kFigure1.size(); ++i) {
    if (kFigure1[i] == std::pair(row.from, row.to)) return numbering.flow_edge(EdgeId(i));
  }
  ADD_FAILURE() << figure.graph.block_count();
  return 0;
}

// Table 1, which also has the weights of figure 5: val for iterations 1/2, and cval in brackets.
TEST(KPaperFigures, Table1AndFigure5) {
  const KFigure figure = KFigure::figure_1(2);
  const auto numbering = KPathNumbering::make(figure.graph, figure.forest, figure.k_loops);
  ASSERT_TRUE(numbering);
  const Row table[] = {{6, 9, 1, 0, 0}, {5, 6, 2, 0, 0}, {5, 9, 2, 1, 0}, {3, 5, 2, 0, 0}, {4, 5, 2, 0, 0}, {4, 6, 2, 2, 0}, {2, 3, 2, 0, 0}, {2, 4, 2, 2, 0}, {5, 2, 1, 0, 0}, {5, 6, 1, 5, 0}, {3, 5, 1, 0, 0}, {4, 5, 1, 0, 0}, {4, 6, 1, 6, 1}, {2, 3, 1, 0, 0}, {2, 4, 1, 6, 1}, {1, 2, 1, 0, 0}, {8, 1, 1, 0, 0}, {8, 2, 1, 13, 0}};
  for (const Row& row : table) {
    const size_t edge = find_edge(figure, *numbering, row);
    EXPECT_EQ(numbering->val(edge, row.iteration), row.val)
        << row.from << "->" << row.to << " " << row.iteration;
    EXPECT_EQ(numbering->cval(edge, row.iteration), row.cval)
        << row.from << "->" << row.to << " " << row.iteration;
  }
  EXPECT_EQ(numbering->path_count(), 23u) << "26 minus the 3 invalid ones (E1)";
}

// Figure 6: dummy weights pushed into real edges. It works for this loop (E16 tells when it does not), and no
// path's sum changes: 13 moves from Start -> 2 to the out-edges of 2 in iteration 1 and back off 1 -> 2; 1
// moves from 5 -> End to the in-edges of 5 in iteration 2 and off 5 -> 6.
TEST(KPaperFigures, Figure6RemovingDummyEdges) {
  const KFigure figure = KFigure::figure_1(2);
  const auto numbering = KPathNumbering::make(figure.graph, figure.forest, figure.k_loops);
  ASSERT_TRUE(numbering);
  const auto at = [&](int from, int to, unsigned iteration) {
    return static_cast<int64_t>(
        numbering->val(find_edge(figure, *numbering, {from, to, iteration, 0, 0}), iteration));
  };
  const int64_t start = at(8, 2, 1), end = at(5, 9, 2);
  EXPECT_EQ(at(1, 2, 1) - start, -13);
  EXPECT_EQ(at(2, 3, 1) + start, 13);
  EXPECT_EQ(at(2, 3, 2), 0);
  EXPECT_EQ(at(2, 4, 1) + start, 19);
  EXPECT_EQ(at(2, 4, 2), 2);
  EXPECT_EQ(at(3, 5, 2) + end, 1);
  EXPECT_EQ(at(4, 5, 2) + end, 1);
  EXPECT_EQ(at(5, 6, 1), 5);
  EXPECT_EQ(at(5, 6, 2) - end, -1);
}

TEST(KPaperFigures, Table2IdentifiersOnTheTrace) {
  const KFigure figure = KFigure::figure_1(2);
  const auto numbering = KPathNumbering::make(figure.graph, figure.forest, figure.k_loops);
  ASSERT_TRUE(numbering);
  KPathAutomaton automaton(figure.graph, figure.forest, figure.k_loops, *numbering);
  for (EdgeId edge : figure_1_trace()) automaton.take(edge);
  EXPECT_EQ(automaton.counts(),
            (std::unordered_map<uint64_t, uint64_t>{{3, 1}, {19, 99}, {16, 98}, {15, 1}}));
  const auto name = [&](uint64_t number) {
    return path_key(*numbering->identify(figure.graph, PathNumber{number}));
  };
  EXPECT_EQ(name(3), "E:1-2-3-5-2-4-5:L0");
  EXPECT_EQ(name(19), "L0:2-4-5-2-3-5:L0");
  EXPECT_EQ(name(16), "L0:2-3-5-2-4-5:L0");
  EXPECT_EQ(name(15), "L0:2-3-5-2-4-5-6:X");
}

// Figure 8: 1-2-3-4-5-6-7, L1 = {2,3} and L2 = {4,5} with k = 2, L3 = {4,5,6} with k = 1 shares its head with
// L2.
TEST(KPaperFigures, Figure8MixedModeHas25Paths) {
  const std::vector<std::pair<int, int>> edges{{1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 5}, {5, 4}, {5, 6}, {6, 4}, {6, 7}};
  const BlockId two(2u), four(4u);
  const KFigure figure = KFigure::make(8, 1, 7, edges,
                                       {{.head = two, .backedges = {EdgeId(2u)}},
                                        {.head = four, .backedges = {EdgeId(5u)}},
                                        {.head = four, .backedges = {EdgeId(7u)}}},
                                       {2, 2, 1});
  const auto numbering = KPathNumbering::make(figure.graph, figure.forest, figure.k_loops);
  ASSERT_TRUE(numbering);
  EXPECT_EQ(numbering->path_count(), 25u) << "E15: the shared head needs two dummy starts";
  const auto paths = testing::all_paths({figure.graph, figure.forest, {2, 2, 1}}, 100);
  // The paths that the figure lists, in its words (it names no starts and ends).
  for (const char* key :
       {"E:1-2-3-2-3-4-5-4-5-6-7:X", "E:1-2-3-2-3-4-5-4-5-6:L2", "E:1-2-3-2-3-4-5-4-5:L1",
        "E:1-2-3-2-3-4-5-6-7:X", "E:1-2-3-2-3-4-5-6:L2", "E:1-2-3-2-3:L0", "E:1-2-3-4-5-4-5-6-7:X",
        "E:1-2-3-4-5-6-7:X", "E:1-2-3-4-5-6:L2", "L0:2-3-2-3-4-5-4-5:L1", "L0:2-3-2-3-4-5-6-7:X",
        "L1:4-5-4-5-6-7:X", "L1:4-5-4-5-6:L2", "L1:4-5-4-5:L1"}) {
    EXPECT_TRUE(paths->contains(key)) << key;
  }
}

// p(B^k + X(B^k-1)/(B-1)) + B^(k-1)(B+X) paths of a loop with p ways in, B round, X out; loops in
// sequence multiply.
TEST(KPaperFigures, GrowthOfLoopsInSequence) {
  std::vector<std::pair<int, int>> edges;
  int at = 0;
  for (int i = 0; i < 4; ++i, at += 3) {  // a head with two ways round and one way out
    edges.insert(edges.end(), {{at, at + 1}, {at, at + 2}, {at + 1, at}, {at + 2, at}, {at, at + 3}});
  }
  const FlowGraph graph = testing::make_graph(13, 0, 12, edges);
  const LoopForest forest = LoopForest::find(graph);
  const PathCount in_all[] = {33, 481, 9345, 170497}, local[] = {0, 16, 32, 64};
  for (uint8_t k = 1; k <= 4; ++k) {
    const std::vector<uint8_t> iterations(4, k);
    const auto k_loops = KLoops::make(graph, forest, iterations);
    ASSERT_TRUE(k_loops);
    const auto dag = build_split_dag(graph, forest, *k_loops);
    const PathCount total = number_paths(*dag)->path_count;
    const auto plan = plan_paths(graph, forest, {.iterations = iterations});
    ASSERT_TRUE(plan);
    PathCount windows = 0;
    for (const WindowLoop& window : plan->windows) windows += window.slots();
    EXPECT_EQ(windows, local[k - 1]);
    EXPECT_EQ(plan->path_count() + windows, total) << "the window form is perfect on the same set";
    EXPECT_EQ(total, in_all[k - 1]);
  }
}

}  // namespace
}  // namespace mangata::numbering
