#include "numbering/event_placement.h"

#include <unordered_map>

namespace mangata::numbering {
namespace {

// The increments of the DAG by what they belong to in the flow graph.
struct Constants {
  int64_t entry = 0, exit = 0;
  std::vector<int64_t> flow;        // per flow edge
  std::vector<int64_t> loop_start;  // per row of the forest
  std::unordered_map<uint64_t, int64_t> loop_end;

  static uint64_t key(BlockId tail, LoopId loop) { return uint64_t{tail.value} << 32 | loop.value; }
};

Constants collect(const FlowGraph& graph, const LoopForest& forest, const PathDag& dag,
                  const Chords& chords) {
  Constants constants;
  constants.flow.assign(graph.edge_count(), 0);
  constants.loop_start.assign(forest.size(), 0);
  for (DagEdgeId id : dag.edge_ids()) {
    const DagEdge& edge = dag.edge(id);
    const int64_t increment = chords.increment[id.index()];
    switch (edge.kind) {
      case DagEdgeKind::Entry:
        constants.entry = increment;
        break;
      case DagEdgeKind::Exit:
        constants.exit = increment;
        break;
      case DagEdgeKind::Flow:
        constants.flow[edge.edge.index()] = increment;
        break;
      case DagEdgeKind::LoopStart:
        constants.loop_start[edge.loop.index()] = increment;
        break;
      case DagEdgeKind::LoopEnd:
        constants.loop_end[Constants::key(dag.node(edge.from).block, edge.loop)] = increment;
        break;
      case DagEdgeKind::Window:
      case DagEdgeKind::LoopExit:
        break;
    }
  }
  return constants;
}

int64_t wrapping_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

}  // namespace

EventPlan place_events(const FlowGraph& graph, const LoopForest& forest, const PathDag& dag,
                       const Chords& chords, PathCount paths, PathCount array_limit) {
  const Constants constants = collect(graph, forest, dag, chords);
  EventPlan plan;
  plan.paths = {paths <= array_limit ? TableKind::Array : TableKind::Hash, paths};
  plan.at_entry.push_back({EventKind::Start, 0, constants.entry});
  if (graph.entry() == graph.exit()) plan.at_entry.push_back({EventKind::Count, constants.exit, 0});
  plan.first.push_back(0);
  for (EdgeId edge : graph.edges()) {
    const LoopId cut = forest.cut_by(edge);
    const int64_t increment = constants.flow[edge.index()];
    if (!graph.is_live(edge)) {
      // Never taken, no event.
    } else if (!cut.is_none()) {
      const int64_t end = constants.loop_end.at(Constants::key(graph.source(edge), cut));
      plan.events.push_back({EventKind::CountAndStart, end, constants.loop_start[cut.index()]});
      if (graph.target(edge) == graph.exit()) plan.events.push_back({EventKind::Count, constants.exit, 0});
    } else if (graph.target(edge) == graph.exit()) {
      plan.events.push_back({EventKind::Count, wrapping_sum(increment, constants.exit), 0});
    } else if (increment != 0) {
      plan.events.push_back({EventKind::Add, increment, 0});
    }
    plan.first.push_back(static_cast<uint32_t>(plan.events.size()));
  }
  return plan;
}

}  // namespace mangata::numbering
