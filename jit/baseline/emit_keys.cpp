// Access by keys that are no elements: names, objects, sparse integers. The stubs that all sites share
// (map_stubs.h), out of line; what they miss are runtime calls.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// r9, edx := the key of an access; `key` is the operand's number.
void BaselineCompiler::load_key_operand(const Instruction& in, int key) {
  if (in.op == Opcode::GetInteger || in.op == Opcode::SetInteger) {
    a_.mov(r9, static_cast<int64_t>(key));
    a_.mov(edx, static_cast<int>(Tag::Integer));
  } else {
    a_.mov(r9, payload_of(key));
    a_.mov(edx, short_tag_of(key));
  }
}

/// R[a] of GetIndex or GetInteger, whose R[b] is a table.
Label BaselineCompiler::get_by_key_slow_path(const Instruction& in, const Label& miss) {
  return slow_path([this, in, miss] {
    a_.mov(rcx, payload_of(in.b));
    load_key_operand(in, in.c);
    a_.call(asmjit::imm(address_of(thunks_.get_by_key)));
    a_.jc(miss);
    a_.mov(payload_of(in.a), rsi);
    a_.mov(tag_of(in.a), rdi);
    a_.jmp(next_label());
  });
}

/// SetIndex or SetInteger, whose R[a] is a table.
Label BaselineCompiler::set_by_key_slow_path(const Instruction& in, const Label& miss) {
  return slow_path([this, in, miss] {
    a_.mov(rcx, payload_of(in.a));
    load_key_operand(in, in.b);
    load_operand(rsi, rdi, in.c);
    a_.call(asmjit::imm(address_of(thunks_.set_by_key)));
    a_.jc(miss);
    emit_barrier(rcx, rax, barrier_of_new_property);
    emit_safepoint_after_call();
    a_.jmp(next_label());
  });
}

}  // namespace mangata::jit
