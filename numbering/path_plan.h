// [DESIGN] The whole pipeline for one function, and everything needed to read its counters afterwards:
//   FlowGraph → LoopForest → KLoops → WindowLoops, PathDag → PathNumbering → Chords → EventPlan, and back by
//   decode().
// With every k = 1 there are no windows, and this is Ball and Larus. A loop with k >= 2 gets a table of its
// own, indexed by its window register; the paths around it share the function's table, in which a stay in the
// loop is one edge. Invariant: the members belong together; a plan is immutable once made. Read next:
// numbering/README.md.
#pragma once

#include <optional>

#include "numbering/event_placement.h"
#include "numbering/path_decoder.h"
#include "numbering/preferential_numbering.h"

namespace mangata::numbering {

struct PlanOptions {
  PathCount path_limit = kDefaultPathLimit;  ///< above it, paths are truncated
  /// The same when some k >= 2, and iterations are reduced before paths are truncated. The register has 64
  /// bits, and paths around k-loops are counted once per stay, so a large hash table is no harm there.
  PathCount window_path_limit = kMaxPathCount;
  /// A window has to fit this many bits (k · s); k is reduced until it does. For emitters that pack the state
  /// of an activation into fewer registers.
  unsigned window_bits = kMostWindowBits;
  PathCount array_limit = kDefaultArrayLimit;  ///< largest counter array; more paths need a hash table
  std::span<const double> edge_weights = {};   ///< per EdgeId, e.g. from a profile; empty: static heuristics
  std::span<const uint8_t> iterations = {};    ///< k per row of the forest; missing entries are 1
  /// Not empty: number these paths preferentially. Ball-Larus numbers of the plan that the same options
  /// without this field give; every k must be 1 and path_limit at most 2^32.
  std::span<const PathNumber> interesting = {};
  bool use_chords = true;  ///< false: every edge adds its own value
};

struct PathPlan {
  LoopForest loops;  ///< with the rows of truncation, if any
  KLoops k_loops;  ///< those with k >= 2
  std::vector<WindowLoop> windows;  ///< one per k-loop
  PathDag dag;
  PathNumbering numbering;
  std::optional<PreferentialNumbering>
      preferential;  ///< with PlanOptions::interesting: chords then carry both numbers
  Chords chords;
  EventPlan events;  ///< what an executor does: the result of all the others
  bool truncated = false;  ///< paths also end at edges of rows of kind Truncation
  bool shortened = false;  ///< some k had to be reduced: k_loops tells the one that is used

  PathCount path_count() const { return numbering.path_count; }
  /// The path that counter `number` of the function's table counts. errors: BadPathNumber
  Result<FlowPath> decode(const FlowGraph& graph, PathNumber number) const;
  /// The window (exactly k iterations, begun and ended by a backedge of the loop) that a slot of
  /// windows[index] counts.
  Result<FlowPath> decode_window(const FlowGraph& graph, size_t index, uint64_t slot) const;
  /// What was executed of the path in flight, when control is in `block` and the activation's state is
  /// `state`: every event of edges into the block executed, none of those out of it.
  Result<FlowPath> decode_in_flight(const FlowGraph& graph, BlockId block,
                                    const ActivationState& state) const;
  Result<FlowPath> decode_in_flight(const FlowGraph& graph, BlockId block, int64_t path_register) const {
    return decode_in_flight(graph, block, ActivationState{.path = path_register});
  }

 private:
  Result<FlowPath> expand(const FlowGraph& graph, const std::vector<DagStep>& steps) const;
  Result<bool> expand_stay(const FlowGraph& graph, const DagEdge& edge, uint64_t piece, FlowPath& path) const;
};

/// errors  BadWeights, BadIterations, BadPathNumber (interesting), UncutCycle (only for a forest from a
/// table), PathLimit (path_limit below twice the
///         edge count)
/// cost    O(E log V + sum of k times body size); truncation repeats it, at most about log(limit) times
Result<PathPlan> plan_paths(const FlowGraph& graph, const LoopForest& forest,
                            const PlanOptions& options = {});

/// The same with the loops found by LoopForest::find.
Result<PathPlan> plan_paths(const FlowGraph& graph, const PlanOptions& options = {});

}  // namespace mangata::numbering
