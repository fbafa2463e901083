// From increments on DAG edges to events on flow edges.
// Invariant: a path is counted exactly when it ends, never earlier, so a path cut off by an error is in no
// counter and its prefix can be read from the path register. Read next: path_plan.h.
#pragma once

#include "numbering/chords.h"
#include "numbering/events.h"
#include "numbering/window_loop.h"

namespace mangata::numbering {

struct PlacementInput {
  const FlowGraph& graph;
  const LoopForest& forest;
  const KLoops& k_loops;  ///< of forest
  const std::vector<WindowLoop>& windows;  ///< one per k-loop
  const PathDag& dag;  ///< as made by build_window_dag (build_path_dag when there is no k-loop)
  const PathNumbering& numbering;
  const Chords& chords;
  PathCount array_limit;  ///< tables up to this many counters are arrays
};

/// The code of each edge, merged: an edge into the exit adds and counts at once; a cut edge counts and starts
/// at once
/// (`count[r + c]++; r = s`), with the increments of its two dummy edges as c and s. So neither loops that
/// share blocks nor self-loops need special code (B2, E16). Figure 8 of Ball & Larus also hoists counts above
/// the last edge of a path; that would count a path that an error, an endless loop or an OSR exit then cuts
/// off, so it is not done here (B4). Order on one edge: additions, leaving a k-loop, counting, starting,
/// entering a k-loop (E17).
EventPlan place_events(const PlacementInput& input);

}  // namespace mangata::numbering
