#include "numbering/event_placement.h"

#include <unordered_map>

namespace mangata::numbering {
namespace {

int64_t wrapping_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

class Placement {
 public:
  explicit Placement(const PlacementInput& input)
      : in_(input), flow_(input.graph.edge_count(), 0), loop_start_(input.forest.size(), 0) {}

  EventPlan run() {
    add_windows();
    collect_constants();
    const PathCount paths = in_.numbering.path_count;
    plan_.paths = table_for(paths);
    plan_.at_entry.push_back({.kind = EventKind::Start, .start = entry_});
    append_entering(in_.graph.entry(), plan_.at_entry);
    if (in_.graph.entry() == in_.graph.exit()) {
      plan_.at_entry.push_back({.kind = EventKind::Count, .value = exit_});
    }
    plan_.first.push_back(0);
    for (EdgeId edge : in_.graph.edges()) {
      if (in_.graph.is_live(edge)) place(edge);
      plan_.first.push_back(static_cast<uint32_t>(plan_.events.size()));
    }
    return std::move(plan_);
  }

 private:
  CounterTable table_for(PathCount size) const {
    return {size <= in_.array_limit ? TableKind::Array : TableKind::Hash, size};
  }
  void add_windows();
  void collect_constants();
  void place(EdgeId edge);
  void place_inside(EdgeId edge, size_t around);
  void append_entering(BlockId block, std::vector<Event>& events) const {
    const size_t around = in_.k_loops.around(block);
    if (around == KLoops::kOutside) return;
    events.push_back({.kind = EventKind::EnterLoop, .index = static_cast<uint32_t>(around)});
  }
  uint64_t end_key(BlockId tail, LoopId loop) const { return uint64_t{tail.value} << 32 | loop.value; }

  const PlacementInput& in_;
  EventPlan plan_;
  int64_t entry_ = 0, exit_ = 0;
  std::vector<int64_t> flow_, loop_start_;
  std::unordered_map<uint64_t, int64_t> loop_end_;
  std::unordered_map<EdgeId, uint32_t> leave_of_;          // exit edge of a k-loop -> index of its Leave
  std::vector<std::unordered_map<EdgeId, int64_t>> body_;  // per window: increments of its edges
};

void Placement::add_windows() {
  for (size_t i = 0; i < in_.windows.size(); ++i) {
    const WindowLoop& window = in_.windows[i];
    plan_.windows.push_back({.loop = window.loop,
                             .k = window.k,
                             .digit_bits = window.digit_bits,
                             .body_paths = window.body_paths,
                             .table = table_for(window.slots())});
    auto& increments = body_.emplace_back();
    for (DagEdgeId id : window.body.edge_ids()) {
      const EdgeId edge = window.body.edge(id).edge;
      if (!edge.is_none()) increments[edge] = window.chords.increment[id.index()];
    }
    const size_t first_table = plan_.rank_tables.size();
    for (const PrefixRanks& ranks : window.ranks) plan_.rank_tables.push_back(ranks.sums);
    for (const WindowExit& exit : window.exits) {
      const PrefixRanks& ranks = window.ranks[exit.ranks];
      Leave leave{.window = static_cast<uint32_t>(i), .rank_count = ranks.count};
      leave.potential = window.chords.potential[ranks.node.index()];
      if (!ranks.sums.empty()) leave.rank_table = static_cast<uint32_t>(first_table + exit.ranks);
      leave_of_[exit.edge] = static_cast<uint32_t>(plan_.leaves.size());
      plan_.leaves.push_back(leave);
    }
  }
}

// The increments of the DAG by what they belong to in the flow graph.
void Placement::collect_constants() {
  const PathDag& dag = in_.dag;
  for (DagEdgeId id : dag.edge_ids()) {
    const DagEdge& edge = dag.edge(id);
    const int64_t increment = in_.chords.increment[id.index()];
    switch (edge.kind) {
      case DagEdgeKind::Entry:
        entry_ = increment;
        break;
      case DagEdgeKind::Exit:
        exit_ = increment;
        break;
      case DagEdgeKind::Flow:
        flow_[edge.edge.index()] = increment;
        break;
      case DagEdgeKind::LoopStart:
        loop_start_[edge.loop.index()] = increment;
        break;
      case DagEdgeKind::LoopEnd:
        loop_end_[end_key(dag.node(edge.from).block, edge.loop)] = increment;
        break;
      case DagEdgeKind::Window:
        plan_.windows[in_.k_loops.index_of(dag.node(edge.from).loop)].prologue = increment;
        break;
      case DagEdgeKind::LoopExit: {
        Leave& leave = plan_.leaves[leave_of_.at(edge.edge)];
        leave.scale = in_.numbering.paths_to_end[edge.to.index()];
        (dag.node(edge.from).restarted ? leave.restarted : leave.entered) = increment;
        break;
      }
    }
  }
  for (Leave& leave :
       plan_.leaves) {  // a restarted path has no start of its own in r: it begins when it leaves
    const LoopId loop = plan_.windows[leave.window].loop;
    leave.restarted = wrapping_sum(leave.restarted, loop_start_[loop.index()]);
  }
}

void Placement::place_inside(EdgeId edge, size_t around) {
  const Window& window = plan_.windows[around];
  const auto top = static_cast<uint64_t>(body_[around].at(edge)) << (window.digit_bits * (window.k - 1));
  Event event{.kind = EventKind::WindowAdd,
              .value = static_cast<int64_t>(top),
              .index = static_cast<uint32_t>(around)};
  if (in_.forest.cut_by(edge) == window.loop) {
    event.kind = EventKind::WindowBackedge;
  } else if (event.value == 0) {
    return;
  }
  plan_.events.push_back(event);
}

void Placement::place(EdgeId edge) {
  const BlockId to = in_.graph.target(edge);
  const LoopId cut = in_.forest.cut_by(edge);
  const size_t around = in_.k_loops.around(in_.graph.source(edge));
  const auto leave = leave_of_.find(edge);
  if (around != KLoops::kOutside && leave == leave_of_.end()) return place_inside(edge, around);

  int64_t constant = 0;  // what is still to be added to r before counting
  if (leave != leave_of_.end()) {
    plan_.events.push_back({.kind = EventKind::LeaveLoop, .index = leave->second});
  } else {
    constant = cut.is_none() ? flow_[edge.index()] : loop_end_.at(end_key(in_.graph.source(edge), cut));
  }
  if (!cut.is_none()) {
    plan_.events.push_back(
        {.kind = EventKind::CountAndStart, .value = constant, .start = loop_start_[cut.index()]});
    constant = 0;
  }
  if (to == in_.graph.exit()) {
    plan_.events.push_back({.kind = EventKind::Count, .value = wrapping_sum(constant, exit_)});
  } else if (constant != 0) {
    plan_.events.push_back({.kind = EventKind::Add, .value = constant});
  }
  append_entering(to, plan_.events);
}

}  // namespace

EventPlan place_events(const PlacementInput& input) { return Placement(input).run(); }

}  // namespace mangata::numbering
