#include "jit/build/lower_arithmetic.h"

#include <bit>
#include <cmath>
#include <limits>

#include "jit/build/lower_branches.h"
#include "jit/build/lower_frames.h"
#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {
namespace {

bool has_constant(const Instruction& in) { return has_constant_operand(in.op); }

Operand left_operand(const LoweringTools& t, const Instruction& in) {
  return has_constant(in) && in.d == kOperandsSwapped ? t.registers.constant(in.c) : t.values.peek(in.rb());
}

Operand right_operand(const LoweringTools& t, const Instruction& in) {
  if (!has_constant(in)) return t.values.peek(in.rc());
  return in.d == kOperandsSwapped ? t.values.peek(in.rb()) : t.registers.constant(in.c);
}

/// Rounds towards minus infinity. A divisor of 0 is an error, and -1 may overflow: both are for the runtime.
bool lower_integer_division(const LoweringTools& t, const Operand& left, const Operand& right, Register to, bool remainder) {
  Writer& b = t.b;
  const auto divisor = b.known_word(right.payload);
  const bool is_positive = divisor && static_cast<int64_t>(*divisor) > 0;
  if (is_positive && std::has_single_bit(*divisor)) {
    t.values.write_integer(to, remainder ? b.bit_and(left.payload, b.word(*divisor - 1))
                                         : b.ashr(left.payload, b.word(static_cast<uint64_t>(std::countr_zero(*divisor)))));
    return true;
  }
  if (!is_positive) t.guards.guard(b.ugt(b.add(right.payload, b.word(1)), b.word(1)));  // above 0 or below -1
  // The remainder has the dividend's sign, and is to have the divisor's. Of constants, jit/passes/strength_reduction.h knows the form.
  IrValue rest = b.srem(left.payload, right.payload);
  IrValue with_sign = rest;  // negative where it has the wrong one
  if (!is_positive) {
    IrValue sign = b.ashr(right.payload, b.word(63));
    with_sign = b.sub(b.bit_xor(rest, sign), sign);
  }
  IrValue is_wrong = b.ashr(with_sign, b.word(63));
  t.values.write_integer(to, remainder ? b.add(rest, b.bit_and(is_wrong, right.payload)) : b.add(b.sdiv(left.payload, right.payload), is_wrong));
  return true;
}

/// x % y: without a call where neither has a sign and the quotient is less than 2^53 (why that is exact: vm/operations/arithmetic.cpp).
IrValue float_modulo(const LoweringTools& t, IrValue x, IrValue y) {
  Writer& b = t.b;
  t.events.give_back();  // the call may be charged for
  const auto call_runtime = [&] {
    const auto touches = t.input.counts_events ? ir::CallMemory::All : ir::CallMemory::None;
    return b.call(IrType::F64, b.address_constant(t.runtime.float_modulo), {b.vm(), x, y}, touches);
  };
  if (!__builtin_cpu_supports("fma")) return call_runtime();

  const auto real = [&](double value) { return b.f64(value); };
  const auto has_no_sign = [&](IrValue value) {
    return b.sge(b.bits_of_float(value), b.word(0));
  };
  const auto divisor = b.function().float_constant_of(y);
  const bool is_plain_divisor = divisor && !std::signbit(*divisor) && std::isfinite(*divisor);
  IrValue quotient = b.fdiv(x, y);
  IrValue is_near = b.bit_and(b.flt(quotient, real(0x1p53)), has_no_sign(x));
  if (!is_plain_divisor) {
    IrValue is_finite = b.flt(y, real(std::numeric_limits<double>::infinity()));
    is_near = b.bit_and(is_near, b.bit_and(is_finite, has_no_sign(y)));
  }
  Block near = b.make_block("near");
  Block distant = b.make_block("distant");
  Block done = b.make_block("modulo");
  IrValue remainder = b.add_parameter(done, IrType::F64);
  b.set_likely(b.branch(is_near, near, distant), true);

  b.set_position(near);
  IrValue whole = b.trunc(quotient);
  IrValue rest = b.fma(b.fneg(whole), y, x);
  IrValue was_rounded_up = b.flt(rest, real(0));
  IrValue result = b.select(was_rounded_up, b.fadd(rest, y), rest);
  b.jump(done, {result});

  b.set_position(distant);
  IrValue from_runtime = call_runtime();
  b.jump(done, {from_runtime});

  b.set_position(done);
  return remainder;
}

bool lower_shift(const LoweringTools& t, const Operand& left, const Operand& right, Register to, bool to_left) {
  Writer& b = t.b;
  const auto shifted = [&](IrValue count, bool left_wards) {
    return left_wards ? b.shl(left.payload, count) : b.lshr(left.payload, count);
  };
  if (const auto count = b.known_word(right.payload)) {
    auto bits = static_cast<int64_t>(*count);
    if (bits >= 64 || bits <= -64) return t.values.write_integer(to, b.word(0)), true;
    if (bits < 0) to_left = !to_left, bits = -bits;
    t.values.write_integer(to, shifted(b.word(static_cast<uint64_t>(bits)), to_left));
    return true;
  }
  t.guards.guard(b.ule(right.payload, b.word(63)));
  t.values.write_integer(to, shifted(right.payload, to_left));
  return true;
}

/// By a metamethod: one that is inlined, or whatever the runtime finds.
bool lower_operator(const LoweringTools& t, const Instruction& in, const Operand& left, const Operand& right) {
  return inline_operator(t, in, left, right) ? false : t.calls.do_instruction();
}

}  // namespace

