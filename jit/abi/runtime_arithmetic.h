// Operators in the runtime (runtime_calls.h): what their inline cases leave over.
#pragma once

#include "jit/abi/runtime_calls.h"
#include "vm/bytecode/conditions.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

/// Any arithmetic or bitwise instruction.
int64_t runtime_arithmetic(Thread* thread, Value* base, const Instruction* pc);
/// Any comparison with a jump that may call a metamethod: kTaken to jump.
int64_t runtime_compare(Thread* thread, Value* base, const Instruction* pc);

/// What an arithmetic or bitwise instruction works on.
struct Arithmetic {
  ArithmeticOperator op;  ///< of the instruction
  Value left, right;  ///< operands, constants among them
};
Arithmetic arithmetic_of(Value* base, const Instruction& in);

struct Comparison {
  Relation relation;
  bool expected;  ///< jump when the relation holds
  Value left, right;  ///< operands, constants among them
};
Comparison comparison_of(Value* base, const Instruction& in);
/// The outcome of the comparison before `pc`, whose relation holds or not.
int64_t comparison_outcome(Thread* thread, Value* base, const Instruction* pc, bool holds);

// Pure functions of floats, as the interpreter has them.
double power(double x, double y);
double floor_divide(double x, double y);

}  // namespace mangata::jit
