#include "numbering/path_encoder.h"

namespace mangata::numbering {
namespace {

class Walk {
 public:
  Walk(const PathDag& dag, const PathNumbering& numbering) : dag_(dag), numbering_(numbering) {}

  /// Along the first out-edge of this kind for which `is_it` holds.
  template <class Predicate>
  bool take(DagEdgeKind kind, Predicate is_it) {
    const auto edges = dag_.out_edges(node_);
    for (size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].kind != kind || edges[i].multiplicity != 1 || !is_it(edges[i])) continue;
      number_ += numbering_.edge_value[dag_.first_edge(node_).index() + i];
      node_ = edges[i].to;
      return true;
    }
    return false;
  }
  uint64_t number() const { return number_; }

 private:
  const PathDag& dag_;
  const PathNumbering& numbering_;
  DagNodeId node_ = PathDag::start();
  uint64_t number_ = 0;
};

bool begin(Walk& walk, const FlowPath& path) {
  if (path.begin == PathBegin::Entry) return walk.take(DagEdgeKind::Entry, [](const DagEdge&) { return true; });
  return walk.take(DagEdgeKind::LoopStart, [&](const DagEdge& edge) { return edge.loop == path.begin_loop; });
}

bool finish(Walk& walk, const FlowPath& path) {
  switch (path.finish) {
    case PathFinish::Exit: return walk.take(DagEdgeKind::Exit, [](const DagEdge&) { return true; });
    case PathFinish::Backedge:
      return walk.take(DagEdgeKind::LoopEnd, [&](const DagEdge& edge) { return edge.loop == path.finish_loop; });
    case PathFinish::InFlight: break;
  }
  return false;
}

}  // namespace

Result<PathNumber> encode_path(const PathDag& dag, const PathNumbering& numbering, const FlowPath& path) {
  const NumberingError error{ErrorKind::BadPathNumber};
  Walk walk(dag, numbering);
  if (!begin(walk, path)) return error;
  for (const EdgeId id : path.edges) {
    if (!walk.take(DagEdgeKind::Flow, [&](const DagEdge& edge) { return edge.edge == id; })) return error;
  }
  if (!finish(walk, path)) return error;
  return PathNumber{walk.number()};
}

}  // namespace mangata::numbering