bool lower_arithmetic(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  Operand left = left_operand(t, in);
  Operand right = right_operand(t, in);
  const bool swapped = has_constant(in) && in.d == kOperandsSwapped;
  const TagMask left_types = swapped ? TagMask{0} : t.walk.site().left;
  const TagMask right_types = swapped ? t.walk.site().left : t.walk.site().right;
  if (!t.values.expect_number(&left, left_types)) return lower_operator(t, in, left, right);
  if (left.slot != kNoFrameSlot && left.slot == right.slot) {
    right = left;
  } else if (!t.values.expect_number(&right, right_types)) {
    return lower_operator(t, in, left, right);
  }
  const ArithmeticOperator op = *operator_of(in.op);
  const bool integers = left.kind == Kind::Integer && right.kind == Kind::Integer;
  if (integers) {
    switch (op) {
      case ArithmeticOperator::Add:
        return t.values.write_integer(in.ra(), b.add(left.payload, right.payload)), true;
      case ArithmeticOperator::Sub:
        return t.values.write_integer(in.ra(), b.sub(left.payload, right.payload)), true;
      case ArithmeticOperator::Mul:
        return t.values.write_integer(in.ra(), b.mul(left.payload, right.payload)), true;
      case ArithmeticOperator::Mod:
        return lower_integer_division(t, left, right, in.ra(), true);
      case ArithmeticOperator::FloorDiv:
        return lower_integer_division(t, left, right, in.ra(), false);
      default:
        break;
    }
  }
  IrValue x = b.as_double(left);
  IrValue y = b.as_double(right);
  switch (op) {
    case ArithmeticOperator::Add:
      return t.values.write_float(in.ra(), b.fadd(x, y)), true;
    case ArithmeticOperator::Sub:
      return t.values.write_float(in.ra(), b.fsub(x, y)), true;
    case ArithmeticOperator::Mul:
      return t.values.write_float(in.ra(), b.fmul(x, y)), true;
    case ArithmeticOperator::Div:
      return t.values.write_float(in.ra(), b.fdiv(x, y)), true;
    case ArithmeticOperator::FloorDiv:
      return t.values.write_float(in.ra(), b.floor(b.fdiv(x, y))), true;
    case ArithmeticOperator::Mod:
      return t.values.write_float(in.ra(), float_modulo(t, x, y)), true;
    case ArithmeticOperator::Pow: {
      const auto exponent = b.function().float_constant_of(y);
      if (exponent == 2.0) return t.values.write_float(in.ra(), b.fmul(x, x)), true;
      if (exponent == 0.5) break;  // pow(-0.0, 0.5) is not sqrt's answer
      return t.values.write_float(in.ra(), b.call(IrType::F64, b.address_constant(t.runtime.power), {x, y}, ir::CallMemory::None)), true;
    }
    default:
      break;
  }
  return t.calls.do_instruction();
}

bool lower_bitwise(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  Operand left = left_operand(t, in);
  Operand right = right_operand(t, in);
  const bool swapped = has_constant(in) && in.d == kOperandsSwapped;
  constexpr TagMask kInteger = tag_bit(Tag::Integer);
  const TagMask left_types = swapped ? TagMask{0} : t.walk.site().left;
  const TagMask right_types = swapped ? t.walk.site().left : t.walk.site().right;
  if ((left.kind == Kind::Any && left_types != kInteger) ||
      (right.kind == Kind::Any && right_types != kInteger) || !t.values.expect(&left, Kind::Integer)) {
    return lower_operator(t, in, left, right);
  }
  if (left.slot != kNoFrameSlot && left.slot == right.slot) right = left;
  if (!t.values.expect(&right, Kind::Integer)) return lower_operator(t, in, left, right);
  const ArithmeticOperator op = *operator_of(in.op);
  switch (op) {
    case ArithmeticOperator::BitAnd:
      return t.values.write_integer(in.ra(), b.bit_and(left.payload, right.payload)), true;
    case ArithmeticOperator::BitOr:
      return t.values.write_integer(in.ra(), b.bit_or(left.payload, right.payload)), true;
    case ArithmeticOperator::BitXor:
      return t.values.write_integer(in.ra(), b.bit_xor(left.payload, right.payload)), true;
    case ArithmeticOperator::ShiftLeft:
    case ArithmeticOperator::ShiftRight:
      return lower_shift(t, left, right, in.ra(), op == ArithmeticOperator::ShiftLeft);
    default:
      return t.calls.do_instruction();
  }
}

bool lower_unary(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  Operand operand = t.values.peek(in.rb());
  switch (*operator_of(in.op)) {
    case ArithmeticOperator::Negate:
      if (!t.values.expect_number(&operand, t.walk.site().left)) break;
      if (operand.kind == Kind::Integer) return t.values.write_integer(in.ra(), b.neg(operand.payload)), true;
      return t.values.write_float(in.ra(), b.fneg(operand.payload)), true;
    case ArithmeticOperator::BitNot:
      if (operand.kind == Kind::Any && t.walk.site().left != tag_bit(Tag::Integer)) break;
      if (!t.values.expect(&operand, Kind::Integer)) break;
      return t.values.write_integer(in.ra(), b.bit_not(operand.payload)), true;
    default:
      break;
  }
  return lower_operator(t, in, operand, operand);
}

bool lower_not(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const Operand operand = t.values.peek(in.rb());
  bool known = false;
  IrValue is_true = truth(t, operand, &known);
  if (!is_true) return t.values.write_boolean(in.ra(), !known), true;
  Operand result{.kind = Kind::Any};
  result.payload = b.zext(b.bit_not(is_true), IrType::I64);
  result.tag = b.select(is_true, b.word(static_cast<uint64_t>(Tag::False)), b.word(static_cast<uint64_t>(Tag::True)));
  return t.values.write(in.ra(), result), true;
}

}  // namespace mangata::jit
