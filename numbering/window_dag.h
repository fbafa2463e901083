// The paths around k-loops: a DAG in which each k-loop is two nodes, entered and restarted, and a whole stay
// is one edge that stands for many pieces. Invariant: together with the window tables it has exactly the
// paths of the split DAG. Read next: path_plan.h.
#pragma once

#include "numbering/window_loop.h"

namespace mangata::numbering {

/// From the entered node: first a Window edge (the B^k ways to complete k iterations; the path ends there),
/// then per exit edge a LoopExit edge with (1 + B + ... + B^(k-1)) · ranks pieces. From the restarted node
/// (Start by the loop's own backedge): LoopExit edges with B^(k-1) · ranks pieces. So complete paths come
/// first and no compensation is needed. Order otherwise as in build_path_dag, which this is when there is no
/// k-loop. errors  UncutCycle, TooLarge
Result<PathDag> build_window_dag(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops,
                                 const std::vector<WindowLoop>& windows);

/// Number of different ways to leave: multiplicity of the LoopExit edges of a rank table.
PathCount leave_pieces(const WindowLoop& window, const PrefixRanks& ranks, bool restarted);

}  // namespace mangata::numbering
