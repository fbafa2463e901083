// Tail calls: the callee's frame takes the place of this one, inline unless variables are to be closed. What
// a native function returns is returned in place.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// Copies the arguments to the frame that begins at `destination_base`; an open number of them is in ecx
/// afterwards.
void BaselineCompiler::emit_moved_arguments(const Instruction& in, const Gp& destination_base) {
  if (in.b != 0) {
    for (int i = 0; i < in.b - 1; ++i) {
      const int to = i * kSlotBytes, from = in.a + kCallOverheadSlots + i;
      copy_value(qword_ptr(destination_base, to), qword_ptr(destination_base, to + kTagOffset),
                 payload_of(from), tag_of(from));
    }
    return;
  }
  const int first = in.d != 0 ? 1 : kCallOverheadSlots;  // compact: without room for a header
  a_.mov(r8, thread_field(offsetof(Thread, top)));
  a_.lea(rdi, payload_of(in.a + first));
  a_.mov(rcx, r8);
  a_.sub(rcx, rdi);
  a_.shr(rcx, kSlotShift);
  a_.mov(r9, destination_base);
  emit_copy_values();
}

/// R[a] is no Lua function.
void BaselineCompiler::emit_native_tail_call(const Instruction& in, const Label& generic) {
  branch_unless_tag(in.a, Tag::NativeFunction, generic);
  a_.mov(rdi, payload_of(in.a));
  a_.mov(rax, field(rdi, offsetof(NativeFunction, direct)));
  a_.test(rax, rax);
  a_.jz(generic);
  emit_argument_count(in);
  a_.mov(rdi, kVm);
  a_.lea(rsi, payload_of(in.a));
  a_.mov(edx, ecx);
  a_.call(rax);
  a_.test(eax, eax);
  a_.js(generic);
  a_.shl(rax, kSlotShift);
  a_.lea(rcx, payload_of(in.a));
  a_.add(rax, rcx);
  a_.mov(thread_field(offsetof(Thread, top)), rax);
  emit_return_open(in.a);
}

void BaselineCompiler::emit_TailCall(const Instruction& in) {
  if (in.c != 0) return emit_generic_tail_call();
  const Label generic = slow_path([this] { emit_generic_tail_call(); });
  const bool is_compact = in.b == 0 && in.d != 0;
  const Label not_lua =
      is_compact ? generic : slow_path([this, in, generic] { emit_native_tail_call(in, generic); });
  branch_unless_tag(in.a, Tag::LuaFunction, not_lua);
  a_.cmp(byte_ptr(kVm, offsetof(Vm, interrupt)), 0);
  a_.jne(generic);
  const Gp base = load_frame_origin();
  a_.mov(r10, payload_of(in.a));
  a_.mov(qword_ptr(base, kFunctionOffset), r10);
  emit_moved_arguments(in, base);
  a_.mov(rax, field(r10, offsetof(LuaFunction, proto)));
  a_.or_(byte_ptr(base, kPositionTagOffset + 4), static_cast<int>(FrameHeader::kTailCalled));
  if (proto_->is_vararg) a_.mov(kBase, base);
  a_.add(rsp, 8);
  a_.jmp(load_entry(rax, argument_count(in)));
}

void BaselineCompiler::emit_generic_tail_call() {
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

}  // namespace mangata::jit
