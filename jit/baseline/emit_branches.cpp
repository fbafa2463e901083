// Jumps, and branches on truth.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// On the way back to a loop's head: somebody may have asked for attention.
void BaselineCompiler::emit_poll(const Instruction& backedge) {
  const Label slow = slow_path([this, backedge] {
    emit_generic(runtime_poll);
    a_.jmp(jump_target(backedge));
  });
  a_.sub(dword_ptr(kVm, offsetof(Vm, machine_events.left)), 1);
  a_.js(slow);
  const int target = pc_ + 1 + backedge.imm;
  if (proto_->code[target].op == Opcode::PathEvent) return;  // behind the events: emit_jump()
  emit_region_entry(target, has_events_ ? path_location() : PathLocation{});
}

/// Before the first instruction, as in the interpreter: a frame that C++ code has begun, and counted, goes on behind this. The running
/// call stays in its version of the code.
void BaselineCompiler::emit_poll_at_start() {
  if (!counts_calls_ || pc_ != 0) return;
  const Label resume = a_.newLabel();
  const Instruction* here = proto_->code + pc_;
  const Label slow = slow_path([this, here, resume] {
    emit_runtime_call_at(reinterpret_cast<uint64_t>(runtime_poll_call), here);
    emit_check_outcome();
    a_.jmp(resume);
  });
  a_.sub(dword_ptr(kVm, offsetof(Vm, machine_events.left)), 1);
  a_.js(slow);
  a_.bind(resume);
}

void BaselineCompiler::emit_Jump(const Instruction& in) {
  if (in.a != 0) emit_poll(in);
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

}  // namespace mangata::jit
