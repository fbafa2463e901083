// Numeric and generic loops (manual §3.3.5).
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::emit_ForPrepare(const Instruction& in) { emit_generic_branch(in); }

/// Integer loops inline. R[a+1] counts the iterations that remain.
void BaselineCompiler::emit_ForLoop(const Instruction& in) {
  const Label slow = generic_branch_slow_path(in);
  branch_unless_tag(in.a + 2, Tag::Integer, slow);
  a_.mov(rcx, payload_of(in.a + 1));
  a_.test(rcx, rcx);
  a_.jz(next_label());
  a_.dec(rcx);
  a_.mov(rax, payload_of(in.a));
  a_.add(rax, payload_of(in.a + 2));
  a_.mov(payload_of(in.a + 1), rcx);
  a_.mov(payload_of(in.a), rax);
  a_.mov(payload_of(in.a + 3), rax);
  store_tag(in.a + 3, Tag::Integer);
  emit_poll(proto_->code + pc_ + 1 + in.imm);
  a_.jmp(jump_target(in));
}

void BaselineCompiler::emit_GenericForPrepare(const Instruction& in) {
  emit_runtime_call(runtime_step);
  a_.test(eax, static_cast<int>(~kTaken));
  a_.jnz(leave_);
  a_.jmp(jump_target(in));
}

void BaselineCompiler::emit_GenericForCall(const Instruction&) { emit_generic(runtime_generic_for_call); }

void BaselineCompiler::emit_GenericForLoop(const Instruction& in) {
  a_.cmp(short_tag_of(in.a + 4), static_cast<int>(tag_bits(Tag::Nil)));
  a_.je(next_label());
  copy_register(in.a + 2, in.a + 4);
  emit_poll(proto_->code + pc_ + 1 + in.imm);
  a_.jmp(jump_target(in));
}

}  // namespace mangata::jit
