// Arithmetic (manual §3.4.1) but for integer division.
#include <bit>
#include <cmath>

#include "jit/abi/runtime_arithmetic.h"
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

void BaselineCompiler::emit_integer_arithmetic(const Operand& to, Arithmetic op, Operand left,
                                               Operand right) {
  if (op != Arithmetic::Sub && left.is_constant()) std::swap(left, right);
  const bool in_place = left.reg == to.reg && to.kind == NumberKind::Integer;
  if (in_place && right.fits_immediate() && op != Arithmetic::Mul) {
    const auto immediate = static_cast<int32_t>(right.payload);
    op == Arithmetic::Add ? masm_.add(payload_of(to.reg), immediate) : masm_.subtract(payload_of(to.reg), immediate);
    return;
  }
  if (op == Arithmetic::Mul && right.fits_immediate()) {
    masm_.multiply(t0, payload_of(left.reg), static_cast<int32_t>(right.payload));
    return store_integer(to, t0);
  }
  load_integer(t0, left);
  if (right.fits_immediate()) {
    const auto immediate = static_cast<int32_t>(right.payload);
    op == Arithmetic::Add ? masm_.add(t0, immediate) : masm_.subtract(t0, immediate);
    return store_integer(to, t0);
  }
  if (right.is_constant()) load_integer(a3, right);
  const auto operate = [&](const auto& operand) {
    switch (op) {
      case Arithmetic::Add:
        masm_.add(t0, operand);
        break;
      case Arithmetic::Sub:
        masm_.subtract(t0, operand);
        break;
      case Arithmetic::Mul:
        masm_.multiply(t0, operand);
        break;
    }
  };
  right.is_constant() ? operate(a3) : operate(payload_of(right.reg));
  store_integer(to, t0);
}

void BaselineCompiler::emit_arithmetic(const Instruction& in, Arithmetic op) {
  const Operand left = left_operand(in), right = right_operand(in);
  emit_number_cases(in, left, right,
                    {.integers = [this, op, left,
                                  right](const Operand& to) { emit_integer_arithmetic(to, op, left, right); },
                     .floats =
                         [this, op] {
                           switch (op) {
                             case Arithmetic::Add:
                               masm_.add_floats(f0, f1);
                               break;
                             case Arithmetic::Sub:
                               masm_.subtract_floats(f0, f1);
                               break;
                             case Arithmetic::Mul:
                               masm_.multiply_floats(f0, f1);
                               break;
                           }
                         }});
}

void BaselineCompiler::emit_Add(const Instruction& in) { emit_arithmetic(in, Arithmetic::Add); }
void BaselineCompiler::emit_Sub(const Instruction& in) { emit_arithmetic(in, Arithmetic::Sub); }
void BaselineCompiler::emit_Mul(const Instruction& in) { emit_arithmetic(in, Arithmetic::Mul); }
void BaselineCompiler::emit_AddConstant(const Instruction& in) { emit_arithmetic(in, Arithmetic::Add); }
void BaselineCompiler::emit_SubConstant(const Instruction& in) { emit_arithmetic(in, Arithmetic::Sub); }
void BaselineCompiler::emit_MulConstant(const Instruction& in) { emit_arithmetic(in, Arithmetic::Mul); }

namespace {

/// Whether x / divisor is x * (1 / divisor) for every x: for powers of two, whose inverse is exact.
bool has_exact_inverse(double divisor) {
  int exponent;
  return std::abs(std::frexp(divisor, &exponent)) == 0.5 && std::isnormal(divisor) &&
         std::isnormal(1 / divisor);
}

}  // namespace

void BaselineCompiler::emit_float_division(const Instruction& in) {
  const Operand left = left_operand(in);
  Operand right = right_operand(in);
  const bool multiply = right.is_constant() && has_exact_inverse(right.as_double());
  if (multiply) right = {.payload = Value::number(1 / right.as_double()).payload, .kind = NumberKind::Float};
  emit_number_cases(in, left, right, {.integers = {}, .floats = [this, multiply] {
                                        multiply ? masm_.multiply_floats(f0, f1) : masm_.divide_floats(f0, f1);
                                      }});
}

void BaselineCompiler::emit_Div(const Instruction& in) { emit_float_division(in); }
void BaselineCompiler::emit_DivConstant(const Instruction& in) { emit_float_division(in); }

/// Squares inline; all else by the C library, of which no other exponent is exactly an instruction: pow(x, 0.5) differs from
/// the root, which is rounded correctly, by an ulp in one of a thousand cases.
void BaselineCompiler::emit_power(const Instruction& in) {
  const Operand left = left_operand(in), right = right_operand(in);
  const bool square = right.is_constant() && right.as_double() == 2;
  emit_number_cases(in, left, right, {.integers = {}, .floats = [this, square] {
                                        if (square) {
                                          masm_.multiply_floats(f0, f0);
                                        } else {
                                          masm_.call(power);
                                        }
                                      }});
}

void BaselineCompiler::emit_Pow(const Instruction& in) { emit_power(in); }
void BaselineCompiler::emit_PowConstant(const Instruction& in) { emit_power(in); }

void BaselineCompiler::emit_Negate(const Instruction& in) {
  const Operand from = register_operand(in.rb());
  const Operand to = register_operand(in.ra());
  const Label done = masm_.new_label();
  const auto floats = [this, from, to](const Label& slow) {
    branch_unless_number(from, NumberKind::Float, slow);
    masm_.load(t0, payload_of(from.reg));
    masm_.flip_bit(t0, 63);
    masm_.store(payload_of(to.reg), t0);
    if (to.kind != NumberKind::Float) store_tag(to.reg, Tag::Float);
  };
  const auto integers = [this, from, to](const Label& slow) {
    branch_unless_number(from, NumberKind::Integer, slow);
    masm_.load(t0, payload_of(from.reg));
    masm_.negate(t0);
    store_integer(to, t0);
  };
  const Label slow = metamethod_slow_path(arithmetic_or_metamethod);
  if (from.likely_kind == NumberKind::Float) {
    floats(slow_path([this, integers, slow, done] {
      integers(slow);
      masm_.jump(done);
    }));
  } else {
    integers(slow_path([this, floats, slow, done] {
      floats(slow);
      masm_.jump(done);
    }));
  }
  masm_.bind(done);
}

}  // namespace mangata::jit
