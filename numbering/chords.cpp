#include "numbering/chords.h"

namespace mangata::numbering {

Chords chord_increments(const PathDag& dag, const PathNumbering& numbering, const SpanningTree& tree) {
  // Tree neighbours of each node, grouped by a counting sort: edge id, and whether it is walked forwards.
  struct Step {
    DagEdgeId edge;
    bool forwards;
  };
  std::vector<uint32_t> first(dag.node_count() + 1, 0);
  for (DagEdgeId id : dag.edge_ids()) {
    if (!tree.contains[id.index()]) continue;
    ++first[dag.edge(id).from.index() + 1];
    ++first[dag.edge(id).to.index() + 1];
  }
  for (size_t i = 0; i < dag.node_count(); ++i) first[i + 1] += first[i];
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  std::vector<Step> steps(first.back());
  for (DagEdgeId id : dag.edge_ids()) {
    if (!tree.contains[id.index()]) continue;
    steps[next[dag.edge(id).from.index()]++] = {id, true};
    steps[next[dag.edge(id).to.index()]++] = {id, false};
  }

  Chords chords;
  // A zigzag of tree edges may leave the range of 64 bits. Unsigned arithmetic wraps, as the path register
  // does, and the sum along a path comes out right all the same.
  std::vector<uint64_t> potential(dag.node_count(), 0);
  chords.increment.assign(dag.edge_count(), 0);
  std::vector<char> seen(dag.node_count(), 0);
  std::vector<DagNodeId> work{PathDag::start(), PathDag::end()};
  seen[PathDag::start().index()] = seen[PathDag::end().index()] = 1;
  while (!work.empty()) {
    const DagNodeId node = work.back();
    work.pop_back();
    for (uint32_t i = first[node.index()]; i < first[node.index() + 1]; ++i) {
      const auto [id, forwards] = steps[i];
      const DagNodeId other = forwards ? dag.edge(id).to : dag.edge(id).from;
      if (seen[other.index()]) continue;
      seen[other.index()] = 1;
      const uint64_t value = numbering.edge_value[id.index()];
      potential[other.index()] = potential[node.index()] + (forwards ? value : 0 - value);
      work.push_back(other);
    }
  }
  for (DagEdgeId id : dag.edge_ids()) {
    const DagEdge& edge = dag.edge(id);
    chords.increment[id.index()] = static_cast<int64_t>(
        numbering.edge_value[id.index()] + potential[edge.from.index()] - potential[edge.to.index()]);
  }
  chords.potential.assign(potential.begin(), potential.end());
  return chords;
}

Chords values_as_increments(const PathDag& dag, const PathNumbering& numbering) {
  Chords chords;
  chords.potential.assign(dag.node_count(), 0);
  chords.increment.assign(numbering.edge_value.begin(), numbering.edge_value.end());
  return chords;
}

}  // namespace mangata::numbering
