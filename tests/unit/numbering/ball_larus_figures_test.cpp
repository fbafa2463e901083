// The worked examples of Ball & Larus 1996 beyond those of path_plan_test.cpp.
#include <gtest/gtest.h>

#include "numbering/chords.h"
#include "numbering/early_placement.h"
#include "numbering/path_plan.h"
#include "numbering/plan_interpreter.h"
#include "tests/unit/numbering/path_oracle.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

enum {
  A,
  B,
  C,
  D,
  E,
  F
};

struct Figure {
  FlowGraph graph;
  LoopForest forest;
  PathDag dag;
  PathNumbering numbering;
  SpanningTree tree;
  Chords chords;

  // `heavy` are the flow edges that belong into the spanning tree.
  Figure(size_t blocks, size_t exit, const std::vector<std::pair<int, int>>& edges,
         const std::vector<std::pair<int, int>>& heavy)
      : graph(testing::make_graph(blocks, 0, exit, edges)), forest(LoopForest::find(graph)) {
    dag = std::move(*build_path_dag(graph, forest));
    numbering = std::move(*number_paths(dag));
    std::vector<double> weights(dag.edge_count(), 1);
    for (DagEdgeId id : dag.edge_ids()) {
      const DagEdge& edge = dag.edge(id);
      if (edge.kind == DagEdgeKind::Entry || edge.kind == DagEdgeKind::Exit) weights[id.index()] = 9;
      for (auto [from, to] : heavy) {
        if (id == flow(from, to)) weights[id.index()] = 5;
      }
    }
    tree = maximum_spanning_tree(dag, weights);
    chords = chord_increments(dag, numbering, tree);
  }
  DagEdgeId flow(int from, int to) const {
    for (DagEdgeId id : dag.edge_ids()) {
      const DagEdge& edge = dag.edge(id);
      if (edge.kind == DagEdgeKind::Flow &&
          graph.edge(edge.edge) ==
              FlowEdge{BlockId(static_cast<size_t>(from)), BlockId(static_cast<size_t>(to))}) {
        return id;
      }
    }
    return {};
  }
  uint64_t value(int from, int to) const { return numbering.edge_value[flow(from, to).index()]; }
  int64_t increment(int from, int to) const { return chords.increment[flow(from, to).index()]; }
};

Figure figure_7() {
  return Figure(6, F, {{A, C}, {A, B}, {B, C}, {B, D}, {C, D}, {D, F}, {D, E}, {E, F}},
                {{A, B}, {C, D}, {D, F}, {D, E}});
}

TEST(BallLarusFigures, Figure6EdgeValues) {
  const Figure figure = figure_7();
  EXPECT_EQ(figure.value(A, C), 0u);
  EXPECT_EQ(figure.value(A, B), 2u);
  EXPECT_EQ(figure.value(B, C), 0u);
  EXPECT_EQ(figure.value(B, D), 2u);
  EXPECT_EQ(figure.value(D, F), 0u);
  EXPECT_EQ(figure.value(D, E), 1u);
}

TEST(BallLarusFigures, Figure7ChordIncrements) {
  const Figure figure = figure_7();
  EXPECT_EQ(figure.increment(B, D), 4) << "Val(A->B) + Val(B->D) + Val(D->F) + Val(F->A) = 2 + 2 + 0 + 0";
  EXPECT_EQ(figure.increment(B, C), 2);
  EXPECT_EQ(figure.increment(A, C), 0);
  EXPECT_EQ(figure.increment(E, F), 1);
  int chords = 0;
  for (DagEdgeId id : figure.dag.edge_ids()) chords += !figure.tree.contains[id.index()];
  EXPECT_EQ(chords, 4);
}

TEST(BallLarusFigures, Figure9EarlyPlacement) {
  const Figure figure = figure_7();
  const auto code = place_early(figure.dag, figure.chords, figure.tree);
  const auto at = [&](int from, int to) { return describe(code[figure.flow(from, to).index()]); };
  EXPECT_EQ(at(A, C), "r=0");
  EXPECT_EQ(at(B, C), "r=2");
  EXPECT_EQ(at(B, D), "r=4");
  EXPECT_EQ(at(E, F), "count[r+1]++");
  EXPECT_EQ(at(D, F), "count[r]++");
  EXPECT_EQ(at(A, B), "");
  EXPECT_EQ(at(C, D), "");
  EXPECT_EQ(at(D, E), "");
}

