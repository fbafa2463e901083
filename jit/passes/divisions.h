// Divisions by constants become multiplications.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// Replaces quotients and remainders of I64 by a constant that is not 0: shifts and masks for powers of two, else a multiplication
/// (jit/ir/division_by_constant.h). Lua's operators, which round towards minus infinity, are known by their form (jit/build/lower_arithmetic.cpp)
/// and take the least. Floats are multiplied by the reciprocals of powers of two. What they were made of may be left as dead code.
/// cost  linear
void replace_divisions(ir::Function* function);

}  // namespace mangata::jit
