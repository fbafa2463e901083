// Calls of select, where it is known how many arguments there are.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// False: nothing was done.
bool lower_select(const LoweringTools& t, const Instruction& in, Operand function, Operand first);

}  // namespace mangata::jit
