// Order with a jump (manual §3.4.4). Numbers inline, of which the likely case comes first (emit_mixed_numbers.cpp: an integer and a
// float); strings by a call that is no safepoint; metamethods in the runtime.
#include "jit/abi/runtime_strings.h"
#include "jit/baseline/compiler.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

namespace {

Condition condition_of(Order order) {
  switch (order) {
    case Order::Less: return Condition::Less;
    case Order::LessEqual: return Condition::LessEqual;
    case Order::Greater: return Condition::Greater;
    case Order::GreaterEqual: break;
  }
  return Condition::GreaterEqual;
}

}  // namespace

/// Jumps to the target of the branch, or falls through.
void BaselineCompiler::branch_on(Condition condition, const Branch& branch) {
  masm_.branch(branch.expected ? condition : opposite(condition), branch.target);
}

/// Jumps to the target of the branch, or falls through.
void BaselineCompiler::emit_integer_order(Order order, const Operand& left, const Operand& right,
                                          const Branch& branch) {
  if (right.fits_immediate()) {
    masm_.compare(payload_of(left.reg), static_cast<int32_t>(right.payload));
  } else if (right.is_constant()) {
    load_integer(kTemporary, right);
    masm_.compare(payload_of(left.reg), kTemporary);
  } else {
    masm_.load(kTemporary, payload_of(left.reg));
    masm_.compare(kTemporary, payload_of(right.reg));
  }
  branch_on(condition_of(order), branch);
}

/// The same for floats.
void BaselineCompiler::emit_float_order(Order order, const Operand& left, const Operand& right,
                                        const Branch& branch) {
  load_two_doubles(left.as_float(), right.as_float(), {});
  emit_jump_on_float_order(order, branch);
}

/// kFloat order kSecondFloat.
void BaselineCompiler::emit_jump_on_float_order(Order order, const Branch& branch) {
  const bool swap = order == Order::Less || order == Order::LessEqual;
  const bool or_equal = order == Order::LessEqual || order == Order::GreaterEqual;
  masm_.branch_if_greater(swap ? kSecondFloat : kFloat, swap ? kFloat : kSecondFloat, or_equal, branch.expected, branch.target);
}

/// What is no pair of numbers that are compared inline.
Label BaselineCompiler::other_order_slow_path(const Instruction& in, Order order, const Branch& branch) {
  const Label runtime = metamethod_branch_slow_path(in);
  return slow_path([this, in, order, branch, runtime] {
    branch_unless_tag(in.ra(), Tag::String, runtime);
    branch_unless_tag(in.rb(), Tag::String, runtime);
    masm_.move(kArguments[0], kVm);
    masm_.load(kArguments[1], payload_of(in.ra()));
    masm_.load(kArguments[2], payload_of(in.rb()));
    masm_.call(reinterpret_cast<const void*>(&order_of_strings));
    masm_.compare_with_zero(kResult);
    branch_on(order == Order::Less ? Condition::Less : Condition::LessEqual, branch);
    masm_.jump(branch.next);
  });
}

void BaselineCompiler::emit_order(const Instruction& in, Order order, bool constant, bool expected) {
  const Branch branch{.target = jump_target(in), .next = next_label(), .expected = expected};
  if (constant) return emit_order_with_constant(in, order, branch);
  const Operand left = register_operand(in.ra()), right = register_operand(in.rb());
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
      masm_.jump(branch.next);
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
  const Operand left = register_operand(in.ra()), right = constant_operand(in.b);
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
    has_float ? emit_float_order(order, left, right, branch) : masm_.jump(runtime);
  };
  const auto out_of_line = [this, branch](const std::function<void(const Label&)>& emit,
                                          const Label& otherwise) {
    return slow_path([this, emit, otherwise, branch] {
      emit(otherwise);
      masm_.jump(branch.next);
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