// B4: with figure 8's placement, a path that is cut off after its last chord has been counted already.
TEST(BallLarusFigures, ErratumB4EarlyCountsAreOneTooManyForCutOffPaths) {
  // 0 -> 1 -> 2, 0 -> 2, 2 -> 3 -> 4: the last chord is far above the end.
  const Figure figure(5, 4, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}}, {{1, 2}, {2, 3}, {3, 4}});
  const auto code = place_early(figure.dag, figure.chords, figure.tree);
  const EarlyCode& first = code[figure.flow(0, 1).index()];
  EXPECT_TRUE(first.counts && first.starts) << "counted already when 0 -> 1 is taken: " << describe(first);
  // Ours counts on the edge into the exit only.
  const auto plan = plan_paths(figure.graph);
  ASSERT_TRUE(plan);
  PlanCounters counters;
  PlanInterpreter interpreter(plan->events, counters);
  interpreter.take(EdgeId(0u));
  EXPECT_TRUE(counters.paths.empty());
  EXPECT_EQ(path_key(*plan->decode_in_flight(figure.graph, BlockId(1u), interpreter.state())), "E:0-1:?");
}

// Figure 10: a loop of B, C, D, E in a procedure A..F; the four kinds of acyclic path have different numbers.
TEST(BallLarusFigures, Figure10TheFourKindsOfPathsInALoop) {
  const Figure figure(6, F, {{A, B}, {B, C}, {B, D}, {C, E}, {D, E}, {E, B}, {E, F}}, {});
  EXPECT_EQ(figure.numbering.path_count, 8u);
  testing::KeyCounts keys;
  for (uint64_t i = 0; i < 8; ++i) {
    ++keys[path_key(*decode_path(figure.graph, figure.dag, figure.numbering, PathNumber{i}))];
  }
  EXPECT_EQ(keys, (testing::KeyCounts{{"E:0-1-2-4-5:X", 1},
                                      {"E:0-1-3-4-5:X", 1},
                                      {"E:0-1-2-4:L0", 1},
                                      {"E:0-1-3-4:L0", 1},
                                      {"L0:1-2-4:L0", 1},
                                      {"L0:1-3-4:L0", 1},
                                      {"L0:1-2-4-5:X", 1},
                                      {"L0:1-3-4-5:X", 1}}));
}

// B1: with EXIT->ENTRY as a chord its increment would need an edge to run on; forced into the tree it is 0.
TEST(BallLarusFigures, ErratumB1TheImaginaryEdgeIsInTheTree) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const auto plan = plan_paths(testing::random_graph(seed, 12));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->chords.potential[PathDag::start().index()], 0);
    EXPECT_EQ(plan->chords.potential[PathDag::end().index()], 0);
  }
}

// B2: the entry is a loop head, so a dummy edge "ENTRY -> head" would be a self-loop. B5: parallel edges are
// two paths.
TEST(BallLarusFigures, ErrataB2B3B5) {
  const auto entry_is_head = plan_paths(testing::make_graph(3, 0, 2, {{0, 1}, {1, 0}, {1, 2}}));
  ASSERT_TRUE(entry_is_head);
  EXPECT_EQ(entry_is_head->path_count(), 4u);
  // B3: block 2 is the tail of two loops, so it has two dummy ends: 2 starts more, each block-2 path ends in
  // 3 ways.
  const FlowGraph two_loops = testing::make_graph(4, 0, 3, {{0, 1}, {1, 2}, {2, 1}, {2, 0}, {2, 3}});
  const auto two_ends = plan_paths(two_loops);
  ASSERT_TRUE(two_ends);
  EXPECT_EQ(two_ends->path_count(), 9u);
  EXPECT_EQ(testing::all_paths({two_loops, two_ends->loops, {}}, 100)->size(), 9u);
  const auto parallel = plan_paths(testing::make_graph(2, 0, 1, {{0, 1}, {0, 1}}));
  ASSERT_TRUE(parallel);
  EXPECT_EQ(parallel->path_count(), 2u);
}

}  // namespace
}  // namespace mangata::numbering
