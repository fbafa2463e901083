// Operators in the runtime (runtime_calls.h): what their inline cases leave over.
#pragma once

#include "jit/baseline/runtime_calls.h"

namespace mangata::jit {

/// Any arithmetic or bitwise instruction.
int64_t runtime_arithmetic(Thread* thread, Value* base, const Instruction* pc);
/// Any comparison with a jump that may call a metamethod: kTaken to jump.
int64_t runtime_compare(Thread* thread, Value* base, const Instruction* pc);

// Pure functions of floats, as the interpreter has them.
double power(double x, double y);
double floor_divide(double x, double y);

}  // namespace mangata::jit
