// Operations by constants become cheaper ones of the same value.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// Replaces quotients and remainders of I64 by a constant that is not 0: shifts and masks for powers of two, else a multiplication
/// (jit/ir/division_by_constant.h). Lua's operators, which round towards minus infinity, are known by their form (jit/build/lower_arithmetic.cpp)
/// and take the least. Floats are multiplied by the reciprocals of powers of two, and doubled by an addition. What was there before may be left
/// as dead code.
/// cost  linear
void reduce_strength(ir::Function* function);

}  // namespace mangata::jit
