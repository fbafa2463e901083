// Calling the runtime from compiled code, and instructions that are nothing but such a call.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::load_immediate(Gp reg, uint64_t value) {
  if (value == 0) {
    a_.xor_(reg.r32(), reg.r32());
  } else if (value <= UINT32_MAX) {
    a_.mov(reg.r32(), static_cast<uint32_t>(value));
  } else {
    a_.mov(reg, value);
  }
}

void BaselineCompiler::emit_runtime_call_at(uint64_t call_address, const Instruction* pc) {
  spill_path();
  a_.mov(rdi, kThread);
  a_.mov(rsi, kBase);
  load_immediate(rdx, address_of(pc));
  a_.call(asmjit::imm(call_address));
}

void BaselineCompiler::emit_runtime_call(RuntimeCall call) {
  emit_runtime_call_at(reinterpret_cast<uint64_t>(call), saved_pc());
}

void BaselineCompiler::emit_check_outcome() {
  a_.test(eax, eax);
  a_.jnz(leave_);
}

void BaselineCompiler::emit_generic(RuntimeCall call) {
  emit_runtime_call(call);
  emit_check_outcome();
}

void BaselineCompiler::emit_part(RuntimePart call) {
  emit_runtime_call_at(reinterpret_cast<uint64_t>(call), saved_pc());
  emit_check_outcome();
}

asmjit::Label BaselineCompiler::generic_slow_path(RuntimeCall call) {
  return slow_path([this, call] {
    emit_generic(call);
    a_.jmp(next_label());
  });
}

void BaselineCompiler::emit_generic_branch(const Instruction& in, RuntimeCall call) {
  emit_runtime_call(call);
  emit_branch_on_outcome(in);
}

void BaselineCompiler::emit_branch_on_outcome(const Instruction& in) {
  a_.cmp(eax, static_cast<int>(kTaken));
  a_.je(jump_target(in));
  a_.ja(leave_);
}

asmjit::Label BaselineCompiler::generic_branch_slow_path(const Instruction& in, RuntimeCall call) {
  return slow_path([this, in, call] {
    emit_generic_branch(in, call);
    a_.jmp(next_label());
  });
}

void BaselineCompiler::emit_call_or_metamethod(RuntimeCallOrMetamethod call, MetamethodResult result) {
  spill_path();
  load_immediate(rdx, address_of(saved_pc()));
  load_immediate(rax, reinterpret_cast<uint64_t>(call));
  a_.call(asmjit::imm(address_of(thunks_.metamethod[static_cast<size_t>(result)])));
  reload_path();
}

asmjit::Label BaselineCompiler::metamethod_slow_path(RuntimeCallOrMetamethod call, MetamethodResult result) {
  return slow_path([this, call, result] {
    emit_call_or_metamethod(call, result);
    emit_check_outcome();
    a_.jmp(next_label());
  });
}

/// Of an access by field name: a function that a cache knows is called without the runtime. Of a store, `operand` is the value; of a
/// global, rcx is the table that is accessed.
asmjit::Label BaselineCompiler::field_slow_path(RuntimeCallOrMetamethod call, HandlerAccess access, int cache_index, const Value& key, int operand) {
  return slow_path([this, call, access, cache_index, key, operand] {
    spill_path();
    load_immediate(r8, address_of(&proto_->caches[static_cast<size_t>(cache_index)]));
    load_immediate(r9, key.payload);
    if (is_store(access)) load_operand(rsi, rdi, operand);
    emit_call_of_handler(call, access);
  });
}

/// The same for keys in registers, most of which are names here.
asmjit::Label BaselineCompiler::index_slow_path(RuntimeCallOrMetamethod call, HandlerAccess access, int operand) {
  return slow_path([this, call, access, operand] {
    spill_path();
    if (is_store(access)) load_operand(rsi, rdi, operand);
    emit_call_of_handler(call, access);
  });
}

void BaselineCompiler::emit_call_of_handler(RuntimeCallOrMetamethod call, HandlerAccess access) {
  load_immediate(rdx, address_of(saved_pc()));
  load_immediate(rax, reinterpret_cast<uint64_t>(call));
  a_.call(asmjit::imm(address_of(thunks_.handler[static_cast<size_t>(access)])));
  reload_path();
  emit_check_outcome();
  a_.jmp(next_label());
}

asmjit::Label BaselineCompiler::metamethod_branch_slow_path(const Instruction& in) {
  return slow_path([this, in] {
    emit_call_or_metamethod(compare_or_metamethod, MetamethodResult::Branch);
    emit_branch_on_outcome(in);
    a_.jmp(next_label());
  });
}

}  // namespace mangata::jit
