// [DESIGN] The whole pipeline for one function, and everything needed to read its counters afterwards:
//   FlowGraph → LoopForest → PathDag → PathNumbering → Chords → EventPlan, and back by decode().
// Invariant: the members belong together; a plan is immutable once made. Read next: numbering/README.md.
#pragma once

#include "numbering/event_placement.h"
#include "numbering/path_decoder.h"

namespace mangata::numbering {

struct PlanOptions {
  PathCount path_limit = kDefaultPathLimit;    ///< above it, paths are truncated
  PathCount array_limit = kDefaultArrayLimit;  ///< largest counter array; more paths need a hash table
  std::span<const double> edge_weights = {};   ///< per EdgeId, e.g. from a profile; empty: static heuristics
  bool use_chords = true;                      ///< false: every edge adds its own value
};

struct PathPlan {
  LoopForest loops;  ///< with the rows of truncation, if any
  PathDag dag;
  PathNumbering numbering;
  Chords chords;
  EventPlan events;
  bool truncated = false;  ///< paths also end at edges of rows of kind Truncation

  PathCount path_count() const { return numbering.path_count; }
  /// The path that counter `number` of the table counts. errors: BadPathNumber
  Result<FlowPath> decode(const FlowGraph& graph, PathNumber number) const {
    return decode_path(graph, dag, numbering, number);
  }
  /// What was executed of the path in flight, when control is in `block` and the path register is
  /// `path_register`.
  Result<FlowPath> decode_in_flight(const FlowGraph& graph, BlockId block, int64_t path_register) const;
};

/// errors  BadWeights, UncutCycle (only for a forest from a table), PathLimit (path_limit below twice the
/// edge count) cost    O(E log V)
Result<PathPlan> plan_paths(const FlowGraph& graph, const LoopForest& forest,
                            const PlanOptions& options = {});

/// The same with the loops found by LoopForest::find.
Result<PathPlan> plan_paths(const FlowGraph& graph, const PlanOptions& options = {});

}  // namespace mangata::numbering
