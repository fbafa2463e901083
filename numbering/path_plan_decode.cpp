// From counters back to paths, through the edges of the window DAG that stand for whole stays in a loop.
#include "numbering/path_plan.h"

namespace mangata::numbering {
namespace {

// The digits of a number to the base `base`, most significant (the oldest iteration) first.
std::vector<uint64_t> dense_digits(uint64_t number, PathCount base, unsigned count) {
  std::vector<uint64_t> digits(count);
  for (size_t i = count; i-- > 0; number /= base) digits[i] = number % base;
  return digits;
}

}  // namespace

// The last block of the path is the head of the loop.
Result<bool> PathPlan::expand_stay(const FlowGraph& graph, const DagEdge& edge, uint64_t piece,
                                   FlowPath& path) const {
  const DagNode& stay = dag.node(edge.from);
  const WindowLoop& window = windows[k_loops.index_of(stay.loop)];
  if (edge.kind == DagEdgeKind::Window) {
    path.finish = PathFinish::Backedge;
    path.finish_loop = window.loop;
    return append_iterations(graph, window, dense_digits(piece, window.body_paths, window.k), false, path);
  }
  const Leave* leave = nullptr;
  for (const Event& event : events.on_edge(edge.edge)) {
    if (event.kind == EventKind::LeaveLoop) leave = &events.leaves[event.index];
  }
  if (leave == nullptr) return NumberingError{ErrorKind::BadPathNumber};
  const uint64_t rank = piece % leave->rank_count;
  uint64_t before = piece / leave->rank_count;
  unsigned completed = window.k - 1;
  if (!stay.restarted) {
    completed = 0;
    for (PathCount ways = 1; before >= ways; ways = window.combinations(completed)) {
      before -= ways;
      ++completed;
    }
  }
  const auto whole =
      append_iterations(graph, window, dense_digits(before, window.body_paths, completed), true, path);
  if (!whole) return whole;
  const uint64_t sum =
      leave->rank_table == Leave::kNoRanks ? rank : events.rank_tables[leave->rank_table][rank];
  const auto partial =
      append_partial_iteration(graph, window, window.node_of(graph.source(edge.edge)), sum, path);
  if (!partial) return partial;
  if (edge.loop.is_none()) {
    path.edges.push_back(edge.edge);
    path.blocks.push_back(graph.target(edge.edge));
  } else {
    path.finish = PathFinish::Backedge;
    path.finish_loop = edge.loop;
  }
  return true;
}

Result<FlowPath> PathPlan::expand(const FlowGraph& graph, const std::vector<DagStep>& steps) const {
  FlowPath path;
  for (const DagStep& step : steps) {
    const DagEdge& edge = dag.edge(step.edge);
    append_step(graph, edge, path);
    if (edge.kind == DagEdgeKind::LoopStart) path.blocks.push_back(dag.node(edge.to).block);
    if (edge.kind == DagEdgeKind::Window || edge.kind == DagEdgeKind::LoopExit) {
      const auto stay = expand_stay(graph, edge, step.piece, path);
      if (!stay) return stay.error();
    }
  }
  return path;
}

Result<FlowPath> PathPlan::decode(const FlowGraph& graph, PathNumber number) const {
  const auto steps = decode_steps(dag, numbering, number);
  if (!steps) return steps.error();
  return expand(graph, *steps);
}

Result<FlowPath> PathPlan::decode_window(const FlowGraph& graph, size_t index, uint64_t slot) const {
  if (index >= windows.size() || slot >= windows[index].slots())
    return NumberingError{ErrorKind::BadPathNumber};
  const WindowLoop& window = windows[index];
  FlowPath path{.begin = PathBegin::Backedge,
                .begin_loop = window.loop,
                .blocks = {window.head},
                .edges = {},
                .finish = PathFinish::Backedge,
                .finish_loop = window.loop};
  std::vector<uint64_t> digits;
  for (unsigned place = 0; place < window.k; ++place) digits.push_back(window.digit(slot, place));
  const auto whole = append_iterations(graph, window, digits, false, path);
  if (!whole) return whole.error();
  return path;
}

Result<FlowPath> PathPlan::decode_in_flight(const FlowGraph& graph, BlockId block,
                                            const ActivationState& state) const {
  const NumberingError error{ErrorKind::BadPathNumber};
  if (block.index() >= graph.block_count() || dag.node_of(block).is_none()) return error;
  const DagNodeId node = dag.node_of(block);
  const size_t around = k_loops.around(block);
  FlowPath path;
  if (around != KLoops::kOutside && state.completed >= k_loops[around].k) {
    path.begin = PathBegin::Backedge;
    path.begin_loop = windows[around].loop;
    path.blocks.push_back(windows[around].head);
  } else {
    uint64_t sum = static_cast<uint64_t>(state.path) + static_cast<uint64_t>(chords.potential[node.index()]);
    if (preferential) sum &= UINT32_MAX;  // the upper half adds up the preferential identifier
    const auto steps = decode_steps_to(dag, numbering, PathNumber{sum}, node);
    if (!steps) return steps.error();
    auto prefix = expand(graph, *steps);
    if (!prefix) return prefix;
    path = std::move(*prefix);
  }
  path.finish = PathFinish::InFlight;
  path.finish_loop = LoopId::none();
  if (around == KLoops::kOutside) return path;

  const WindowLoop& window = windows[around];
  const unsigned completed = std::min(state.completed, window.k - 1);
  std::vector<uint64_t> digits;
  for (unsigned place = window.k - 1 - completed; place < window.k - 1; ++place) {
    digits.push_back(window.digit(static_cast<uint64_t>(state.window), place));
  }
  const auto whole = append_iterations(graph, window, digits, true, path);
  if (!whole) return whole.error();
  const DagNodeId inner = window.node_of(block);
  const int64_t grown = state.window >> (window.digit_bits * (window.k - 1));
  const uint64_t sum =
      static_cast<uint64_t>(grown) + static_cast<uint64_t>(window.chords.potential[inner.index()]);
  const auto partial = append_partial_iteration(graph, window, inner, sum, path);
  if (!partial) return partial.error();
  return path;
}

}  // namespace mangata::numbering
