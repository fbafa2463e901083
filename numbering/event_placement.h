// From increments on DAG edges to events on flow edges.
// Invariant: a path is counted exactly when it ends, never earlier, so a path cut off by an error is in no
// counter and its prefix can be read from the path register. Read next: path_plan.h.
#pragma once

#include "numbering/chords.h"
#include "numbering/events.h"

namespace mangata::numbering {

/// The code of each edge, merged: an edge into the exit adds and counts at once; a cut edge counts and starts
/// at once
/// (`count[r + c]++; r = s`), with the increments of its two dummy edges as c and s. So neither loops that
/// share blocks nor self-loops need special code. The paper's figure 8 also hoists counts above the last edge
/// of a path; that would count a path that an error, an endless loop or an OSR exit then cuts off, so it is
/// not done here. dag, chords  of the same forest, as made by build_path_dag and chord_increments paths
/// number of paths, for the shape of the table: an array up to array_limit counters
EventPlan place_events(const FlowGraph& graph, const LoopForest& forest, const PathDag& dag,
                       const Chords& chords, PathCount paths, PathCount array_limit);

}  // namespace mangata::numbering
