#include "numbering/dump.h"

namespace mangata::numbering {
namespace {

std::string number(auto value) { return std::to_string(value); }

std::string edge_name(const FlowGraph& graph, EdgeId edge) {
  return "edge " + number(edge.value) + " " + number(graph.source(edge).value) + "->" +
         number(graph.target(edge).value);
}

std::string node_name(const DagNode& node) {
  if (node.kind == DagNodeKind::Start) return "Start";
  if (node.kind == DagNodeKind::End) return "End";
  std::string name = number(node.block.value);
  if (!node.loop.is_none()) name += (node.restarted ? ".D" : ".P") + number(node.iteration);
  return name;
}

std::string kind_name(const DagEdge& edge) {
  switch (edge.kind) {
    case DagEdgeKind::Entry:
      return "entry";
    case DagEdgeKind::LoopStart:
      return "start L" + number(edge.loop.value);
    case DagEdgeKind::Flow:
      return "edge " + number(edge.edge.value);
    case DagEdgeKind::LoopEnd:
      return "end L" + number(edge.loop.value);
    case DagEdgeKind::Exit:
      return "exit";
    case DagEdgeKind::Window:
      return "window x" + number(edge.multiplicity);
    case DagEdgeKind::LoopExit:
      return "leave by edge " + number(edge.edge.value) + " x" + number(edge.multiplicity);
  }
  return "";
}

std::string_view kind_name(LoopKind kind) {
  switch (kind) {
    case LoopKind::Natural:
      return "natural";
    case LoopKind::Irreducible:
      return "irreducible";
    case LoopKind::Truncation:
      return "truncation";
  }
  return "";
}

std::string kind_name(TableKind kind) {
  switch (kind) {
    case TableKind::Array:
      return "array ";
    case TableKind::Hash:
      return "hash ";
    case TableKind::Preferential:
      return "preferential ";
  }
  return "";
}

std::string sum_with_r(int64_t value) {
  if (value == 0) return "r";
  return value > 0 ? "r + " + number(value) : "r - " + number(0 - static_cast<uint64_t>(value));
}

}  // namespace

std::string describe(const Event& event) {
  const std::string counting = "count[" + sum_with_r(event.value) + "]++";
  switch (event.kind) {
    case EventKind::Start:
      return "r = " + number(event.start);
    case EventKind::Add:
      return "r += " + number(event.value);
    case EventKind::Count:
      return counting;
    case EventKind::CountAndStart:
      return counting + "; r = " + number(event.start);
    case EventKind::EnterLoop:
      return "enter window " + number(event.index);
    case EventKind::WindowAdd:
      return "w += " + number(event.value);
    case EventKind::WindowBackedge:
      return "iteration of window " + number(event.index) +
             (event.value ? " w += " + number(event.value) : "");
    case EventKind::HashStep:
      return "r = hash(r, " + number(event.value) + ")";
    case EventKind::HashCount:
      return "r = hash(r, " + number(event.value) + "); count[r]++; r = " + number(event.start);
    case EventKind::LeaveLoop:
      return "leave " + number(event.index);
  }
  return "";
}

std::string dump(const FlowGraph& graph) {
  std::string text = "blocks " + number(graph.block_count()) + " entry " + number(graph.entry().value) +
                     " exit " + number(graph.exit().value) + "\n";
  for (BlockId block : graph.blocks()) {
    if (!graph.is_reachable(block)) {
      text += "block " + number(block.value) + " unreachable\n";
      continue;
    }
    for (EdgeId edge : graph.out_edges(block)) text += edge_name(graph, edge) + "\n";
  }
  return text;
}

std::string dump(const FlowGraph& graph, const LoopForest& forest) {
  std::string text;
  for (LoopId id : forest.ids()) {
    const Loop& loop = forest[id];
    text += "L" + number(id.value) + " " + std::string(kind_name(loop.kind)) + " head " +
            number(loop.head.value) + " depth " + number(loop.depth);
    if (!loop.parent.is_none()) text += " in L" + number(loop.parent.value);
    if (loop.innermost) text += " innermost";
    text += " cuts";
    for (EdgeId edge : loop.backedges)
      text += " " + number(graph.source(edge).value) + "->" + number(loop.head.value);
    text += "\n";
  }
  return text;
}

std::string dump(const PathDag& dag, const PathNumbering& numbering, const Chords& chords) {
  std::string text = "paths " + number(numbering.path_count) + "\n";
  for (DagNodeId node : dag.topological_order()) {
    if (node == PathDag::end()) continue;
    text += node_name(dag.node(node)) + " paths " + number(numbering.paths_to_end[node.index()]) + "\n";
    for (size_t i = 0; i < dag.out_edges(node).size(); ++i) {
      const size_t id = dag.first_edge(node).index() + i;
      const DagEdge& edge = dag.out_edges(node)[i];
      text += "  -> " + node_name(dag.node(edge.to)) + " (" + kind_name(edge) + ") value " +
              number(numbering.edge_value[id]) + " increment " + number(chords.increment[id]) + "\n";
    }
  }
  return text;
}

std::string dump(const FlowGraph& graph, const EventPlan& plan) {
  std::string text =
      std::string("table ") + kind_name(plan.paths.kind) + number(plan.paths.size) + "\nentry:";
  for (const Event& event : plan.at_entry) text += " " + describe(event) + ";";
  text += "\n";
  for (size_t i = 0; i < plan.windows.size(); ++i) {
    const Window& window = plan.windows[i];
    text += "window " + number(i) + ": L" + number(window.loop.value) + " k " + number(window.k) + " bits " +
            number(window.digit_bits) + " body paths " + number(window.body_paths) + " prologue " +
            number(window.prologue) + (window.table.kind == TableKind::Array ? " array " : " hash ") +
            number(window.table.size) + "\n";
  }
  for (size_t i = 0; i < plan.leaves.size(); ++i) {
    const Leave& leave = plan.leaves[i];
    text += "leave " + number(i) + ": window " + number(leave.window) + " ranks " + number(leave.rank_count) +
            " potential " + number(leave.potential) + " entered " + number(leave.entered) + " restarted " +
            number(leave.restarted) + " scale " + number(leave.scale) + "\n";
  }
  for (EdgeId edge : graph.edges()) {
    if (plan.on_edge(edge).empty()) continue;
    text += edge_name(graph, edge) + ":";
    for (const Event& event : plan.on_edge(edge)) text += " " + describe(event) + ";";
    text += "\n";
  }
  return text;
}

std::string dump(const FlowGraph& graph, const PathPlan& plan) {
  std::string text = "== flow graph\n" + dump(graph) + "== loops\n" + dump(graph, plan.loops) +
                     "== numbering\n" + dump(plan.dag, plan.numbering, plan.chords);
  for (size_t i = 0; i < plan.windows.size(); ++i) {
    const WindowLoop& window = plan.windows[i];
    text +=
        "== one iteration of window " + number(i) + "\n" + dump(window.body, window.numbering, window.chords);
  }
  return text + "== plan" + (plan.truncated ? " (truncated)" : "") + (plan.shortened ? " (shortened)" : "") +
         "\n" + dump(graph, plan.events);
}

}  // namespace mangata::numbering
