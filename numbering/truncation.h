// What to do about functions with too many paths: cut more edges until the count fits.
// Invariant: the result is exact for the truncated definition of a path (a path also ends and begins at a cut
// edge). Read next: path_plan.h, which repeats this with smaller thresholds until the sum over all starts
// fits.
#pragma once

#include "numbering/path_numbering.h"

namespace mangata::numbering {

struct Truncation {
  std::vector<EdgeId> cuts;      ///< flow edges to cut
  std::vector<LoopId> too_long;  ///< k-loops whose stay alone has too many paths: they need a smaller k
};

/// Every block from which more than `threshold` paths lead has all its out-edges cut, but those into the
/// exit: behind them is nothing to relate [Ball & Larus 1996, §5.3]. Of a k-loop, the edges that leave it are
/// cut. Only the relation of what precedes a cut edge to what follows it is lost. dag   made by
/// build_path_dag or build_window_dag cost  O(V + E log of the out-degree)
Truncation choose_cuts(const FlowGraph& graph, const PathDag& dag, PathCount threshold);

}  // namespace mangata::numbering
