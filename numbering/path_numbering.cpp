#include "numbering/path_numbering.h"

#include <algorithm>

namespace mangata::numbering {

Result<PathNumbering> number_paths(const PathDag& dag, PathCount limit) {
  limit = std::clamp<PathCount>(limit, 1, kMaxPathCount);
  PathNumbering numbering;
  numbering.edge_value.assign(dag.edge_count(), 0);
  numbering.paths_to_end.assign(dag.node_count(), 0);
  numbering.paths_to_end[PathDag::end().index()] = 1;
  const auto order = dag.topological_order();
  for (size_t i = order.size(); i-- > 0;) {
    const DagNodeId node = order[i];
    if (node == PathDag::end()) continue;
    PathCount sum = 0;
    size_t edge_index = dag.first_edge(node).index();
    for (const DagEdge& edge : dag.out_edges(node)) {
      numbering.edge_value[edge_index++] = sum;
      PathCount paths = 0;
      if (__builtin_mul_overflow(edge.multiplicity, numbering.paths_to_end[edge.to.index()], &paths) ||
          __builtin_add_overflow(sum, paths, &sum) || sum > limit) {
        return NumberingError{ErrorKind::PathLimit, node.value};
      }
    }
    numbering.paths_to_end[node.index()] = sum;
  }
  numbering.path_count = numbering.paths_to_end[PathDag::start().index()];
  return numbering;
}

PathNumber path_sum(const PathNumbering& numbering, std::span<const DagEdgeId> path) {
  PathNumber number;
  for (DagEdgeId edge : path) number.value += numbering.edge_value[edge.index()];
  return number;
}

}  // namespace mangata::numbering
