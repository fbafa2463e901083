// Order with a jump (manual §3.4.4). Numbers inline, of which the likely case comes first (emit_mixed_numbers.cpp: an integer and a
// float); strings by a call that is no safepoint; metamethods in the runtime.
#include "jit/abi/runtime_strings.h"
#include "jit/baseline/compiler.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// Jumps to the target of the branch, or falls through.
void BaselineCompiler::emit_integer_order(Order order, const Operand& left, const Operand& right,
                                          const Branch& branch) {
  if (right.fits_immediate()) {
    a_.cmp(payload_of(left.reg), static_cast<int32_t>(right.payload));
  } else if (right.is_constant()) {
    load_integer(rax, right);
    a_.cmp(payload_of(left.reg), rax);
  } else {
    a_.mov(rax, payload_of(left.reg));
    a_.cmp(rax, payload_of(right.reg));
  }
  switch (order) {
    case Order::Less:
      branch.expected ? a_.jl(branch.target) : a_.jge(branch.target);
      break;
    case Order::LessEqual:
      branch.expected ? a_.jle(branch.target) : a_.jg(branch.target);
      break;
    case Order::Greater:
      branch.expected ? a_.jg(branch.target) : a_.jle(branch.target);
      break;
    case Order::GreaterEqual:
      branch.expected ? a_.jge(branch.target) : a_.jl(branch.target);
      break;
  }
}

/// The same for floats.
void BaselineCompiler::emit_float_order(Order order, const Operand& left, const Operand& right,
                                        const Branch& branch) {
  load_two_doubles(left.as_float(), right.as_float(), {});
  emit_jump_on_float_order(order, branch);
}

/// xmm0 order xmm1. "Above" is false for unordered operands, so it must mean "holds".
void BaselineCompiler::emit_jump_on_float_order(Order order, const Branch& branch) {
  const bool swap = order == Order::Less || order == Order::LessEqual;
  swap ? a_.ucomisd(xmm1, xmm0) : a_.ucomisd(xmm0, xmm1);
  const bool strict = order == Order::Less || order == Order::Greater;
  if (branch.expected) {
    strict ? a_.ja(branch.target) : a_.jae(branch.target);
  } else {
    strict ? a_.jbe(branch.target) : a_.jb(branch.target);
  }
}

/// What is no pair of numbers that are compared inline.
asmjit::Label BaselineCompiler::other_order_slow_path(const Instruction& in, Order order, const Branch& branch) {
  const Label runtime = metamethod_branch_slow_path(in);
  return slow_path([this, in, order, branch, runtime] {
    branch_unless_tag(in.a, Tag::String, runtime);
    branch_unless_tag(in.b, Tag::String, runtime);
    a_.mov(rdi, kVm);
    a_.mov(rsi, payload_of(in.a));
    a_.mov(rdx, payload_of(in.b));
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(&order_of_strings)));
    a_.test(rax, rax);
    if (order == Order::Less) {
      branch.expected ? a_.jl(branch.target) : a_.jge(branch.target);
    } else {
      branch.expected ? a_.jle(branch.target) : a_.jg(branch.target);
    }
    a_.jmp(branch.next);
  });
}

