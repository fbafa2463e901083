// Binary and unary operators as the parser and the code generator name them.
#pragma once

#include <cstdint>

#include "vm/bytecode/opcode.h"
#include "vm/operations/operations.h"

namespace mangata {

/// The first twelve are in the order of ArithmeticOperator and of the opcodes Add..ShiftRight.
enum class BinaryOperator : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Pow,
  FloorDiv,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
  Concat,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  And,
  Or,
  None
};
enum class UnaryOperator : uint8_t { Negate, BitNot, Not, Length, None };

inline bool is_arithmetic(BinaryOperator op) { return op <= BinaryOperator::ShiftRight; }
inline ArithmeticOperator arithmetic_operator(BinaryOperator op) {
  return static_cast<ArithmeticOperator>(op);
}

inline Opcode opcode_after(Opcode first, int offset) {
  return static_cast<Opcode>(static_cast<int>(first) + offset);
}
static_assert(static_cast<int>(Opcode::ShiftRight) - static_cast<int>(Opcode::Add) ==
              static_cast<int>(BinaryOperator::ShiftRight));
static_assert(static_cast<int>(Opcode::ShiftRightConstant) - static_cast<int>(Opcode::AddConstant) ==
              static_cast<int>(BinaryOperator::ShiftRight));
static_assert(static_cast<int>(ArithmeticOperator::ShiftRight) ==
              static_cast<int>(BinaryOperator::ShiftRight));

/// Conditional jumps come in pairs in opcodes.def: one that jumps if, and one that jumps if not.
inline Opcode opposite_jump(Opcode op) {
  const int first = static_cast<int>(Opcode::JumpIfTrue);
  return static_cast<Opcode>(((static_cast<int>(op) - first) ^ 1) + first);
}

}  // namespace mangata
