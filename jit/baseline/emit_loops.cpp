// Numeric loops (manual §3.3.5).
#include <bit>

#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// The step of the loop that `prepare` begins, if the instruction before has loaded an integer for it;
/// otherwise 0.
int32_t constant_step(const Instruction& prepare) {
  const Instruction& before = (&prepare)[-1];
  return before.op == Opcode::LoadInteger && before.a == prepare.a + 2 ? before.imm : 0;
}

}  // namespace

/// Inline: integers, and the step a constant; the limit may be a float. R[a+1] becomes the number of
/// iterations after the first.
void BaselineCompiler::emit_ForPrepare(const Instruction& in) {
  const Operand start = register_operand(in.ra());
  const int32_t step = pc_ > 0 && !types_->begins_block(CodePc(pc_)) ? constant_step(in) : 0;
  if (step == 0 || start.kind == NumberKind::Float) return emit_generic_branch(in);
  const Label slow = generic_branch_slow_path(in);
  branch_unless_number(start, NumberKind::Integer, slow);
  emit_loop_limit(in.ra() + 1, step > 0, slow);
  masm_.load(t0, payload_of(in.ra()));
  masm_.store(payload_of(in.ra() + 3), t0);
  store_tag(in.ra() + 3, Tag::Integer);
  masm_.compare(a3, t0);
  step > 0 ? masm_.branch(Condition::Less, jump_target(in)) : masm_.branch(Condition::Greater, jump_target(in));
  if (step > 0) {
    masm_.subtract(a3, t0);
    masm_.move(t0, a3);
  } else {
    masm_.subtract(t0, a3);
  }
  const uint64_t distance =
      step > 0 ? static_cast<uint64_t>(step) : static_cast<uint64_t>(-static_cast<int64_t>(step));
  if (std::has_single_bit(distance)) {
    if (distance > 1) masm_.shift_right(t0, std::countr_zero(distance));
  } else {
    load_immediate(a3, distance);
    masm_.divide_unsigned(a3);
  }
  masm_.store(payload_of(in.ra() + 1), t0);
}

/// Goes back to the body, unless somebody has asked for attention.
void BaselineCompiler::emit_backedge(const Instruction& in) {
  emit_poll(in);
  emit_jump(in);
}

/// R[a+1] counts the iterations that remain.
void BaselineCompiler::emit_integer_for_loop(const Instruction& in) {
  masm_.load(a3, payload_of(in.ra() + 1));
  masm_.take_one(a3, next_label());
  masm_.load(t0, payload_of(in.ra()));
  masm_.add(t0, payload_of(in.ra() + 2));
  masm_.store(payload_of(in.ra() + 1), a3);
  masm_.store(payload_of(in.ra()), t0);
  store_integer(register_operand(in.ra() + 3), t0);
  emit_backedge(in);
}

/// R[a+1] is the limit; `index` and `variable` are R[a] and R[a+3].
void BaselineCompiler::emit_float_for_loop(const Instruction& in, const Operand& index,
                                           const Operand& variable) {
  const Label downwards = masm_.new_label(), goes_on = masm_.new_label();
  masm_.load_float(f1, payload_of(in.ra() + 2));
  masm_.load_float(f0, payload_of(in.ra()));
  masm_.load_float(f2, payload_of(in.ra() + 1));
  masm_.add_floats(f0, f1);
  masm_.clear_float(f3);
  masm_.compare_floats(f1, f3);
  masm_.branch(Condition::BelowEqual, downwards);
  masm_.compare_floats(f2, f0);
  masm_.branch(Condition::Below, next_label());
  masm_.bind(goes_on);
  store_float(index);
  store_float(variable);
  emit_backedge(in);
  masm_.bind(downwards);
  masm_.compare_floats(f0, f2);
  masm_.branch(Condition::AboveEqual, goes_on);
  masm_.jump(next_label());
}

void BaselineCompiler::emit_ForLoop(const Instruction& in) {
  const Operand index = register_operand(in.ra()), step = register_operand(in.ra() + 2),
                variable = register_operand(in.ra() + 3);
  if (step.kind == NumberKind::Float) return emit_float_for_loop(in, index, variable);
  if (step.kind == NumberKind::Unknown) {
    branch_unless_tag(in.ra() + 2, Tag::Integer,
                      slow_path([this, in, index, variable] { emit_float_for_loop(in, index, variable); }));
  }
  emit_integer_for_loop(in);
}

}  // namespace mangata::jit
