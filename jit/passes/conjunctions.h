// Branches on several conditions become several branches.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// `a and b` before a branch takes four instructions to become one Bool, and two as two branches; of a guard the second is hardly ever
/// mispredicted. What only the second condition needs (the comparison, a load in it) moves behind the first branch. In cold blocks they stay.
/// Facts that a branch gives are of whole conditions, so redundancies go first.
/// cost  linear
void split_conjunctions(ir::Function* function);

}  // namespace mangata::jit
