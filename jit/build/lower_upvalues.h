// Upvalues, and the table of global names, which is in one (vm/object/function.h).
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// The table of global names, in an upvalue.
Operand environment(const LoweringTools& t, int index);
bool lower_upvalue(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
