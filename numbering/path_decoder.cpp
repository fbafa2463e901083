#include "numbering/path_decoder.h"

#include <algorithm>

namespace mangata::numbering {

std::string path_key(const FlowPath& path) {
  std::string key = path.begin == PathBegin::Entry ? "E:" : "L" + std::to_string(path.begin_loop.value) + ":";
  for (size_t i = 0; i < path.blocks.size(); ++i) {
    if (i > 0) key += '-';
    key += std::to_string(path.blocks[i].value);
  }
  switch (path.finish) {
    case PathFinish::Exit:
      return key + ":X";
    case PathFinish::Backedge:
      return key + ":L" + std::to_string(path.finish_loop.value);
    case PathFinish::InFlight:
      return key + ":?";
  }
  return key;
}

Result<std::vector<DagStep>> decode_steps_to(const PathDag& dag, const PathNumbering& numbering,
                                             PathNumber number, DagNodeId stop) {
  const NumberingError error{ErrorKind::BadPathNumber};
  uint64_t rest = number.value;
  if (rest >= numbering.path_count) return error;
  std::vector<DagStep> steps;
  for (DagNodeId node = PathDag::start(); node != stop;) {
    if (node == PathDag::end()) return error;
    const size_t first = dag.first_edge(node).index(), count = dag.out_edges(node).size();
    const auto begin = numbering.edge_value.begin() + static_cast<ptrdiff_t>(first);
    const auto above = std::upper_bound(begin, begin + static_cast<ptrdiff_t>(count), rest);
    const DagEdgeId id(first + static_cast<size_t>(above - begin) - 1);
    const DagEdge& edge = dag.edge(id);
    const PathCount each = numbering.paths_to_end[edge.to.index()];
    rest -= numbering.edge_value[id.index()];
    steps.push_back({id, rest / each});
    rest %= each;
    node = edge.to;
  }
  if (stop != PathDag::end() && rest != 0) return error;
  return steps;
}

Result<std::vector<DagStep>> decode_steps(const PathDag& dag, const PathNumbering& numbering,
                                          PathNumber number) {
  return decode_steps_to(dag, numbering, number, PathDag::end());
}

void append_step(const FlowGraph& graph, const DagEdge& edge, FlowPath& path) {
  switch (edge.kind) {
    case DagEdgeKind::Entry:
      path.begin = PathBegin::Entry;
      path.blocks.push_back(graph.entry());
      break;
    case DagEdgeKind::LoopStart:
      path.begin = PathBegin::Backedge;
      path.begin_loop = edge.loop;
      break;
    case DagEdgeKind::Flow:
      path.edges.push_back(edge.edge);
      path.blocks.push_back(graph.target(edge.edge));
      break;
    case DagEdgeKind::LoopEnd:
      path.finish = PathFinish::Backedge;
      path.finish_loop = edge.loop;
      break;
    case DagEdgeKind::Exit:
      path.finish = PathFinish::Exit;
      break;
    case DagEdgeKind::Window:
    case DagEdgeKind::LoopExit:
      break;
  }
}

namespace {

FlowPath to_flow_path(const FlowGraph& graph, const PathDag& dag, const std::vector<DagStep>& steps) {
  FlowPath path;
  for (const DagStep& step : steps) {
    const DagEdge& edge = dag.edge(step.edge);
    append_step(graph, edge, path);
    if (edge.kind == DagEdgeKind::LoopStart) path.blocks.push_back(dag.node(edge.to).block);
  }
  return path;
}

}  // namespace

Result<FlowPath> decode_path(const FlowGraph& graph, const PathDag& dag, const PathNumbering& numbering,
                             PathNumber number) {
  const auto steps = decode_steps(dag, numbering, number);
  if (!steps) return steps.error();
  return to_flow_path(graph, dag, *steps);
}

// Potentials turn the register into the sum of values so far. That sum is also the number of the path that
// goes on with the edge of value 0 at every node, so decoding it passes through `at`, with nothing left over
// there.
Result<FlowPath> decode_prefix(const FlowGraph& graph, const PathDag& dag, const PathNumbering& numbering,
                               const Chords& chords, DagNodeId at, int64_t path_register) {
  if (at.index() >= dag.node_count()) return NumberingError{ErrorKind::BadPathNumber};
  const uint64_t sum =
      static_cast<uint64_t>(path_register) + static_cast<uint64_t>(chords.potential[at.index()]);
  const auto steps = decode_steps_to(dag, numbering, PathNumber{sum}, at);
  if (!steps) return steps.error();
  FlowPath path = to_flow_path(graph, dag, *steps);
  path.finish = PathFinish::InFlight;
  return path;
}

}  // namespace mangata::numbering
