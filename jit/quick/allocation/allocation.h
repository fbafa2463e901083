// Register allocation: registers for operands, and moves where values change places.
//
// [DESIGN] One forward pass over the instructions, greedy, with the distance of each value's next use at hand, as Maglev and Go's compiler
// do it [Belady 1966; Braun and Hack 2009]. A value is in at most one register, in its slot, or in both; where it is may change at any
// point. Blocks begin as the warmest of their predecessors that is done has ended; the other edges get moves. So that loops are good:
//  * Warm blocks come first, cold ones adapt to them. What a cold call clobbers is stored before it and loaded behind it, in cold code.
//  * At a loop's head, what its warm code uses is in registers, as far as there are any; what it does not use stays in one only if the
//    loop can spare it. Loads and stores for that are on the edge into the loop.
//  * A parameter's register is what its arguments are to be computed in.
//  * A slot is written where its value is defined, once, or, where that is done more often than what needs the slot, there.
#pragma once

#include "jit/quick/code/code.h"
#include "jit/quick/liveness/liveness.h"

namespace mangata::jit::quick {

/// Completes operands (assigned), moves of instructions and edges, slots of values.
/// cost  linear, apart from what lives across blocks
void allocate_registers(Code& code, const Liveness& liveness, const Machine& machine);

}  // namespace mangata::jit::quick
