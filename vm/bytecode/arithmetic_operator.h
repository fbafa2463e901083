// Operators on numbers, and the instructions that have them.
#pragma once

#include <optional>

#include "vm/bytecode/instruction.h"
#include "vm/operations/operations.h"

namespace mangata {

/// Of an arithmetic or bitwise instruction; nothing: it is none.
constexpr std::optional<ArithmeticOperator> operator_of(Opcode op) {
  switch (op) {
#define BINARY(name)           \
  case Opcode::name:           \
  case Opcode::name##Constant: \
    return ArithmeticOperator::name;
#define UNARY(name) \
  case Opcode::name: return ArithmeticOperator::name;
#include "vm/bytecode/arithmetic_operators.def"
    default: return std::nullopt;
  }
}

/// The one whose metamethod is called (kSubtractsZero).
constexpr std::optional<ArithmeticOperator> operator_of(const Instruction& in) {
  if (in.op == Opcode::AddConstant && in.d == kSubtractsZero) return ArithmeticOperator::Sub;
  return operator_of(in.op);
}

/// Of a binary operator, with a register or a constant on the right.
constexpr Opcode opcode_of(ArithmeticOperator op, bool with_constant) {
  switch (op) {
#define BINARY(name) \
  case ArithmeticOperator::name: return with_constant ? Opcode::name##Constant : Opcode::name;
#define UNARY(name) \
  case ArithmeticOperator::name: return Opcode::name;
#include "vm/bytecode/arithmetic_operators.def"
  }
  return {};
}

}  // namespace mangata
