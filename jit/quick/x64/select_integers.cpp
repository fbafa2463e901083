#include <bit>

#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick::x64 {

using ir::Opcode;

void Selector::select_integers(ir::Value value, const ir::Operation& operation) {
  switch (operation.op) {
    case Opcode::Undefined:
      return;
    case Opcode::Add: select_add(value, operation); return;
    case Opcode::Sub: select_binary(value, operation, Op::Sub); return;
    case Opcode::Mul:
      if (!select_shifted_product(value, operation)) select_binary(value, operation, Op::Mul);
      return;
    case Opcode::And: select_and(value, operation); return;
    case Opcode::Or: select_binary(value, operation, Op::Or); return;
    case Opcode::Xor: select_binary(value, operation, Op::Xor); return;
    case Opcode::SDiv:
    case Opcode::SRem:
    case Opcode::UDiv: select_division(value, operation); return;
    case Opcode::UMulHigh: select_high_product(value, operation); return;
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr: select_shift(value, operation); return;
    case Opcode::RotL:
    case Opcode::RotR: select_rotation(value, operation); return;
    case Opcode::BSwap:
      if (bytes(operation.type) < 4) fail("bswap of few bytes");
      begin(Op::BSwap, bytes(operation.type));
      use(operation.operands[0]);
      define(value, Use::DefineAsFirst);
      return;
    case Opcode::ZExt:
    case Opcode::SExt:
    case Opcode::Truncate: select_extension(value, operation); return;
    case Opcode::PointerToInteger:
    case Opcode::IntegerToPointer:
      value_of_[value.index] = value_of(operation.operands[0]);
      return;
    default:
      return;
  }
}

/// Over the first operand where the second is a folded load; else three operands, which may become an lea.
void Selector::select_add(ir::Value value, const ir::Operation& operation) {
  ir::Value left = operation.operands[0];
  ir::Value right = operation.operands[1];
  if (is_folded_load(left) || is_folded_load(right)) return select_binary(value, operation, Op::AddTo);
  if (function_.is_constant(left)) std::swap(left, right);
  const std::optional<int32_t> immediate = immediate_of(right);
  const ValueIndex result = narrow_result(value);
  Instruction& in = begin(Op::Add, std::max<uint8_t>(bytes(operation.type), 4));
  if (immediate) {
    in.form = static_cast<uint8_t>(Form::Immediate);
    in.immediate = *immediate;
  }
  use(left);
  if (!immediate) use(right);
  add(result, Use::Define);
  finish_narrow(value, result);
}

void Selector::select_binary(ir::Value value, const ir::Operation& operation, Op op) {
  ir::Value left = operation.operands[0];
  ir::Value right = operation.operands[1];
  const bool is_commutative = op != Op::Sub;
  if (is_commutative && (is_folded_load(left) || (function_.is_constant(left) && !is_folded_load(right)))) std::swap(left, right);
  const std::optional<int32_t> immediate = immediate_of(right);
  const std::optional<uint64_t> left_constant = function_.constant_of(left);
  const uint64_t mask = ir::mask_of(operation.type);
  const ValueIndex result = narrow_result(value);
  const uint8_t width = std::max<uint8_t>(bytes(operation.type), 4);
  if (op == Op::Sub && left_constant && *left_constant == 0) {
    begin(Op::Neg, width);
    use(right);
    add(result, Use::DefineAsFirst);
  } else if (op == Op::Xor && operation.type != ir::Type::Bool && immediate && (static_cast<uint64_t>(int64_t{*immediate}) & mask) == mask) {
    begin(Op::Not, width);
    use(left);
    add(result, Use::DefineAsFirst);
  } else if (op == Op::Sub && immediate && *immediate != INT32_MIN) {  // which may become an lea
    Instruction& in = begin(Op::Add, width);
    in.form = static_cast<uint8_t>(Form::Immediate);
    in.immediate = -*immediate;
    use(left);
    add(result, Use::Define);
  } else if (immediate) {
    Instruction& in = begin(op == Op::Mul ? Op::MulBy : op, width);
    in.form = static_cast<uint8_t>(Form::Immediate);
    in.immediate = operation.type == ir::Type::Bool ? *immediate & 1 : *immediate;
    use(left);
    add(result, op == Op::Mul ? Use::Define : Use::DefineAsFirst);
  } else {
    begin(op, width);
    use(left);
    if (is_folded_load(right)) {
      add_loaded(right);
    } else {
      code().instructions.back().is_commutative = is_commutative;
      use(right, Use::Any);
    }
    add(result, Use::DefineAsFirst);
  }
  finish_narrow(value, result);
}

/// By a power of two a shift; by 3, 5 and 9 an address: the value and the value scaled.
bool Selector::select_shifted_product(ir::Value value, const ir::Operation& operation) {
  const bool is_swapped = function_.is_constant(operation.operands[0]);
  const ir::Value factor = operation.operands[is_swapped ? 1 : 0];
  const std::optional<uint64_t> constant = function_.constant_of(operation.operands[is_swapped ? 0 : 1]);
  if (!constant || operation.type != ir::Type::I64 || is_folded_load(factor)) return false;
  if (std::has_single_bit(*constant)) {
    begin(Op::ShlBy).immediate = std::countr_zero(*constant);
    use(factor);
    define(value, Use::DefineAsFirst);
    return true;
  }
  if (*constant != 3 && *constant != 5 && *constant != 9) return false;
  Instruction& in = begin(Op::Lea);
  in.scale = static_cast<uint8_t>(std::countr_zero(*constant - 1));
  in.memory_operands = 2;
  use(factor);
  use(factor);
  define(value);
  return true;
}

