// What is the same in each iteration of a loop is done once, in front of it.
//
// [DESIGN] What a loop does first, up to a write, a call or a branch of which both arms stay, it does whenever it is entered, so all of it that
// does not depend on the iteration may as well be done in front: computations, loads of classes that nothing in the loop writes to, and
// guards. Only what comes in that order moves, so a load stays behind the guards that make it safe, and no guard overtakes another that
// depends on the iteration. A guard that fails in front of the loop leaves with the state of the first iteration: its exit is made once more,
// with what the loop's parameters begin as, and what the iteration would have computed up to there is computed in the exit.
//
// Nothing moves that an instruction takes as part of it (comparisons for branches, addresses for accesses), unless a guard moves that needs
// it; nor more values than registers can keep.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// Inner loops first, so that what several loops leave alone moves in front of all. Precondition: there are no variables.
/// cost  linear, but for loops in loops
void hoist_invariants(ir::Function* function);

}  // namespace mangata::jit
