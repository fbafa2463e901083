// Integers beside floats (manual §3.4.3, §3.4.4): floats that stand for integers as keys and limits, and
// exact comparisons across the subtypes.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

/// t0 := the integer that is the float in f0. What is none, or does not fit, converts to one that does not
/// convert back. Clobbers f1.
void BaselineCompiler::emit_exact_integer(const Label& other) {
  masm_.truncate_float(t0, f0);
  masm_.convert_to_float(f1, t0);
  masm_.compare_floats(f1, f0);
  masm_.branch(Condition::Unordered, other);
  masm_.branch(Condition::NotEqual, other);
}

/// t0 := the operand, a constant integer or a register that holds an integer, or a float that is one.
void BaselineCompiler::load_as_integer(const Operand& operand, const Label& other) {
  if (operand.is_constant() && operand.kind == NumberKind::Float) return masm_.jump(other);
  if (operand.kind == NumberKind::Integer) return load_integer(t0, operand);
  const Label is_float = masm_.new_label(), loaded = masm_.new_label();
  branch_unless_number(operand, NumberKind::Integer, is_float);
  masm_.load(t0, payload_of(operand.reg));
  masm_.jump(loaded);
  masm_.bind(is_float);
  branch_unless_number(operand, NumberKind::Float, other);
  masm_.load_float(f0, payload_of(operand.reg));
  emit_exact_integer(other);
  masm_.bind(loaded);
}

/// t0 := R[reg], a key, as the index of an element (key - 1). The likely kind comes first.
void BaselineCompiler::emit_element_index(Register reg, const Label& other) {
  const Operand key = register_operand(reg);
  const Label loaded = masm_.new_label();
  const auto load_float = [this, key](const Label& otherwise) {
    branch_unless_number(key, NumberKind::Float, otherwise);
    masm_.load_float(f0, payload_of(key.reg));
    emit_exact_integer(otherwise);
  };
  const auto load = [this, key](const Label& otherwise) {
    branch_unless_number(key, NumberKind::Integer, otherwise);
    masm_.load(t0, payload_of(key.reg));
  };
  if (key.kind == NumberKind::Float) {
    load_float(other);
  } else if (key.kind == NumberKind::Integer) {
    load(other);
  } else if (key.likely_kind == NumberKind::Float) {
    const Label no_float = slow_path([this, load, other, loaded] {
      load(other);
      masm_.jump(loaded);
    });
    branch_unless_tag(reg, Tag::Float, no_float);
    masm_.load_float(f0, payload_of(reg));
    emit_exact_integer(other);
  } else {
    load(slow_path([this, load_float, other, loaded] {
      load_float(other);
      masm_.jump(loaded);
    }));
  }
  masm_.bind(loaded);
  masm_.decrement(t0);
}

/// a3 := the limit of a loop over integers, a float rounded towards the start. Beyond the integers, and for
/// NaN, `slow` knows what to do. The register is an integer afterwards, as behind the generic instruction.
void BaselineCompiler::emit_loop_limit(Register reg, bool upwards, const Label& slow) {
  const Operand limit = register_operand(reg);
  const Label loaded = masm_.new_label();
  const auto from_float = [this, limit, upwards, slow] {
    branch_unless_number(limit, NumberKind::Float, slow);
    if (!Masm::has_rounding()) return masm_.jump(slow);
    masm_.round_float(f0, payload_of(limit.reg), upwards ? Masm::Rounding::Down : Masm::Rounding::Up);
    masm_.truncate_float(a3, f0);
    masm_.branch_unless_fitting(a3, slow);
    store_tag(limit.reg, Tag::Integer);
  };
  if (limit.kind == NumberKind::Float) return from_float();
  branch_unless_number(limit, NumberKind::Integer, slow_path([this, from_float, loaded] {
                         from_float();
                         masm_.jump(loaded);
                       }));
  masm_.load(a3, payload_of(reg));
  masm_.bind(loaded);
}

/// The float that is equal to the number; `other` gets integers that no float is equal to, and what is no
/// number.
void BaselineCompiler::load_exact_double(Xmm reg, const Operand& operand, const Label& other) {
  const Label is_float = masm_.new_label(), loaded = masm_.new_label();
  const auto from_integer = [&] {
    convert_integer(reg, operand.reg);
    masm_.truncate_float(t0, reg);
    masm_.compare(t0, payload_of(operand.reg));
    masm_.branch(Condition::NotEqual, other);
  };
  if (operand.kind == NumberKind::Integer) return from_integer();
  if (operand.kind == NumberKind::Float) return masm_.load_float(reg, payload_of(operand.reg));
  masm_.load(low(t0), short_tag_of(operand.reg));
  masm_.compare(low(t0), static_cast<int>(tag_bits(Tag::Float)));
  masm_.branch(Condition::Equal, is_float);
  masm_.compare(low(t0), static_cast<int>(tag_bits(Tag::Integer)));
  masm_.branch(Condition::NotEqual, other);
  from_integer();
  masm_.jump(loaded);
  masm_.bind(is_float);
  masm_.load_float(reg, payload_of(operand.reg));
  masm_.bind(loaded);
}

/// An integer and a float, in either order, that are compared as what they are.
void BaselineCompiler::emit_mixed_order(Order order, const Operand& left, const Operand& right,
                                        const Branch& branch, const Label& other) {
  load_exact_double(f0, left, other);
  load_exact_double(f1, right, other);
  emit_jump_on_float_order(order, branch);
}

/// Jumps to the target of the branch, or falls through.
void BaselineCompiler::emit_integer_order_with_float(Order order, const Operand& left, double constant,
                                                     const Branch& branch) {
  const IntegerBound bound = integer_bound(order, constant);
  if (bound.holds == IntegerBound::Holds::AsIntegers) {
    const Operand right{.payload = static_cast<uint64_t>(bound.value), .kind = NumberKind::Integer};
    return emit_integer_order(order, left, right, branch);
  }
  if ((bound.holds == IntegerBound::Holds::Always) == branch.expected) masm_.jump(branch.target);
}

/// An integer at `integer` and a float at `real`: equal when the float is that integer.
void BaselineCompiler::emit_mixed_equality(Register integer, Register real, const Branch& branch) {
  masm_.load_float(f0, payload_of(real));
  emit_exact_integer(branch.unequal());
  masm_.compare(t0, payload_of(integer));
  masm_.branch(Condition::Equal, branch.equal());
  masm_.jump(branch.unequal());
}

}  // namespace mangata::jit
