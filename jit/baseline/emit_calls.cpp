// Calls and returns: native call and return between compiled functions (jit/frame_layout.h), everything else in the runtime.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::emit_return_epilogue() {
  a_.xor_(eax, eax);
  a_.add(rsp, 8);
  a_.ret();
}

/// The function is at R[a] with its arguments in place; their number is in ecx.
void BaselineCompiler::emit_lua_call(const Instruction& in) {
  const int base = in.a + kCallOverheadSlots;
  const int header = base * kSlotBytes;
  a_.mov(rax, payload_of(in.a));
  a_.mov(rax, qword_ptr(rax, offsetof(LuaFunction, proto)));
  load_immediate(rdx, address_of(saved_pc()));
  a_.mov(qword_ptr(kBase, kSavedPcOffset), rdx);
  spill_path();
  a_.mov(dword_ptr(kBase, header + kPositionTagOffset), static_cast<int>(tag_bits(Tag::Frame)));
  a_.mov(dword_ptr(kBase, header + kPositionTagOffset + 4), base << 8);
  a_.mov(dword_ptr(kBase, header + kCountsTagOffset), static_cast<int>(tag_bits(Tag::Frame)));
  a_.mov(dword_ptr(kBase, header + kCountsOffset), (in.c - 1) & ((1 << kWantedResultsBits) - 1));
  a_.add(kBase, header);
  a_.call(qword_ptr(rax, offsetof(Proto, native_entry)));
  a_.mov(kBase, qword_ptr(rsp));
  emit_check_outcome();
  reload_path();
}

void BaselineCompiler::emit_Call(const Instruction& in) {
  if (in.b == 0 && in.d != 0) emit_generic(runtime_make_room);
  const Label slow = generic_slow_path(runtime_call);
  branch_unless_tag(in.a, Tag::LuaFunction, slow);
  if (in.b != 0) {
    a_.mov(ecx, in.b - 1);
  } else {
    a_.mov(rcx, thread_field(offsetof(Thread, top)));
    a_.lea(rdx, payload_of(in.a + kCallOverheadSlots));
    a_.sub(rcx, rdx);
    a_.shr(rcx, 4);
  }
  emit_lua_call(in);
}

void BaselineCompiler::emit_TailCall(const Instruction&) {
  emit_runtime_call_at(reinterpret_cast<uint64_t>(runtime_tail_call), saved_pc());
  const Label returned = a_.newLabel();
  a_.test(rax, rax);
  a_.jz(returned);
  a_.mov(kBase, thread_field(offsetof(Thread, base)));
  a_.mov(qword_ptr(rsp), kBase);
  a_.jmp(rax);
  a_.bind(returned);
  a_.mov(rax, rdx);
  a_.jmp(exit_);
}

void BaselineCompiler::emit_Return(const Instruction&) {
  emit_runtime_call(runtime_return);
  a_.jmp(exit_);
}

void BaselineCompiler::emit_Return0(const Instruction&) {
  const Label slow = slow_path([this] {
    emit_runtime_call(runtime_return);
    a_.jmp(exit_);
  });
  a_.cmp(dword_ptr(kBase, kCountsOffset), 0);
  a_.jne(slow);
  emit_return_epilogue();
}

void BaselineCompiler::emit_Return1(const Instruction& in) {
  const Label slow = slow_path([this] {
    emit_runtime_call(runtime_return);
    a_.jmp(exit_);
  });
  a_.cmp(dword_ptr(kBase, kCountsOffset), 1);
  a_.jne(slow);
  copy_register(-kCallOverheadSlots, in.a);
  emit_return_epilogue();
}

void BaselineCompiler::emit_PrepareVararg(const Instruction&) {
  emit_generic(runtime_prepare_vararg);
  a_.mov(kBase, thread_field(offsetof(Thread, base)));
  a_.mov(qword_ptr(rsp), kBase);
}

void BaselineCompiler::emit_Vararg(const Instruction&) { emit_generic(); }

}  // namespace mangata::jit
