#include "numbering/loops.h"

#include <gtest/gtest.h>

#include <set>

#include "numbering/dominators.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

using testing::make_graph;
using testing::random_graph;
using testing::random_structured_graph;

std::set<BlockId> reachable_without(const FlowGraph& graph, BlockId removed) {
  std::set<BlockId> seen;
  std::vector<BlockId> work;
  const auto visit = [&](BlockId block) {
    if (block != removed && seen.insert(block).second) work.push_back(block);
  };
  visit(graph.entry());
  while (!work.empty()) {
    const BlockId block = work.back();
    work.pop_back();
    for (EdgeId edge : graph.out_edges(block)) visit(graph.target(edge));
  }
  return seen;
}

TEST(Dominators, AgreeWithTheirDefinition) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    const FlowGraph graph = random_graph(seed, 14);
    const DominatorTree tree(graph, walk_depth_first(graph));
    for (BlockId a : graph.blocks()) {
      const auto rest = reachable_without(graph, a);
      for (BlockId b : graph.blocks()) {
        const bool both = graph.is_reachable(a) && graph.is_reachable(b);
        ASSERT_EQ(tree.dominates(a, b), both && !rest.contains(b))
            << seed << " " << a.value << " " << b.value;
      }
    }
  }
}

TEST(Loops, CuttingTheirEdgesLeavesNoCycleAndEveryRetreatingEdgeHasOneRow) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const FlowGraph graph = seed % 2 ? random_graph(seed, 12) : random_structured_graph(seed, 6);
    const LoopForest forest = LoopForest::find(graph);
    std::set<EdgeId> cut;
    for (LoopId loop : forest.ids()) {
      for (EdgeId edge : forest[loop].backedges) {
        EXPECT_TRUE(cut.insert(edge).second);
        EXPECT_EQ(forest.cut_by(edge), loop);
      }
      if (seed % 2 == 0) {
        EXPECT_EQ(forest[loop].kind, LoopKind::Natural) << seed;
      }
    }
    const auto retreating = walk_depth_first(graph).retreating;
    EXPECT_EQ(cut, std::set<EdgeId>(retreating.begin(), retreating.end()));
  }
}

TEST(Loops, NestingAgreesWithBodies) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const FlowGraph graph = seed % 2 ? random_graph(seed, 12) : random_structured_graph(seed, 8);
    const LoopForest forest = LoopForest::find(graph);
    std::vector<std::set<BlockId>> bodies;
    for (LoopId loop : forest.ids()) {
      const auto body = forest.body(graph, loop);
      bodies.emplace_back(body.begin(), body.end());
    }
    for (BlockId block : graph.blocks()) {
      uint32_t depth = 0;
      LoopId smallest;
      for (LoopId loop : forest.ids()) {
        if (forest[loop].kind != LoopKind::Natural || !bodies[loop.index()].contains(block)) continue;
        ++depth;
        if (smallest.is_none() || bodies[loop.index()].size() < bodies[smallest.index()].size())
          smallest = loop;
      }
      ASSERT_EQ(forest.innermost_at(block), smallest) << seed;
      ASSERT_EQ(forest.depth_at(block), depth) << seed;
    }
    for (LoopId loop : forest.ids()) {
      bool innermost = forest[loop].kind == LoopKind::Natural;
      for (LoopId other : forest.ids()) {
        const BlockId head = forest[other].head;
        if (head != forest[loop].head && bodies[loop.index()].contains(head)) innermost = false;
      }
      ASSERT_EQ(forest[loop].innermost, innermost) << seed;
    }
  }
}

TEST(Loops, GivenTablesAreChecked) {
  const FlowGraph graph = make_graph(3, 0, 2, {{0, 1}, {1, 0}, {1, 2}});
  const auto kind_of = [&](std::vector<Loop> rows) {
    const auto forest = LoopForest::from_table(graph, std::move(rows));
    return forest ? std::optional<ErrorKind>() : forest.error().kind;
  };
  const BlockId zero(0u), one(1u);
  EXPECT_FALSE(kind_of({{.head = zero, .backedges = {EdgeId(1u)}}}));
  EXPECT_EQ(kind_of({{.head = zero, .backedges = {}}}), ErrorKind::BadLoop);
  EXPECT_EQ(kind_of({{.head = BlockId(7u), .backedges = {EdgeId(1u)}}}), ErrorKind::BadLoop);
  EXPECT_EQ(kind_of({{.head = zero, .backedges = {EdgeId(7u)}}}), ErrorKind::BadLoop);
  EXPECT_EQ(kind_of({{.head = zero, .backedges = {EdgeId(0u)}}}), ErrorKind::BadLoop);
  EXPECT_EQ(kind_of({{.head = one, .backedges = {EdgeId(0u)}}}), ErrorKind::BadLoop);
  EXPECT_EQ(kind_of({{.head = zero, .backedges = {EdgeId(1u), EdgeId(1u)}}}), ErrorKind::BadLoop);
}

TEST(Loops, LoopsWithOneHeadNestByTheirBodies) {
  // 0 -> 1; 1 -> 2 -> 1 inner; 1 -> 2 -> 3 -> 1 outer.
  const FlowGraph graph = make_graph(5, 0, 4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 1}, {3, 4}});
  const auto forest = LoopForest::from_table(graph, {{.head = BlockId(1u), .backedges = {EdgeId(4u)}},
                                                     {.head = BlockId(1u), .backedges = {EdgeId(2u)}}});
  ASSERT_TRUE(forest);
  EXPECT_EQ((*forest)[LoopId(1u)].parent, LoopId(0u));
  EXPECT_TRUE((*forest)[LoopId(1u)].innermost);
  EXPECT_FALSE((*forest)[LoopId(0u)].innermost);
  EXPECT_EQ(forest->depth_at(BlockId(3u)), 1u);
  EXPECT_EQ(forest->depth_at(BlockId(2u)), 2u);
}

}  // namespace
}  // namespace mangata::numbering
