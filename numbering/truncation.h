// What to do about functions with too many paths: cut more edges until the count fits.
// Invariant: the result is exact for the truncated definition of a path (a path also ends and begins at a cut
// edge). Read next: path_plan.h.
#pragma once

#include "numbering/loops.h"
#include "numbering/path_numbering.h"

namespace mangata::numbering {

/// The forest with rows of kind Truncation added so that the acyclic paths number at most `limit`.
/// Every block from which more than a threshold of paths lead has all its out-edges cut [Ball & Larus 1996,
/// §5.3]; the threshold starts at the limit and shrinks until the sum over all starts fits. Only the relation
/// of what precedes a cut edge to what follows it is lost. errors   UncutCycle; PathLimit when even paths of
/// one edge are too many (limit below twice the edge count) cost     O((V + E) log limit) in the worst case,
/// two passes as a rule
Result<LoopForest> truncate_paths(const FlowGraph& graph, const LoopForest& forest, PathCount limit);

}  // namespace mangata::numbering
