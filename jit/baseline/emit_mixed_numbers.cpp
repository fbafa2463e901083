// Integers beside floats (manual §3.4.3, §3.4.4): floats that stand for integers as keys and limits, and
// exact comparisons across the subtypes.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {
constexpr int kTowardsMinusInfinity = 1, kTowardsPlusInfinity = 2, kNoInexactException = 8;
}  // namespace

/// rax := the integer that is the float in xmm0. What is none, or does not fit, converts to one that does not
/// convert back. Clobbers xmm1.
void BaselineCompiler::emit_exact_integer(const Label& other) {
  a_.cvttsd2si(rax, xmm0);
  a_.xorps(xmm1, xmm1);
  a_.cvtsi2sd(xmm1, rax);
  a_.ucomisd(xmm1, xmm0);
  a_.jp(other);
  a_.jne(other);
}

/// rax := the operand, a constant integer or a register that holds an integer, or a float that is one.
void BaselineCompiler::load_as_integer(const Operand& operand, const Label& other) {
  if (operand.is_constant() && operand.kind == NumberKind::Float) return a_.jmp(other), void();
  if (operand.kind == NumberKind::Integer) return load_integer(rax, operand);
  const Label is_float = a_.newLabel(), loaded = a_.newLabel();
  branch_unless_number(operand, NumberKind::Integer, is_float);
  a_.mov(rax, payload_of(operand.reg));
  a_.jmp(loaded);
  a_.bind(is_float);
  branch_unless_number(operand, NumberKind::Float, other);
  a_.movsd(xmm0, payload_of(operand.reg));
  emit_exact_integer(other);
  a_.bind(loaded);
}

/// rax := R[reg], a key, as the index of an element (key - 1). The likely kind comes first.
void BaselineCompiler::emit_element_index(int reg, const Label& other) {
  const Operand key = register_operand(reg);
  const Label loaded = a_.newLabel();
  const auto load_float = [this, key](const Label& otherwise) {
    branch_unless_number(key, NumberKind::Float, otherwise);
    a_.movsd(xmm0, payload_of(key.reg));
    emit_exact_integer(otherwise);
  };
  const auto load = [this, key](const Label& otherwise) {
    branch_unless_number(key, NumberKind::Integer, otherwise);
    a_.mov(rax, payload_of(key.reg));
  };
  if (key.kind == NumberKind::Float) {
    load_float(other);
  } else if (key.kind == NumberKind::Integer) {
    load(other);
  } else if (key.likely_kind == NumberKind::Float) {
    const Label no_float = slow_path([this, load, other, loaded] {
      load(other);
      a_.jmp(loaded);
    });
    branch_unless_tag(reg, Tag::Float, no_float);
    a_.movsd(xmm0, payload_of(reg));
    emit_exact_integer(other);
  } else {
    load(slow_path([this, load_float, other, loaded] {
      load_float(other);
      a_.jmp(loaded);
    }));
  }
  a_.bind(loaded);
  a_.dec(rax);
}

/// rcx := the limit of a loop over integers, a float rounded towards the start. Beyond the integers, and for
/// NaN, `slow` knows what to do. The register is an integer afterwards, as behind the generic instruction.
void BaselineCompiler::emit_loop_limit(int reg, bool upwards, const Label& slow) {
  const Operand limit = register_operand(reg);
  const Label loaded = a_.newLabel();
  const auto from_float = [this, limit, upwards, slow] {
    branch_unless_number(limit, NumberKind::Float, slow);
    if (!asmjit::CpuInfo::host().features().x86().hasSSE4_1()) return a_.jmp(slow), void();
    a_.roundsd(xmm0, payload_of(limit.reg),
               (upwards ? kTowardsMinusInfinity : kTowardsPlusInfinity) | kNoInexactException);
    a_.cvttsd2si(rcx, xmm0);
    a_.cmp(rcx, 1);
    a_.jo(slow);
    store_tag(limit.reg, Tag::Integer);
  };
  if (limit.kind == NumberKind::Float) return from_float();
  branch_unless_number(limit, NumberKind::Integer, slow_path([this, from_float, loaded] {
                         from_float();
                         a_.jmp(loaded);
                       }));
  a_.mov(rcx, payload_of(reg));
  a_.bind(loaded);
}

/// The float that is equal to the number; `other` gets integers that no float is equal to, and what is no
/// number.
void BaselineCompiler::load_exact_double(Xmm reg, const Operand& operand, const Label& other) {
  const Label is_float = a_.newLabel(), loaded = a_.newLabel();
  const auto from_integer = [&] {
    convert_integer(reg, operand.reg);
    a_.cvttsd2si(rax, reg);
    a_.cmp(rax, payload_of(operand.reg));
    a_.jne(other);
  };
  if (operand.kind == NumberKind::Integer) return from_integer();
  if (operand.kind == NumberKind::Float) return a_.movsd(reg, payload_of(operand.reg)), void();
  a_.mov(eax, short_tag_of(operand.reg));
  a_.cmp(eax, static_cast<int>(tag_bits(Tag::Float)));
  a_.je(is_float);
  a_.cmp(eax, static_cast<int>(tag_bits(Tag::Integer)));
  a_.jne(other);
  from_integer();
  a_.jmp(loaded);
  a_.bind(is_float);
  a_.movsd(reg, payload_of(operand.reg));
  a_.bind(loaded);
}

/// An integer and a float, in either order, that are compared as what they are.
void BaselineCompiler::emit_mixed_order(Order order, const Operand& left, const Operand& right,
                                        const Branch& branch, const Label& other) {
  load_exact_double(xmm0, left, other);
  load_exact_double(xmm1, right, other);
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
  if ((bound.holds == IntegerBound::Holds::Always) == branch.expected) a_.jmp(branch.target);
}

/// An integer at `integer` and a float at `real`: equal when the float is that integer.
void BaselineCompiler::emit_mixed_equality(int integer, int real, const Branch& branch) {
  a_.movsd(xmm0, payload_of(real));
  emit_exact_integer(branch.unequal());
  a_.cmp(rax, payload_of(integer));
  a_.je(branch.equal());
  a_.jmp(branch.unequal());
}

}  // namespace mangata::jit
