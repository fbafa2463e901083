#include "numbering/truncation.h"

#include <algorithm>

namespace mangata::numbering {
namespace {

// The flow edges of the DAG that must be cut so that no block has more than `threshold` paths. Saturating: a
// block that is cut counts only its ends, one per distinct target. Edges into the exit stay: behind them is
// nothing to relate.
std::vector<EdgeId> edges_to_cut(const FlowGraph& graph, const PathDag& dag, PathCount threshold) {
  std::vector<EdgeId> cuts;
  std::vector<PathCount> paths(dag.node_count(), 0);
  std::vector<DagNodeId> targets;
  paths[PathDag::end().index()] = 1;
  const auto order = dag.topological_order();
  for (size_t i = order.size(); i-- > 1;) {
    const DagNodeId node = order[i];
    if (node == PathDag::end()) continue;
    PathCount sum = 0;
    for (const DagEdge& edge : dag.out_edges(node)) {
      sum = std::min(sum + paths[edge.to.index()], kMaxPathCount);
    }
    if (sum > threshold) {
      targets.clear();
      sum = 0;
      for (const DagEdge& edge : dag.out_edges(node)) {
        if (edge.kind == DagEdgeKind::Flow && graph.target(edge.edge) != graph.exit()) {
          cuts.push_back(edge.edge);
          targets.push_back(edge.to);
        } else {
          ++sum;
        }
      }
      std::sort(targets.begin(), targets.end());
      sum += static_cast<PathCount>(std::unique(targets.begin(), targets.end()) - targets.begin());
    }
    paths[node.index()] = sum;
  }
  return cuts;
}

}  // namespace

Result<LoopForest> truncate_paths(const FlowGraph& graph, const LoopForest& forest, PathCount limit) {
  limit = std::clamp<PathCount>(limit, 1, kMaxPathCount);
  const auto dag = build_path_dag(graph, forest);
  if (!dag) return dag.error();
  const auto untouched = number_paths(*dag, limit);
  if (untouched) return forest;
  for (PathCount threshold = limit; threshold > 0; threshold /= 4) {
    const LoopForest candidate = forest.with_truncation(graph, edges_to_cut(graph, *dag, threshold));
    const auto cut_dag = build_path_dag(graph, candidate);
    if (!cut_dag) return cut_dag.error();
    if (number_paths(*cut_dag, limit)) return candidate;
  }
  return untouched.error();
}

}  // namespace mangata::numbering