void Selector::select_and(ir::Value value, const ir::Operation& operation) {
  ir::Value left = operation.operands[0];
  std::optional<uint64_t> mask = function_.constant_of(operation.operands[1]);
  if (!mask) mask = function_.constant_of(left), left = operation.operands[1];
  if (mask && !is_folded_load(left) && (*mask == 0xff || *mask == 0xffff || *mask == 0xffffffff) && bytes(operation.type) > 2) {
    begin(Op::ZeroExtend, *mask == 0xff ? 1 : *mask == 0xffff ? 2
                                                              : 4);
    use(left);
    return define(value);
  }
  select_binary(value, operation, Op::And);
}

void Selector::select_one(Op op, ir::Value value, ir::Value operand, uint8_t width) {
  begin(op, width);
  use(operand);
  define(value);
}

void Selector::select_shift(ir::Value value, const ir::Operation& operation) {
  const std::optional<uint64_t> count = function_.constant_of(operation.operands[1]);
  const uint8_t width = std::max<uint8_t>(bytes(operation.type), 4);
  ValueIndex operand = value_of(operation.operands[0]);
  if (operation.op == Opcode::AShr && bytes(operation.type) < 4) {
    const ValueIndex extended = new_value(RegisterClass::General);
    begin(Op::SignExtend, bytes(operation.type));
    add(operand, Use::Register);
    add(extended, Use::Define);
    operand = extended;
  }
  const ValueIndex result = narrow_result(value);
  const bool is_left = operation.op == Opcode::Shl;
  const bool is_logical = operation.op == Opcode::LShr;
  if (count) {
    begin(is_left ? Op::ShlBy : is_logical ? Op::LShrBy
                                           : Op::AShrBy,
          width)
        .immediate = static_cast<int64_t>(*count & (8u * width - 1));
    add(operand, Use::Register);
    add(result, Use::DefineAsFirst);
  } else {
    begin(is_left ? Op::Shl : is_logical ? Op::LShr
                                         : Op::AShr,
          width);
    add(operand, Use::Any);
    use(operation.operands[1]);
    add(result, Use::Define);
  }
  finish_narrow(value, result);
}

void Selector::select_rotation(ir::Value value, const ir::Operation& operation) {
  if (bytes(operation.type) < 4) return fail("a rotation of few bytes");
  const std::optional<uint64_t> count = function_.constant_of(operation.operands[1]);
  const bool is_left = operation.op == Opcode::RotL;
  if (count) {
    begin(is_left ? Op::RotLBy : Op::RotRBy, bytes(operation.type)).immediate = static_cast<int64_t>(*count & (8u * bytes(operation.type) - 1));
    use(operation.operands[0]);
  } else {
    begin(is_left ? Op::RotL : Op::RotR, bytes(operation.type));
    use(operation.operands[0]);
    add(value_of(operation.operands[1]), Use::Fixed, kRcx, true);
  }
  define(value, Use::DefineAsFirst);
}

void Selector::select_division(ir::Value value, const ir::Operation& operation) {
  if (bytes(operation.type) < 4) return fail("a division of few bytes");
  const bool is_remainder = operation.op == Opcode::SRem;
  begin(operation.op == Opcode::UDiv ? Op::DivideUnsigned : Op::DivideSigned, bytes(operation.type));
  add(value_of(operation.operands[0]), Use::Fixed, kRax);
  add(value_of(operation.operands[1]), Use::Any, kNoRegister, true);
  add(is_remainder ? new_value(RegisterClass::General) : value_of(value), Use::DefineFixed, kRax);
  add(is_remainder ? value_of(value) : new_value(RegisterClass::General), Use::DefineFixed, kRdx);
}

void Selector::select_high_product(ir::Value value, const ir::Operation& operation) {
  if (operation.type != ir::Type::I64) return fail("a product of words that are no I64");
  const bool is_swapped = function_.is_constant(operation.operands[0]);
  begin(Op::MulHigh);
  add(value_of(operation.operands[is_swapped ? 1 : 0]), Use::Fixed, kRdx);
  use(operation.operands[is_swapped ? 0 : 1], Use::Any);
  define(value);
}

void Selector::select_extension(ir::Value value, const ir::Operation& operation) {
  const ir::Value operand = operation.operands[0];
  const ir::Type from = function_.type_of(operand);
  switch (operation.op) {
    case Opcode::ZExt:
      value_of_[value.index] = value_of(operand);
      return;
    case Opcode::Truncate:
      if (operation.type == ir::Type::Bool) {
        Instruction& in = begin(Op::And, 4);
        in.form = static_cast<uint8_t>(Form::Immediate);
        in.immediate = 1;
        use(operand);
        return define(value, Use::DefineAsFirst);
      }
      return select_one(Op::ZeroExtend, value, operand, bytes(operation.type));
    default:
      break;
  }
  const ValueIndex result = narrow_result(value);
  if (from == ir::Type::Bool) {
    begin(Op::Neg, 8);
    use(operand);
    add(result, Use::DefineAsFirst);
  } else if (is_folded_load(operand)) {
    begin(Op::LoadSigned, bytes(from));
    add_loaded(operand);
    add(result, Use::Define);
  } else {
    begin(Op::SignExtend, bytes(from));
    use(operand);
    add(result, Use::Define);
  }
  if (operation.type == ir::Type::I32) fail("sign extension to 32 bits");
  finish_narrow(value, result);
}

}  // namespace mangata::jit::quick::x64
