#include "numbering/flow_graph.h"

#include <gtest/gtest.h>

#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

ErrorKind error_of(size_t blocks, size_t entry, size_t exit, std::vector<FlowEdge> edges) {
  const auto graph = FlowGraph::build(blocks, BlockId(entry), BlockId(exit), std::move(edges));
  EXPECT_FALSE(graph);
  EXPECT_FALSE(describe(graph.error()).empty());
  return graph.error().kind;
}

TEST(FlowGraph, MalformedInputIsAnErrorNeverACrash) {
  const BlockId zero(0u), one(1u), nine(9u);
  EXPECT_EQ(error_of(0, 0, 0, {}), ErrorKind::BadBlock);
  EXPECT_EQ(error_of(2, 2, 1, {}), ErrorKind::BadBlock);
  EXPECT_EQ(error_of(2, 0, 2, {}), ErrorKind::BadBlock);
  EXPECT_EQ(error_of(2, 0, 1, {{zero, nine}}), ErrorKind::BadBlock);
  EXPECT_EQ(error_of(2, 0, 1, {{nine, zero}}), ErrorKind::BadBlock);
  EXPECT_EQ(error_of(2, 0, 1, {{BlockId::none(), zero}}), ErrorKind::BadBlock);
  EXPECT_EQ(error_of(2, 0, 1, {{zero, one}, {one, zero}}), ErrorKind::ExitHasSuccessor);
  EXPECT_EQ(error_of(3, 0, 1, {{zero, one}, {zero, BlockId(2u)}}), ErrorKind::DeadEnd);
}

TEST(FlowGraph, UnreachableBlocksMayBeAnything) {
  const FlowGraph graph = testing::make_graph(4, 0, 1, {{0, 1}, {2, 1}, {2, 0}});
  EXPECT_FALSE(graph.is_reachable(BlockId(2u)));
  EXPECT_FALSE(graph.is_reachable(BlockId(3u)));
  EXPECT_FALSE(graph.is_live(EdgeId(1u)));
}

TEST(FlowGraph, ArmsKeepTheirOrderAndParallelEdgesStayApart) {
  const FlowGraph graph = testing::make_graph(3, 0, 2, {{0, 2}, {1, 2}, {0, 1}, {0, 2}});
  const auto out = graph.out_edges(BlockId(0u));
  EXPECT_EQ(std::vector<EdgeId>(out.begin(), out.end()),
            (std::vector<EdgeId>{EdgeId(0u), EdgeId(2u), EdgeId(3u)}));
  EXPECT_EQ(graph.in_edges(BlockId(2u)).size(), 3u);
}

}  // namespace
}  // namespace mangata::numbering
