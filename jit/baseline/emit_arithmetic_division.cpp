// Floor division and modulo (manual §3.4.1). Both round towards minus infinity.
#include <bit>
#include <cmath>

#include "jit/abi/runtime_arithmetic.h"
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/compiler.h"
#include "jit/ir/division_by_constant.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

using namespace registers;

/// t0 := left // divisor or left % divisor, without a division instruction. divisor > 0.
void BaselineCompiler::emit_division_by_constant(const Operand& to, const Operand& left, int64_t divisor,
                                                 bool remainder) {
  const auto unsigned_divisor = static_cast<uint64_t>(divisor);
  load_integer(t0, left);
  if (std::has_single_bit(unsigned_divisor)) {
    const int shift = std::countr_zero(unsigned_divisor);
    if (!remainder) {
      if (shift != 0) masm_.shift_right_signed(t0, shift);
    } else if (shift < 32) {
      masm_.and_(low(t0), static_cast<int32_t>(unsigned_divisor - 1));
    } else {
      load_immediate(a3, unsigned_divisor - 1);
      masm_.and_(t0, a3);
    }
    return store_integer(to, t0);
  }
  const DivisionByConstant division = division_by_constant(unsigned_divisor);
  masm_.move(a3, t0);
  masm_.shift_right_signed(a3, 63);
  masm_.move(a4, t0);
  masm_.xor_(t0, a3);
  load_immediate(a2, division.multiplier);
  masm_.multiply_upper();
  masm_.shift_right(a2, division.shift);
  masm_.xor_(a2, a3);
  if (!remainder) return store_integer(to, a2);
  if (divisor <= INT32_MAX) {
    masm_.multiply(a2, a2, static_cast<int32_t>(divisor));
  } else {
    load_immediate(t0, unsigned_divisor);
    masm_.multiply(a2, t0);
  }
  masm_.subtract(a4, a2);
  store_integer(to, a4);
}

/// By a positive divisor; for others `slow` knows errors and overflow.
void BaselineCompiler::emit_integer_division(const Operand& to, const Operand& left, const Operand& right,
                                             bool remainder, const Label& slow) {
  if (right.is_constant()) {
    const auto divisor = static_cast<int64_t>(right.payload);
    if (divisor > 0) return emit_division_by_constant(to, left, divisor, remainder);
    masm_.jump(slow);
    return;
  }
  masm_.load(a3, payload_of(right.reg));
  masm_.compare_with_zero(a3);
  masm_.branch(Condition::LessEqual, slow);
  load_integer(t0, left);
  masm_.divide_signed(a3);
  if (remainder) {
    masm_.move(t0, a2);
    masm_.shift_right_signed(a2, 63);
    masm_.and_(a2, a3);
  } else {
    masm_.shift_right_signed(a2, 63);  // the quotient was rounded up where the remainder is negative
  }
  masm_.add(t0, a2);
  store_integer(to, t0);
}

/// f0 := f0 % f1, as charged_float_modulo() does it, for operands without a sign and a quotient that is less
/// than 2^53.
void BaselineCompiler::emit_float_modulo(const Operand& right) {
  if (!Masm::has_fused_multiplication()) {
    masm_.move(a0, kVm);
    masm_.call(charged_float_modulo);
    return;
  }
  const Label done = masm_.new_label();
  const Label by_call = slow_path([this, done] {
    masm_.move(a0, kVm);
    masm_.call(charged_float_modulo);
    masm_.jump(done);
  });
  const Label is_negative = slow_path([this, by_call, done] {
    masm_.branch(Condition::Unordered, by_call);  // an infinite divisor
    masm_.add_floats(f2, f1);
    masm_.move_float(f0, f2);
    masm_.jump(done);
  });
  masm_.move_bits(t0, f0);
  if (!right.is_constant() || std::signbit(right.as_double())) {
    masm_.move_bits(a3, f1);
    masm_.or_(t0, a3);
  }
  masm_.branch_if_negative(t0, by_call);
  masm_.move_float(f2, f0);
  masm_.divide_floats(f2, f1);
  masm_.truncate_float(t0, f2);
  masm_.shift_right_and_branch_if_not_zero(t0, 53, by_call);
  masm_.round_float(f2, f2, Masm::Rounding::TowardsZero);
  masm_.subtract_product(f2, f1, f0);
  masm_.clear_float(f3);
  masm_.compare_floats(f2, f3);
  masm_.branch(Condition::Below, is_negative);
  masm_.move_float(f0, f2);
  masm_.bind(done);
}

void BaselineCompiler::emit_division(const Instruction& in, bool remainder) {
  const Operand left = left_operand(in), right = right_operand(in);
  const Label slow = metamethod_slow_path(arithmetic_or_metamethod);
  const bool has_rounding = Masm::has_rounding();
  emit_number_cases(
      in, left, right,
      {.integers = [this, left, right, remainder,
                    slow](const Operand& to) { emit_integer_division(to, left, right, remainder, slow); },
       .floats =
           [this, right, remainder, has_rounding] {
             if (remainder) {
               emit_float_modulo(right);
             } else if (has_rounding) {
               masm_.divide_floats(f0, f1);
               masm_.round_float(f0, f0, Masm::Rounding::Down);
             } else {
               masm_.call(floor_divide);
             }
           }});
}

void BaselineCompiler::emit_FloorDiv(const Instruction& in) { emit_division(in, false); }
void BaselineCompiler::emit_FloorDivConstant(const Instruction& in) { emit_division(in, false); }
void BaselineCompiler::emit_Mod(const Instruction& in) { emit_division(in, true); }
void BaselineCompiler::emit_ModConstant(const Instruction& in) { emit_division(in, true); }

}  // namespace mangata::jit
