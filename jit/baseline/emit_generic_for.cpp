// The generic loop (manual §3.3.5): Lua iterators are called as functions are, `next` and ipairs without a
// call.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::emit_GenericForPrepare(const Instruction& in) {
  const Label slow = slow_path([this, in] {
    emit_runtime_call(runtime_step);
    a_.test(eax, static_cast<int>(~kTaken));
    a_.jnz(leave_);
    a_.jmp(jump_target(in));
  });
  branch_unless_tag(in.a + 3, Tag::Nil, slow);
  a_.mov(payload_of(in.a + 3), 0);  // the cursor of `next`
  a_.jmp(jump_target(in));
}

/// R[a+4], R[a+7], R[a+8] := R[a], R[a+1], R[a+2]: the call is set up.
void BaselineCompiler::emit_iterator_arguments(int a) {
  copy_register(a + 4, a);
  copy_register(a + 4 + kCallOverheadSlots, a + 1);
  copy_register(a + 5 + kCallOverheadSlots, a + 2);
}

/// The iterator of ipairs over elements of any kind; everything else in the runtime.
void BaselineCompiler::emit_ipairs_step(const Instruction& in, const Label& otherwise) {
  const Label integers = a_.newLabel(), floats = a_.newLabel(), stored = a_.newLabel();
  branch_unless_tag(in.a + 1, Tag::Table, otherwise);
  branch_unless_tag(in.a + 2, Tag::Integer, otherwise);
  a_.mov(rax, payload_of(in.a + 1));
  a_.mov(rcx, payload_of(in.a + 2));  // the 0-based index of the next element
  a_.mov(edx, dword_ptr(rax, offsetof(Table, type_word)));
  a_.cmp(rcx, rdx);
  a_.jae(otherwise);
  a_.movzx(edx, byte_ptr(rax, offsetof(Table, type_byte)));
  a_.mov(rsi, qword_ptr(rax, offsetof(Table, elements)));
  a_.cmp(edx, static_cast<int>(ElementKind::Any));
  a_.jne(integers);
  a_.mov(rax, rcx);
  a_.shl(rax, 4);
  a_.mov(rdx, qword_ptr(rsi, rax, 0, kTagOffset));
  a_.test(rdx, rdx);
  a_.jz(otherwise);
  a_.mov(rax, qword_ptr(rsi, rax));
  a_.mov(payload_of(in.a + 5), rax);
  a_.mov(tag_of(in.a + 5), rdx);
  a_.jmp(stored);
  a_.bind(integers);
  a_.mov(rax, qword_ptr(rsi, rcx, 3));
  a_.mov(payload_of(in.a + 5), rax);
  a_.cmp(edx, static_cast<int>(ElementKind::Integer));
  a_.jne(floats);
  store_tag(in.a + 5, Tag::Integer);
  a_.jmp(stored);
  a_.bind(floats);
  store_tag(in.a + 5, Tag::Float);
  a_.bind(stored);
  a_.inc(rcx);
  a_.mov(payload_of(in.a + 4), rcx);
  store_tag(in.a + 4, Tag::Integer);
  for (int i = 2; i < in.c; ++i) store_constant(in.a + 4 + i, Value::nil());
}

void BaselineCompiler::emit_GenericForCall(const Instruction& in) {
  const Label lua = slow_path([this, in] {
    const Label not_function = slow_path([this, in] {
      emit_iterator_arguments(in.a);
      emit_generic(runtime_generic_for_call);
      a_.jmp(next_label());
    });
    branch_unless_tag(in.a, Tag::LuaFunction, not_function);
    emit_iterator_arguments(in.a);
    emit_lua_call(in.a + 4, 2, in.c);
    a_.jmp(next_label());
  });
  const Label native_call = slow_path([this, in] {
    const Label framed = a_.newLabel();
    emit_iterator_arguments(in.a);
    a_.mov(rdi, payload_of(in.a));
    a_.mov(rax, qword_ptr(rdi, offsetof(NativeFunction, direct)));
    a_.test(rax, rax);
    a_.jz(framed);
    a_.mov(rdi, kVm);
    a_.lea(rsi, payload_of(in.a + 4));
    a_.mov(edx, 2);
    a_.call(rax);
    const Instruction results = Instruction::abcd(Opcode::Call, in.a + 4, 0, in.c + 1);
    emit_direct_results(results, generic_slow_path(runtime_generic_for_call));
    emit_safepoint_after_call();
    a_.jmp(next_label());
    a_.bind(framed);
    emit_call_or_switch(in, in.a + 4, 2, in.c, runtime_generic_for_call);
  });
  const Label iterate = slow_path([this, in, native_call] {
    a_.mov(rax, payload_of(in.a));
    a_.movzx(eax, byte_ptr(rax, offsetof(NativeFunction, type_byte)));
    a_.sub(eax, static_cast<int>(NativeId::Next));
    a_.cmp(eax, static_cast<int>(NativeId::IpairsIterator) - static_cast<int>(NativeId::Next));
    a_.ja(native_call);
    a_.lea(rdi, payload_of(in.a));
    a_.mov(esi, in.c);
    a_.call(asmjit::imm(address_of(reinterpret_cast<const void*>(&runtime_iterate))));
    a_.test(al, al);
    a_.jz(native_call);
    a_.jmp(next_label());
  });
  branch_unless_tag(in.a, Tag::NativeFunction, lua);
  a_.mov(rax, payload_of(in.a));
  a_.cmp(byte_ptr(rax, offsetof(NativeFunction, type_byte)), static_cast<int>(NativeId::IpairsIterator));
  a_.jne(iterate);
  emit_ipairs_step(in, iterate);
}

void BaselineCompiler::emit_GenericForLoop(const Instruction& in) {
  a_.cmp(short_tag_of(in.a + 4), static_cast<int>(tag_bits(Tag::Nil)));
  a_.je(next_label());
  copy_register(in.a + 2, in.a + 4);
  emit_backedge(in);
}

}  // namespace mangata::jit
