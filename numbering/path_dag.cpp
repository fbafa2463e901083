#include "numbering/path_dag.h"

#include <algorithm>

namespace mangata::numbering {

PathDagBuilder::PathDagBuilder(size_t block_count) {
  dag_.node_of_.assign(block_count, DagNodeId::none());
  add_node({.kind = DagNodeKind::Start, .block = {}, .loop = {}});
  add_node({.kind = DagNodeKind::End, .block = {}, .loop = {}});
}

DagNodeId PathDagBuilder::add_node(const DagNode& node) {
  dag_.nodes_.push_back(node);
  return DagNodeId(dag_.nodes_.size() - 1);
}

void PathDagBuilder::name_node(BlockId block, DagNodeId node) {
  DagNodeId& slot = dag_.node_of_[block.index()];
  if (slot.is_none()) slot = node;
}

Result<PathDag> PathDagBuilder::finish() && {
  const size_t nodes = dag_.nodes_.size(), edges = dag_.edges_.size();
  if (nodes >= Id<int>::kNone || edges >= Id<int>::kNone) return NumberingError{ErrorKind::TooLarge};
  std::vector<uint32_t>& first = dag_.first_out_;
  first.assign(nodes + 1, 0);
  for (const DagEdge& edge : dag_.edges_) ++first[edge.from.index() + 1];
  for (size_t i = 0; i < nodes; ++i) first[i + 1] += first[i];
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  std::vector<DagEdge> grouped(edges);
  std::vector<uint32_t> incoming(nodes, 0);
  for (const DagEdge& edge : dag_.edges_) {
    grouped[next[edge.from.index()]++] = edge;
    ++incoming[edge.to.index()];
  }
  dag_.edges_ = std::move(grouped);

  dag_.topological_.reserve(nodes);
  dag_.topological_.push_back(PathDag::start());
  for (size_t i = 0; i < dag_.topological_.size(); ++i) {
    for (const DagEdge& edge : dag_.out_edges(dag_.topological_[i])) {
      if (--incoming[edge.to.index()] == 0) dag_.topological_.push_back(edge.to);
    }
  }
  if (dag_.topological_.size() != nodes) {
    for (size_t i = 2; i < nodes; ++i) {
      if (incoming[i] != 0) return NumberingError{ErrorKind::UncutCycle, dag_.nodes_[i].block.value};
    }
    return NumberingError{ErrorKind::UncutCycle, 0};
  }
  // End is emptied last only if nothing else is; as it has no successor it may simply be moved to the end.
  auto& order = dag_.topological_;
  order.erase(std::find(order.begin(), order.end(), PathDag::end()));
  order.push_back(PathDag::end());
  return std::move(dag_);
}

void add_block_edges(const FlowGraph& graph, const LoopForest& forest, BlockId block,
                     std::vector<BlockId>& ended_at, PathDagBuilder& builder) {
  const DagNodeId from = builder.node_of(block);
  std::vector<EdgeId> ends;
  for (EdgeId edge : graph.out_edges(block)) {
    const LoopId loop = forest.cut_by(edge);
    if (loop.is_none()) {
      builder.add_edge({from, builder.node_of(graph.target(edge)), DagEdgeKind::Flow, edge, {}});
    } else if (ended_at[loop.index()] != block) {  // parallel backedges end a path in one way
      ended_at[loop.index()] = block;
      ends.push_back(edge);
    }
  }
  for (EdgeId edge : ends) {
    builder.add_edge({from, PathDag::end(), DagEdgeKind::LoopEnd, edge, forest.cut_by(edge)});
  }
  if (block == graph.exit()) builder.add_edge({from, PathDag::end(), DagEdgeKind::Exit, {}, {}});
}

bool is_live(const FlowGraph& graph, const Loop& loop) {
  return std::any_of(loop.backedges.begin(), loop.backedges.end(),
                     [&](EdgeId edge) { return graph.is_live(edge); });
}

Result<PathDag> build_path_dag(const FlowGraph& graph, const LoopForest& forest) {
  PathDagBuilder builder(graph.block_count());
  for (BlockId block : graph.blocks()) {
    if (graph.is_reachable(block)) {
      builder.name_node(block, builder.add_node({.kind = DagNodeKind::Block, .block = block, .loop = {}}));
    }
  }
  builder.add_edge({PathDag::start(), builder.node_of(graph.entry()), DagEdgeKind::Entry, {}, {}});
  for (LoopId loop : forest.ids()) {
    if (!is_live(graph, forest[loop])) continue;
    builder.add_edge(
        {PathDag::start(), builder.node_of(forest[loop].head), DagEdgeKind::LoopStart, {}, loop});
  }
  std::vector<BlockId> ended_at(forest.size());
  for (BlockId block : graph.blocks()) {
    if (graph.is_reachable(block)) add_block_edges(graph, forest, block, ended_at, builder);
  }
  return std::move(builder).finish();
}

}  // namespace mangata::numbering
