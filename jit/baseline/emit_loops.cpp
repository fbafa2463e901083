// Numeric loops (manual §3.3.5).
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
  emit_jump(in);
}

}  // namespace mangata::jit
