#include "numbering/truncation.h"

#include <algorithm>

namespace mangata::numbering {
namespace {

PathCount saturating(PathCount multiplicity, PathCount paths, PathCount sum) {
  PathCount result = 0;
  if (__builtin_mul_overflow(multiplicity, paths, &result) || __builtin_add_overflow(result, sum, &result)) {
    return kMaxPathCount + 1;
  }
  return std::min(result, kMaxPathCount + 1);
}

void sort_unique(auto& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

bool may_be_cut(const FlowGraph& graph, const DagEdge& edge) {
  return (edge.kind == DagEdgeKind::Flow || edge.kind == DagEdgeKind::LoopExit) &&
         edge.to != PathDag::end() && graph.target(edge.edge) != graph.exit();
}

}  // namespace

Truncation choose_cuts(const FlowGraph& graph, const PathDag& dag, PathCount threshold) {
  Truncation result;
  std::vector<PathCount> paths(dag.node_count(), 0);
  std::vector<DagNodeId> targets;
  paths[PathDag::end().index()] = 1;
  const auto order = dag.topological_order();
  for (size_t i = order.size(); i-- > 1;) {
    const DagNodeId node = order[i];
    if (node == PathDag::end()) continue;
    PathCount sum = 0;
    for (const DagEdge& edge : dag.out_edges(node))
      sum = saturating(edge.multiplicity, paths[edge.to.index()], sum);
    if (sum > threshold) {
      targets.clear();
      sum = 0;
      for (const DagEdge& edge : dag.out_edges(node)) {
        if (!may_be_cut(graph, edge)) {
          sum = saturating(edge.multiplicity, 1, sum);  // ends here or in the exit
        } else {
          result.cuts.push_back(edge.edge);
          if (edge.kind == DagEdgeKind::Flow) targets.push_back(edge.to);
          if (edge.kind == DagEdgeKind::LoopExit) sum = saturating(edge.multiplicity, 1, sum);
        }
      }
      sort_unique(targets);  // parallel cut edges end a path in one way
      sum = saturating(1, targets.size(), sum);
      if (const LoopId loop = dag.node(node).loop; !loop.is_none() && sum > threshold)
        result.too_long.push_back(loop);
    }
    paths[node.index()] = sum;
  }
  sort_unique(result.cuts);  // the entered and the restarted node of a k-loop have the same edges
  sort_unique(result.too_long);
  return result;
}

}  // namespace mangata::numbering
