// Calling the runtime from compiled code, and instructions that are nothing but such a call.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

void BaselineCompiler::emit_runtime_call_at(uint64_t call_address, const Instruction* pc) {
  spill_path();
  masm_.move(kArguments[0], kThread);
  masm_.move(kArguments[1], kBase);
  load_immediate(kArguments[2], address_of(pc));
  masm_.call(reinterpret_cast<const void*>(call_address));
}

void BaselineCompiler::emit_runtime_call(RuntimeCall call) {
  emit_runtime_call_at(reinterpret_cast<uint64_t>(call), saved_pc());
}

void BaselineCompiler::emit_check_outcome() {
  masm_.branch_if_not_zero(kOutcome, leave_);
}

void BaselineCompiler::emit_generic(RuntimeCall call) {
  emit_runtime_call(call);
  emit_check_outcome();
}

void BaselineCompiler::emit_part(RuntimePart call) {
  emit_runtime_call_at(reinterpret_cast<uint64_t>(call), saved_pc());
  emit_check_outcome();
}

Label BaselineCompiler::generic_slow_path(RuntimeCall call) {
  return slow_path([this, call] {
    emit_generic(call);
    masm_.jump(next_label());
  });
}

void BaselineCompiler::emit_generic_branch(const Instruction& in, RuntimeCall call) {
  emit_runtime_call(call);
  emit_branch_on_outcome(in);
}

void BaselineCompiler::emit_branch_on_outcome(const Instruction& in) {
  masm_.compare(kOutcome, static_cast<int>(kTaken));
  masm_.branch(Condition::Equal, jump_target(in));
  masm_.branch(Condition::Above, leave_);
}

Label BaselineCompiler::generic_branch_slow_path(const Instruction& in, RuntimeCall call) {
  return slow_path([this, in, call] {
    emit_generic_branch(in, call);
    masm_.jump(next_label());
  });
}

void BaselineCompiler::emit_call_or_metamethod(RuntimeCallOrMetamethod call, MetamethodResult result) {
  spill_path();
  load_immediate(kArguments[2], address_of(saved_pc()));
  load_immediate(kTemporary, reinterpret_cast<uint64_t>(call));
  masm_.call(thunks_.metamethod[static_cast<size_t>(result)]);
  reload_path();
}

Label BaselineCompiler::metamethod_slow_path(RuntimeCallOrMetamethod call, MetamethodResult result) {
  return slow_path([this, call, result] {
    emit_call_or_metamethod(call, result);
    masm_.jump(next_label());
  });
}

Label BaselineCompiler::site_stub_slow_path(SiteAccess access) {
  return slow_path([this, access] {
    spill_path();
    load_immediate(a2, address_of(saved_pc()));
    masm_.call(thunks_.access[static_cast<size_t>(access)]);
    reload_path();
    masm_.jump(next_label());
  });
}

Label BaselineCompiler::metamethod_branch_slow_path(const Instruction& in) {
  return slow_path([this, in] {
    emit_call_or_metamethod(compare_or_metamethod, MetamethodResult::Branch);
    masm_.branch_if_not_zero(kOutcome, jump_target(in));
    masm_.jump(next_label());
  });
}

}  // namespace mangata::jit
