// Jumps, and branches on truth.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

/// On the way back to a loop's head: somebody may have asked for attention.
void BaselineCompiler::emit_poll(const Instruction& backedge) {
  const Label slow = slow_path([this, backedge] {
    emit_generic(runtime_poll);
    masm_.jump(jump_target(backedge));
  });
  masm_.count_down(short_vm_field(offsetof(Vm, machine_events.left)), slow);
  const int target = pc_ + 1 + backedge.imm;
  if (proto_->code[target].op == Opcode::PathEvent) return;  // behind the events: emit_jump()
  emit_region_entry(CodePc(target), has_events_ ? path_location() : PathLocation{});
}

/// Before the first instruction, as in the interpreter: a frame that C++ code has begun, and counted, goes on behind this. The running
/// call stays in its version of the code.
void BaselineCompiler::emit_poll_at_start() {
  if (!counts_calls_ || pc_ != 0) return;
  const Label resume = masm_.new_label();
  const Instruction* here = proto_->code + pc_;
  const Label slow = slow_path([this, here, resume] {
    emit_runtime_call_at(reinterpret_cast<uint64_t>(runtime_poll_call), here);
    emit_check_outcome();
    masm_.jump(resume);
  });
  masm_.count_down(short_vm_field(offsetof(Vm, machine_events.left)), slow);
  masm_.bind(resume);
}

void BaselineCompiler::emit_Jump(const Instruction& in) {
  if (in.a != 0) emit_poll(in);
  if (in.imm != 0) emit_jump(in);
}

void BaselineCompiler::emit_JumpIfTrue(const Instruction& in) {
  masm_.compare(short_tag_of(in.ra()), static_cast<int>(tag_bits(Tag::False)));
  masm_.branch(Condition::Above, jump_target(in));
}
void BaselineCompiler::emit_JumpIfFalse(const Instruction& in) {
  masm_.compare(short_tag_of(in.ra()), static_cast<int>(tag_bits(Tag::False)));
  masm_.branch(Condition::BelowEqual, jump_target(in));
}
void BaselineCompiler::emit_CopyJumpIfTrue(const Instruction& in) {
  masm_.compare(short_tag_of(in.rb()), static_cast<int>(tag_bits(Tag::False)));
  masm_.branch(Condition::BelowEqual, next_label());
  copy_register(in.ra(), in.rb());
  emit_jump(in);
}
void BaselineCompiler::emit_CopyJumpIfFalse(const Instruction& in) {
  masm_.compare(short_tag_of(in.rb()), static_cast<int>(tag_bits(Tag::False)));
  masm_.branch(Condition::Above, next_label());
  copy_register(in.ra(), in.rb());
  emit_jump(in);
}

}  // namespace mangata::jit
