// Numeric loops (manual §3.3.5).
#include <bit>

#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

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
  const Operand start = register_operand(in.a);
  const int32_t step = pc_ > 0 && !types_->begins_block(pc_) ? constant_step(in) : 0;
  if (step == 0 || start.kind == NumberKind::Float) return emit_generic_branch(in);
  const Label slow = generic_branch_slow_path(in);
  branch_unless_number(start, NumberKind::Integer, slow);
  emit_loop_limit(in.a + 1, step > 0, slow);
  a_.mov(rax, payload_of(in.a));
  a_.mov(payload_of(in.a + 3), rax);
  store_tag(in.a + 3, Tag::Integer);
  a_.cmp(rcx, rax);
  step > 0 ? a_.jl(jump_target(in)) : a_.jg(jump_target(in));
  if (step > 0) {
    a_.sub(rcx, rax);
    a_.mov(rax, rcx);
  } else {
    a_.sub(rax, rcx);
  }
  const uint64_t distance =
      step > 0 ? static_cast<uint64_t>(step) : static_cast<uint64_t>(-static_cast<int64_t>(step));
  if (std::has_single_bit(distance)) {
    if (distance > 1) a_.shr(rax, std::countr_zero(distance));
  } else {
    load_immediate(rcx, distance);
    a_.xor_(edx, edx);
    a_.div(rcx);
  }
  a_.mov(payload_of(in.a + 1), rax);
}

/// Goes back to the body, unless somebody has asked for attention.
void BaselineCompiler::emit_backedge(const Instruction& in) {
  emit_poll(in);
  emit_jump(in);
}

/// R[a+1] counts the iterations that remain.
void BaselineCompiler::emit_integer_for_loop(const Instruction& in) {
  a_.mov(rcx, payload_of(in.a + 1));
  a_.sub(rcx, 1);
  a_.jb(next_label());
  a_.mov(rax, payload_of(in.a));
  a_.add(rax, payload_of(in.a + 2));
  a_.mov(payload_of(in.a + 1), rcx);
  a_.mov(payload_of(in.a), rax);
  store_integer(register_operand(in.a + 3), rax);
  emit_backedge(in);
}

/// R[a+1] is the limit; `index` and `variable` are R[a] and R[a+3].
void BaselineCompiler::emit_float_for_loop(const Instruction& in, const Operand& index,
                                           const Operand& variable) {
  const Label downwards = a_.newLabel(), goes_on = a_.newLabel();
  a_.movsd(xmm1, payload_of(in.a + 2));
  a_.movsd(xmm0, payload_of(in.a));
  a_.movsd(xmm2, payload_of(in.a + 1));
  a_.addsd(xmm0, xmm1);
  a_.xorps(xmm3, xmm3);
  a_.ucomisd(xmm1, xmm3);
  a_.jbe(downwards);
  a_.ucomisd(xmm2, xmm0);
  a_.jb(next_label());
  a_.bind(goes_on);
  store_float(index);
  store_float(variable);
  emit_backedge(in);
  a_.bind(downwards);
  a_.ucomisd(xmm0, xmm2);
  a_.jae(goes_on);
  a_.jmp(next_label());
}

void BaselineCompiler::emit_ForLoop(const Instruction& in) {
  const Operand index = register_operand(in.a), step = register_operand(in.a + 2),
                variable = register_operand(in.a + 3);
  if (step.kind == NumberKind::Float) return emit_float_for_loop(in, index, variable);
  if (step.kind == NumberKind::Unknown) {
    branch_unless_tag(in.a + 2, Tag::Integer,
                      slow_path([this, in, index, variable] { emit_float_for_loop(in, index, variable); }));
  }
  emit_integer_for_loop(in);
}

}  // namespace mangata::jit