void BaselineCompiler::emit_order(const Instruction& in, Order order, bool constant, bool expected) {
  const Branch branch{.target = jump_target(in), .next = next_label(), .expected = expected};
  if (constant) return emit_order_with_constant(in, order, branch);
  const Operand left = register_operand(in.a), right = register_operand(in.b);
  const Label runtime = other_order_slow_path(in, order, branch);
  const auto integers = [this, order, left, right, branch](const Label& otherwise) {
    branch_unless_number(left, NumberKind::Integer, otherwise);
    branch_unless_number(right, NumberKind::Integer, otherwise);
    emit_integer_order(order, left, right, branch);
  };
  const auto floats = [this, order, left, right, branch](const Label& otherwise) {
    branch_unless_number(left, NumberKind::Float, otherwise);
    branch_unless_number(right, NumberKind::Float, otherwise);
    emit_float_order(order, left, right, branch);
  };
  const auto mixed = [this, order, left, right, branch, runtime] {
    emit_mixed_order(order, left, right, branch, runtime);
  };
  const auto out_of_line = [this, branch](const std::function<void()>& emit) {
    return slow_path([this, emit, branch] {
      emit();
      a_.jmp(branch.next);
    });
  };
  const bool may_be_integers = left.kind != NumberKind::Float && right.kind != NumberKind::Float;
  const bool may_be_floats = left.kind != NumberKind::Integer && right.kind != NumberKind::Integer;
  if (!may_be_integers && !may_be_floats) return mixed();
  const bool known = left.kind != NumberKind::Unknown && right.kind != NumberKind::Unknown;
  const Label other = known ? runtime : out_of_line(mixed);
  if (!may_be_floats) {
    integers(other);
  } else if (!may_be_integers) {
    floats(other);
  } else if (left.likely_kind == NumberKind::Float || right.likely_kind == NumberKind::Float) {
    floats(out_of_line([integers, other] { integers(other); }));
  } else {
    integers(out_of_line([floats, other] { floats(other); }));
  }
}

/// With a constant of either subtype, both comparisons are known when the code is compiled.
void BaselineCompiler::emit_order_with_constant(const Instruction& in, Order order, const Branch& branch) {
  const Operand left = register_operand(in.a), right = constant_operand(in.b);
  const bool is_float = right.kind == NumberKind::Float;
  // A float is compared with an integer constant as with the float of the same value, if there is one.
  int64_t back;
  const bool has_float = is_float || (float_to_integer(right.as_double(), &back) && right.is_integer(back));
  const Label runtime = metamethod_branch_slow_path(in);
  const auto integers = [this, order, left, right, is_float, branch](const Label& otherwise) {
    branch_unless_number(left, NumberKind::Integer, otherwise);
    is_float ? emit_integer_order_with_float(order, left, right.as_double(), branch)
             : emit_integer_order(order, left, right, branch);
  };
  const auto floats = [this, order, left, right, has_float, branch, runtime](const Label& otherwise) {
    branch_unless_number(left, NumberKind::Float, otherwise);
    has_float ? emit_float_order(order, left, right, branch) : static_cast<void>(a_.jmp(runtime));
  };
  const auto out_of_line = [this, branch](const std::function<void(const Label&)>& emit,
                                          const Label& otherwise) {
    return slow_path([this, emit, otherwise, branch] {
      emit(otherwise);
      a_.jmp(branch.next);
    });
  };
  if (left.kind == NumberKind::Integer) return integers(runtime);
  if (left.kind == NumberKind::Float) return floats(runtime);
  const bool floats_first =
      left.likely_kind == NumberKind::Float || (left.likely_kind == NumberKind::Unknown && is_float);
  floats_first ? floats(out_of_line(integers, runtime)) : integers(out_of_line(floats, runtime));
}

void BaselineCompiler::emit_JumpIfLess(const Instruction& in) { emit_order(in, Order::Less, false, true); }
void BaselineCompiler::emit_JumpIfNotLess(const Instruction& in) {
  emit_order(in, Order::Less, false, false);
}
void BaselineCompiler::emit_JumpIfLessEqual(const Instruction& in) {
  emit_order(in, Order::LessEqual, false, true);
}
void BaselineCompiler::emit_JumpIfNotLessEqual(const Instruction& in) {
  emit_order(in, Order::LessEqual, false, false);
}
void BaselineCompiler::emit_JumpIfLessConstant(const Instruction& in) {
  emit_order(in, Order::Less, true, true);
}
void BaselineCompiler::emit_JumpIfNotLessConstant(const Instruction& in) {
  emit_order(in, Order::Less, true, false);
}
void BaselineCompiler::emit_JumpIfLessEqualConstant(const Instruction& in) {
  emit_order(in, Order::LessEqual, true, true);
}
void BaselineCompiler::emit_JumpIfNotLessEqualConstant(const Instruction& in) {
  emit_order(in, Order::LessEqual, true, false);
}
void BaselineCompiler::emit_JumpIfGreaterConstant(const Instruction& in) {
  emit_order(in, Order::Greater, true, true);
}
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
