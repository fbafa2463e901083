// Arithmetic and bitwise operators (manual §3.4.1, §3.4.2).

#include <bit>
#include <cmath>
#include <limits>

#include "jit/build/lowering.h"
#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {
namespace {

bool has_constant(const Instruction& in) { return has_constant_operand(in.op); }

}  // namespace

Operand Lowering::left_operand(const Instruction& in) {
  return has_constant(in) && in.d == kOperandsSwapped ? registers_.constant(in.c) : values_.peek(in.rb());
}

Operand Lowering::right_operand(const Instruction& in) {
  if (!has_constant(in)) return values_.peek(in.rc());
  return in.d == kOperandsSwapped ? values_.peek(in.rb()) : registers_.constant(in.c);
}

/// Rounds towards minus infinity. A divisor of 0 is an error, and -1 may overflow: both are for the runtime.
bool Lowering::lower_integer_division(const Operand& left, const Operand& right, Register to, bool remainder) {
  const auto divisor = b_.known_word(right.payload);
  const bool is_positive = divisor && static_cast<int64_t>(*divisor) > 0;
  if (is_positive && std::has_single_bit(*divisor)) {
    values_.write_integer(to, remainder ? b_.bit_and(left.payload, b_.word(*divisor - 1))
                                        : b_.ashr(left.payload, b_.word(static_cast<uint64_t>(std::countr_zero(*divisor)))));
    return true;
  }
  if (!is_positive) guards_.guard(b_.ugt(b_.add(right.payload, b_.word(1)), b_.word(1)));  // above 0 or below -1
  // The remainder has the dividend's sign, and is to have the divisor's. Of constants, jit/passes/strength_reduction.h knows the form.
  IrValue rest = b_.srem(left.payload, right.payload);
  IrValue with_sign = rest;  // negative where it has the wrong one
  if (!is_positive) {
    IrValue sign = b_.ashr(right.payload, b_.word(63));
    with_sign = b_.sub(b_.bit_xor(rest, sign), sign);
  }
  IrValue is_wrong = b_.ashr(with_sign, b_.word(63));
  values_.write_integer(to, remainder ? b_.add(rest, b_.bit_and(is_wrong, right.payload)) : b_.add(b_.sdiv(left.payload, right.payload), is_wrong));
  return true;
}

/// x % y: without a call where neither has a sign and the quotient is less than 2^53 (why that is exact: vm/operations/arithmetic.cpp).
ir::Value Lowering::float_modulo(IrValue x, IrValue y) {
  events_.give_back();  // the call may be charged for
  const auto call_runtime = [&] {
    const auto touches = input_.counts_events ? ir::CallMemory::All : ir::CallMemory::None;
    return b_.call(IrType::F64, b_.address_constant(runtime_.float_modulo), {b_.vm(), x, y}, touches);
  };
  if (!__builtin_cpu_supports("fma")) return call_runtime();

  const auto real = [&](double value) { return b_.f64(value); };
  const auto has_no_sign = [&](IrValue value) {
    return b_.sge(b_.bits_of_float(value), b_.word(0));
  };
  const auto divisor = b_.function().float_constant_of(y);
  const bool is_plain_divisor = divisor && !std::signbit(*divisor) && std::isfinite(*divisor);
  IrValue quotient = b_.fdiv(x, y);
  IrValue is_near = b_.bit_and(b_.flt(quotient, real(0x1p53)), has_no_sign(x));
  if (!is_plain_divisor) {
    IrValue is_finite = b_.flt(y, real(std::numeric_limits<double>::infinity()));
    is_near = b_.bit_and(is_near, b_.bit_and(is_finite, has_no_sign(y)));
  }
  Block near = b_.make_block("near");
  Block distant = b_.make_block("distant");
  Block done = b_.make_block("modulo");
  IrValue remainder = b_.add_parameter(done, IrType::F64);
  b_.set_likely(b_.branch(is_near, near, distant), true);

  b_.set_position(near);
  IrValue whole = b_.trunc(quotient);
  IrValue rest = b_.fma(b_.fneg(whole), y, x);
  IrValue was_rounded_up = b_.flt(rest, real(0));
  IrValue result = b_.select(was_rounded_up, b_.fadd(rest, y), rest);
  b_.jump(done, {result});

  b_.set_position(distant);
  IrValue from_runtime = call_runtime();
  b_.jump(done, {from_runtime});

  b_.set_position(done);
  return remainder;
}

