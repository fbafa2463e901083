// Jumps and comparisons (manual §3.4.4), and numeric loops (§3.3.5).
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// On the way to `target`: somebody may have asked for attention.
void BaselineCompiler::emit_poll(const Instruction* target) {
  const Label resume = labels_[static_cast<size_t>(target - proto_->code)];
  const Label slow = slow_path([this, target, resume] {
    emit_runtime_call_at(reinterpret_cast<uint64_t>(runtime_poll), target);
    emit_check_outcome();
    a_.jmp(resume);
  });
  a_.cmp(byte_ptr(kVm, offsetof(Vm, interrupt)), 0);
  a_.jne(slow);
}

void BaselineCompiler::emit_Jump(const Instruction& in) {
  if (in.a != 0) emit_poll(proto_->code + pc_ + 1 + in.imm);
  if (in.imm != 0) emit_jump(in);
}

void BaselineCompiler::emit_JumpIfTrue(const Instruction& in) {
  a_.cmp(short_tag_of(in.a), static_cast<int>(tag_bits(Tag::False)));
  a_.ja(jump_target(in));
}
void BaselineCompiler::emit_JumpIfFalse(const Instruction& in) {
  a_.cmp(short_tag_of(in.a), static_cast<int>(tag_bits(Tag::False)));
  a_.jbe(jump_target(in));
}
void BaselineCompiler::emit_CopyJumpIfTrue(const Instruction& in) {
  a_.cmp(short_tag_of(in.b), static_cast<int>(tag_bits(Tag::False)));
  a_.jbe(next_label());
  copy_register(in.a, in.b);
  emit_jump(in);
}
void BaselineCompiler::emit_CopyJumpIfFalse(const Instruction& in) {
  a_.cmp(short_tag_of(in.b), static_cast<int>(tag_bits(Tag::False)));
  a_.ja(next_label());
  copy_register(in.a, in.b);
  emit_jump(in);
}

void BaselineCompiler::emit_equality(const Instruction& in, bool) { emit_generic_branch(in); }
void BaselineCompiler::emit_constant_equality(const Instruction& in, bool) { emit_generic_branch(in); }

void BaselineCompiler::emit_JumpIfEqual(const Instruction& in) { emit_equality(in, true); }
void BaselineCompiler::emit_JumpIfNotEqual(const Instruction& in) { emit_equality(in, false); }
void BaselineCompiler::emit_JumpIfEqualConstant(const Instruction& in) { emit_constant_equality(in, true); }
void BaselineCompiler::emit_JumpIfNotEqualConstant(const Instruction& in) { emit_constant_equality(in, false); }

/// Integers inline, then floats.
void BaselineCompiler::emit_order(const Instruction& in, Order order, bool constant, bool expected) {
  const Label slow = generic_branch_slow_path(in);
  const Value k = constant ? proto_->constants[in.b] : Value::nil();
  const Label target = jump_target(in);
  const Label not_integers = a_.newLabel();
  const bool integers = !constant || k.is_integer();
  if (integers) {
    branch_unless_tag(in.a, Tag::Integer, not_integers);
    if (!constant) branch_unless_tag(in.b, Tag::Integer, slow);
    const auto narrow = static_cast<int32_t>(k.payload);
    if (constant && narrow == k.as_integer()) {
      a_.cmp(payload_of(in.a), narrow);
    } else {
      a_.mov(rax, payload_of(in.a));
      if (constant) {
        a_.mov(rcx, k.payload);
        a_.cmp(rax, rcx);
      } else {
        a_.cmp(rax, payload_of(in.b));
      }
    }
    switch (order) {
      case Order::Less: expected ? a_.jl(target) : a_.jge(target); break;
      case Order::LessEqual: expected ? a_.jle(target) : a_.jg(target); break;
      case Order::Greater: expected ? a_.jg(target) : a_.jle(target); break;
      case Order::GreaterEqual: expected ? a_.jge(target) : a_.jl(target); break;
    }
    a_.jmp(next_label());
  }
  a_.bind(not_integers);
  branch_unless_tag(in.a, Tag::Float, slow);
  a_.movsd(xmm0, payload_of(in.a));
  if (constant) {
    const auto exact = static_cast<int64_t>(k.as_number());
    if (k.is_integer() && exact != k.as_integer()) {
      a_.jmp(slow);  // no float is equal to the constant
      return;
    }
    a_.mov(rax, Value::number(k.as_number()).payload);
    a_.movq(xmm1, rax);
  } else {
    branch_unless_tag(in.b, Tag::Float, slow);
    a_.movsd(xmm1, payload_of(in.b));
  }
  // "above" is false for unordered operands, so compare such that it means "holds".
  const bool swap = order == Order::Less || order == Order::LessEqual;
  swap ? a_.ucomisd(xmm1, xmm0) : a_.ucomisd(xmm0, xmm1);
  const bool strict = order == Order::Less || order == Order::Greater;
  if (expected) {
    strict ? a_.ja(target) : a_.jae(target);
  } else {
    strict ? a_.jbe(target) : a_.jb(target);
  }
}

void BaselineCompiler::emit_JumpIfLess(const Instruction& in) { emit_order(in, Order::Less, false, true); }
void BaselineCompiler::emit_JumpIfNotLess(const Instruction& in) { emit_order(in, Order::Less, false, false); }
void BaselineCompiler::emit_JumpIfLessEqual(const Instruction& in) { emit_order(in, Order::LessEqual, false, true); }
void BaselineCompiler::emit_JumpIfNotLessEqual(const Instruction& in) { emit_order(in, Order::LessEqual, false, false); }
void BaselineCompiler::emit_JumpIfLessConstant(const Instruction& in) { emit_order(in, Order::Less, true, true); }
void BaselineCompiler::emit_JumpIfNotLessConstant(const Instruction& in) { emit_order(in, Order::Less, true, false); }
void BaselineCompiler::emit_JumpIfLessEqualConstant(const Instruction& in) {
  emit_order(in, Order::LessEqual, true, true);
}
void BaselineCompiler::emit_JumpIfNotLessEqualConstant(const Instruction& in) {
  emit_order(in, Order::LessEqual, true, false);
}
void BaselineCompiler::emit_JumpIfGreaterConstant(const Instruction& in) { emit_order(in, Order::Greater, true, true); }
void BaselineCompiler::emit_JumpIfNotGreaterConstant(const Instruction& in) {
  emit_order(in, Order::Greater, true, false);
}
void BaselineCompiler::emit_JumpIfGreaterEqualConstant(const Instruction& in) {
  emit_order(in, Order::GreaterEqual, true, true);
}
void BaselineCompiler::emit_JumpIfNotGreaterEqualConstant(const Instruction& in) {
  emit_order(in, Order::GreaterEqual, true, false);
}

}  // namespace mangata::jit
