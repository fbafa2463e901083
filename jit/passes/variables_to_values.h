// From variables to SSA.
//
// [DESIGN] Whoever builds code along paths does not know yet where they will merge, so registers are variables (jit/ir/function.h). When
// all blocks are there, one walk in reverse post order knows what each variable holds at each point: behind a single predecessor what it
// held at that one's end, at a merge the same where all predecessors agree. Where they do not, and the variable is read before it is
// assigned (liveness), the block gets a parameter. Heads of loops get one for each live variable at first, since what the backedge brings
// is not known yet; those to which nothing but one other value comes are that value, which is found out at the end, until no more are
// found. In reducible code, that leaves as few as there can be. [Braun et al. 2013, with all blocks sealed]
//
// Only a jump can bring arguments: an edge of a branch to a block that has got parameters is made a block of its own.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// The function has no variables afterwards. Reading one that was never assigned is an undefined value. What cannot be reached is unreachable.
void variables_to_values(ir::Function* function);

}  // namespace mangata::jit