bool Lowering::lower_arithmetic(const Instruction& in) {
  Operand left = left_operand(in);
  Operand right = right_operand(in);
  const bool swapped = has_constant(in) && in.d == kOperandsSwapped;
  const TagMask left_types = swapped ? TagMask{0} : walk_.site().left;
  const TagMask right_types = swapped ? walk_.site().left : walk_.site().right;
  if (!values_.expect_number(&left, left_types)) return lower_operator(in, left, right);
  if (left.slot != kNoFrameSlot && left.slot == right.slot) {
    right = left;
  } else if (!values_.expect_number(&right, right_types)) {
    return lower_operator(in, left, right);
  }
  const ArithmeticOperator op = *operator_of(in.op);
  const bool integers = left.kind == Kind::Integer && right.kind == Kind::Integer;
  if (integers) {
    switch (op) {
      case ArithmeticOperator::Add:
        return values_.write_integer(in.ra(), b_.add(left.payload, right.payload)), true;
      case ArithmeticOperator::Sub:
        return values_.write_integer(in.ra(), b_.sub(left.payload, right.payload)), true;
      case ArithmeticOperator::Mul:
        return values_.write_integer(in.ra(), b_.mul(left.payload, right.payload)), true;
      case ArithmeticOperator::Mod:
        return lower_integer_division(left, right, in.ra(), true);
      case ArithmeticOperator::FloorDiv:
        return lower_integer_division(left, right, in.ra(), false);
      default:
        break;
    }
  }
  IrValue x = b_.as_double(left);
  IrValue y = b_.as_double(right);
  switch (op) {
    case ArithmeticOperator::Add:
      return values_.write_float(in.ra(), b_.fadd(x, y)), true;
    case ArithmeticOperator::Sub:
      return values_.write_float(in.ra(), b_.fsub(x, y)), true;
    case ArithmeticOperator::Mul:
      return values_.write_float(in.ra(), b_.fmul(x, y)), true;
    case ArithmeticOperator::Div:
      return values_.write_float(in.ra(), b_.fdiv(x, y)), true;
    case ArithmeticOperator::FloorDiv:
      return values_.write_float(in.ra(), b_.floor(b_.fdiv(x, y))), true;
    case ArithmeticOperator::Mod:
      return values_.write_float(in.ra(), float_modulo(x, y)), true;
    case ArithmeticOperator::Pow: {
      const auto exponent = b_.function().float_constant_of(y);
      if (exponent == 2.0) return values_.write_float(in.ra(), b_.fmul(x, x)), true;
      if (exponent == 0.5) break;  // pow(-0.0, 0.5) is not sqrt's answer
      return values_.write_float(in.ra(), b_.call(IrType::F64, b_.address_constant(runtime_.power), {x, y}, ir::CallMemory::None)), true;
    }
    default:
      break;
  }
  return calls_.do_instruction();
}

bool Lowering::lower_shift(const Operand& left, const Operand& right, Register to, bool to_left) {
  const auto shifted = [&](IrValue count, bool left_wards) {
    return left_wards ? b_.shl(left.payload, count) : b_.lshr(left.payload, count);
  };
  if (const auto count = b_.known_word(right.payload)) {
    auto bits = static_cast<int64_t>(*count);
    if (bits >= 64 || bits <= -64) return values_.write_integer(to, b_.word(0)), true;
    if (bits < 0) to_left = !to_left, bits = -bits;
    values_.write_integer(to, shifted(b_.word(static_cast<uint64_t>(bits)), to_left));
    return true;
  }
  guards_.guard(b_.ule(right.payload, b_.word(63)));
  values_.write_integer(to, shifted(right.payload, to_left));
  return true;
}

bool Lowering::lower_bitwise(const Instruction& in) {
  Operand left = left_operand(in);
  Operand right = right_operand(in);
  const bool swapped = has_constant(in) && in.d == kOperandsSwapped;
  constexpr TagMask kInteger = tag_bit(Tag::Integer);
  const TagMask left_types = swapped ? TagMask{0} : walk_.site().left;
  const TagMask right_types = swapped ? walk_.site().left : walk_.site().right;
  if ((left.kind == Kind::Any && left_types != kInteger) ||
      (right.kind == Kind::Any && right_types != kInteger) || !values_.expect(&left, Kind::Integer)) {
    return lower_operator(in, left, right);
  }
  if (left.slot != kNoFrameSlot && left.slot == right.slot) right = left;
  if (!values_.expect(&right, Kind::Integer)) return lower_operator(in, left, right);
  const ArithmeticOperator op = *operator_of(in.op);
  switch (op) {
    case ArithmeticOperator::BitAnd:
      return values_.write_integer(in.ra(), b_.bit_and(left.payload, right.payload)), true;
    case ArithmeticOperator::BitOr:
      return values_.write_integer(in.ra(), b_.bit_or(left.payload, right.payload)), true;
    case ArithmeticOperator::BitXor:
      return values_.write_integer(in.ra(), b_.bit_xor(left.payload, right.payload)), true;
    case ArithmeticOperator::ShiftLeft:
    case ArithmeticOperator::ShiftRight:
      return lower_shift(left, right, in.ra(), op == ArithmeticOperator::ShiftLeft);
    default:
      return calls_.do_instruction();
  }
}

bool Lowering::lower_unary(const Instruction& in) {
  Operand operand = values_.peek(in.rb());
  switch (*operator_of(in.op)) {
    case ArithmeticOperator::Negate:
      if (!values_.expect_number(&operand, walk_.site().left)) break;
      if (operand.kind == Kind::Integer) return values_.write_integer(in.ra(), b_.neg(operand.payload)), true;
      return values_.write_float(in.ra(), b_.fneg(operand.payload)), true;
    case ArithmeticOperator::BitNot:
      if (operand.kind == Kind::Any && walk_.site().left != tag_bit(Tag::Integer)) break;
      if (!values_.expect(&operand, Kind::Integer)) break;
      return values_.write_integer(in.ra(), b_.bit_not(operand.payload)), true;
    default:
      break;
  }
  return lower_operator(in, operand, operand);
}

bool Lowering::lower_not(const Instruction& in) {
  const Operand operand = values_.peek(in.rb());
  bool known = false;
  IrValue is_true = truth(operand, &known);
  if (!is_true) return values_.write_boolean(in.ra(), !known), true;
  Operand result{.kind = Kind::Any};
  result.payload = b_.zext(b_.bit_not(is_true), IrType::I64);
  result.tag = b_.select(is_true, b_.word(static_cast<uint64_t>(Tag::False)), b_.word(static_cast<uint64_t>(Tag::True)));
  return values_.write(in.ra(), result), true;
}

/// By a metamethod: one that is inlined, or whatever the runtime finds.
bool Lowering::lower_operator(const Instruction& in, const Operand& left, const Operand& right) {
  return inline_operator(in, left, right) ? false : calls_.do_instruction();
}

}  // namespace mangata::jit
