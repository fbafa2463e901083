// What has been computed, loaded or checked before on each way to a point.
//
// [DESIGN] One walk in reverse post order with one table for the function: an operation is known where the block that made it dominates.
// Of each class of memory, the walk knows a version: the last thing that may have written there. A load's version is part of what it is,
// so the same load of the same version is one value, however far apart the two are; a store is a load of the version that it makes. At a
// merge the version is that of its predecessors where they agree; at a loop's head, where nothing in the loop writes to the class. Since the first
// iteration of most loops is a copy of its own, much of what is invariant goes by that, too.
//
// What is cheaper to compute than to keep in a register (comparisons, which become part of a branch; addresses, which become part of an
// access) is not replaced in other blocks, but counts as the same value. In cold blocks nothing is replaced, either: values would live longer.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// Replaces operations by equal ones that dominate them, loads by what was stored, parameters by others that always bring the same; a branch whose condition a dominating branch has decided
/// becomes a jump; constants are folded. A store of what is there goes. Precondition: there are no variables.
/// cost  linear, but for loops in loops
void remove_redundancies(ir::Function* function);

}  // namespace mangata::jit
