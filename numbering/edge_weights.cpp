#include "numbering/edge_weights.h"

#include <algorithm>

namespace mangata::numbering {

std::vector<double> static_edge_weights(const FlowGraph& graph, const LoopForest& forest) {
  constexpr double kLoopFactor = 8;
  constexpr uint32_t kDeepest = 12;
  const DepthFirstOrder order = walk_depth_first(graph);
  std::vector<double> frequency(graph.block_count(), 0), weight(graph.edge_count(), 0);
  std::vector<char> retreating(graph.edge_count(), 0), is_head(graph.block_count(), 0);
  for (EdgeId edge : order.retreating) retreating[edge.index()] = 1;
  for (LoopId loop : forest.ids()) {
    if (forest[loop].kind == LoopKind::Natural) is_head[forest[loop].head.index()] = 1;
  }
  frequency[graph.entry().index()] = 1;
  for (size_t i = order.postorder.size(); i-- > 0;) {  // topological but for retreating edges
    const BlockId block = order.postorder[i];
    const uint32_t depth = forest.depth_at(block);
    double& here = frequency[block.index()];
    if (is_head[block.index()] && depth <= kDeepest) here *= kLoopFactor;
    const auto share = [&](EdgeId edge) {
      const uint32_t target_depth = forest.depth_at(graph.target(edge));
      return target_depth < depth ? 1 / kLoopFactor : 1;
    };
    double total = 0;
    for (EdgeId edge : graph.out_edges(block)) total += share(edge);
    for (EdgeId edge : graph.out_edges(block)) {
      weight[edge.index()] = here * share(edge) / total;
      if (!retreating[edge.index()]) frequency[graph.target(edge).index()] += weight[edge.index()];
    }
  }
  return weight;
}

std::vector<double> dag_edge_weights(const FlowGraph& graph, const PathDag& dag,
                                     std::span<const double> flow_weights) {
  std::vector<double> weight(dag.edge_count(), 0);
  for (DagEdgeId id : dag.edge_ids()) {
    const DagEdge& edge = dag.edge(id);
    if (edge.kind == DagEdgeKind::Flow && graph.target(edge.edge) != graph.exit()) {
      weight[id.index()] = flow_weights[edge.edge.index()];
    }
  }
  return weight;
}

}  // namespace mangata::numbering
