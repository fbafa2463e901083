#include "numbering/spanning_tree.h"

#include <algorithm>
#include <numeric>

namespace mangata::numbering {
namespace {

class DisjointSets {
 public:
  explicit DisjointSets(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  bool join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    parent_[a] = b;
    return true;
  }

 private:
  uint32_t find(uint32_t at) {
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  std::vector<uint32_t> parent_;
};

}  // namespace

SpanningTree maximum_spanning_tree(const PathDag& dag, std::span<const double> weights) {
  std::vector<DagEdgeId> order;
  order.reserve(dag.edge_count());
  for (DagEdgeId id : dag.edge_ids()) order.push_back(id);
  std::stable_sort(order.begin(), order.end(),
                   [&](DagEdgeId a, DagEdgeId b) { return weights[a.index()] > weights[b.index()]; });
  DisjointSets sets(dag.node_count());
  sets.join(PathDag::end().value, PathDag::start().value);
  SpanningTree tree{std::vector<char>(dag.edge_count(), 0)};
  for (DagEdgeId id : order) {
    tree.contains[id.index()] = sets.join(dag.edge(id).from.value, dag.edge(id).to.value);
  }
  return tree;
}

}  // namespace mangata::numbering
