// Binary and unary operators as the parser and the code generator name them.
#pragma once

#include <cstdint>

#include "vm/operations/operations.h"

namespace mangata {

/// The first twelve are in the order of ArithmeticOperator.
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
enum class UnaryOperator : uint8_t {
  Negate,
  BitNot,
  Not,
  Length,
  None
};

inline bool is_arithmetic(BinaryOperator op) { return op <= BinaryOperator::ShiftRight; }
inline ArithmeticOperator arithmetic_operator(BinaryOperator op) {
  return static_cast<ArithmeticOperator>(op);
}

static_assert(static_cast<int>(ArithmeticOperator::ShiftRight) ==
              static_cast<int>(BinaryOperator::ShiftRight));

}  // namespace mangata
