// Guesses of how often each edge runs, for choosing which edges carry instrumentation. A profile is better:
// pass one. Invariant: weights steer cost only, never results. Read next: spanning_tree.h.
#pragma once

#include <vector>

#include "numbering/path_dag.h"

namespace mangata::numbering {

/// One non-negative finite weight per flow edge: a block's frequency is divided among its out-edges, a loop
/// multiplies by 8 (nesting beyond 12 loops no more), leaving a loop is 8 times less likely than staying. O(V
/// + E)
std::vector<double> static_edge_weights(const FlowGraph& graph, const LoopForest& forest);

/// The same for the edges of a DAG. Instrumentation on a dummy edge costs nothing: its constant is merged
/// into the counting or starting that happens there anyway. So those weigh 0, and so do edges into the exit
/// block.
std::vector<double> dag_edge_weights(const FlowGraph& graph, const PathDag& dag,
                                     std::span<const double> flow_weights);

}  // namespace mangata::numbering
