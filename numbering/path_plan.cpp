#include "numbering/path_plan.h"

#include <cmath>

#include "numbering/edge_weights.h"
#include "numbering/truncation.h"

namespace mangata::numbering {
namespace {

Result<std::vector<double>> usable_weights(const FlowGraph& graph, const LoopForest& forest,
                                           std::span<const double> given) {
  if (given.empty()) return static_edge_weights(graph, forest);
  const size_t common = std::min(given.size(), graph.edge_count());
  for (size_t i = 0; i < common; ++i) {
    if (!std::isfinite(given[i]) || given[i] < 0) {
      return NumberingError{ErrorKind::BadWeights, static_cast<uint32_t>(i)};
    }
  }
  if (given.size() != graph.edge_count()) {
    return NumberingError{ErrorKind::BadWeights, static_cast<uint32_t>(common)};
  }
  return std::vector<double>(given.begin(), given.end());
}

}  // namespace

Result<PathPlan> plan_paths(const FlowGraph& graph, const LoopForest& forest, const PlanOptions& options) {
  const auto weights = usable_weights(graph, forest, options.edge_weights);
  if (!weights) return weights.error();
  auto loops = truncate_paths(graph, forest, options.path_limit);
  if (!loops) return loops.error();
  auto dag = build_path_dag(graph, *loops);
  if (!dag) return dag.error();
  auto numbering = number_paths(*dag, options.path_limit);
  if (!numbering) return numbering.error();
  Chords chords = options.use_chords
                      ? chord_increments(*dag, *numbering,
                                         maximum_spanning_tree(*dag, dag_edge_weights(graph, *dag, *weights)))
                      : values_as_increments(*dag, *numbering);
  EventPlan events = place_events(graph, *loops, *dag, chords, numbering->path_count, options.array_limit);
  const bool truncated = loops->size() > forest.size();
  return PathPlan{std::move(*loops), std::move(*dag),   std::move(*numbering),
                  std::move(chords), std::move(events), truncated};
}

Result<PathPlan> plan_paths(const FlowGraph& graph, const PlanOptions& options) {
  return plan_paths(graph, LoopForest::find(graph), options);
}

Result<FlowPath> PathPlan::decode_in_flight(const FlowGraph& graph, BlockId block,
                                            int64_t path_register) const {
  if (block.index() >= graph.block_count()) return NumberingError{ErrorKind::BadPathNumber};
  const DagNodeId node = dag.node_of(block);
  if (node.is_none()) return NumberingError{ErrorKind::BadPathNumber};
  return decode_prefix(graph, dag, numbering, chords, node, path_register);
}

}  // namespace mangata::numbering
