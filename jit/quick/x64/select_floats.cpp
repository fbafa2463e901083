#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick::x64 {

using ir::Opcode;

void Selector::select_floats(ir::Value value, const ir::Operation& operation) {
  switch (operation.op) {
    case Opcode::FAdd: select_float_binary(value, operation, Op::FAdd); return;
    case Opcode::FSub: select_float_binary(value, operation, Op::FSub); return;
    case Opcode::FMul: select_float_binary(value, operation, Op::FMul); return;
    case Opcode::FDiv: select_float_binary(value, operation, Op::FDiv); return;
    case Opcode::FNeg: select_float_unary(value, operation, Op::FNeg); return;
    case Opcode::FAbs: select_float_unary(value, operation, Op::FAbs); return;
    case Opcode::FSqrt: select_float_unary(value, operation, Op::FSqrt); return;
    case Opcode::Floor: select_float_unary(value, operation, Op::Round, 1 | 8); return;
    case Opcode::Ceil: select_float_unary(value, operation, Op::Round, 2 | 8); return;
    case Opcode::Trunc: select_float_unary(value, operation, Op::Round, 3 | 8); return;
    case Opcode::Fma:
      begin(Op::Fma);
      use(operation.operands[0]);
      use(operation.operands[1]);
      use(operation.operands[2], Use::Any);
      define(value, Use::DefineAsFirst);
      return;
    case Opcode::IntegerToFloat: {
      ValueIndex operand = value_of(operation.operands[0]);
      const uint8_t width = width_of(operation.operands[0]);
      if (width < 4) {
        const ValueIndex extended = new_value(RegisterClass::General);
        begin(Op::SignExtend, width);
        add(operand, Use::Register);
        add(extended, Use::Define);
        operand = extended;
      }
      begin(Op::IntegerToFloat, std::max<uint8_t>(width, 4));
      add(operand, Use::Any);
      define(value);
      return;
    }
    case Opcode::FloatToInteger: select_one(Op::FloatToInteger, value, operation.operands[0], 8); return;
    case Opcode::FloatToIntegerSaturating:
      begin(Op::FloatToIntegerSaturating);
      use(operation.operands[0], Use::Register, true);
      define(value);
      return;
    case Opcode::BitsOfFloat: select_one(Op::BitsOfFloat, value, operation.operands[0], 8); return;
    case Opcode::FloatOfBits: select_one(Op::FloatOfBits, value, operation.operands[0], 8); return;
    default:
      return;
  }
}

void Selector::select_float_binary(ir::Value value, const ir::Operation& operation, Op op) {
  ir::Value left = operation.operands[0];
  ir::Value right = operation.operands[1];
  const bool is_commutative = op == Op::FAdd || op == Op::FMul;
  if (is_commutative && (is_folded_load(left) || (function_.is_constant(left) && !is_folded_load(right)))) std::swap(left, right);
  begin(op);
  use(left);
  if (is_folded_load(right)) {
    add_loaded(right);
  } else {
    use(right, Use::Any);
  }
  define(value);
}

void Selector::select_float_unary(ir::Value value, const ir::Operation& operation, Op op, int64_t mode) {
  begin(op).immediate = mode;
  use(operation.operands[0]);
  define(value);
}

}  // namespace mangata::jit::quick::x64
