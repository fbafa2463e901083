// Calls of library functions with the usual types of arguments, inline (vm/intrinsics.def).
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// Checks that it is that library function.
bool guard_native(const LoweringTools& t, Operand* function, NativeId id);
/// A call of that function. False: it is to be called; what was generated may leave.
bool lower_intrinsic(const LoweringTools& t, const Instruction& in, NativeId id);

}  // namespace mangata::jit
