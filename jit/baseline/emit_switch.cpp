// Switching between the stacks of coroutines, inline: yield, resume, and functions of coroutine.wrap.
//
// A switch makes every return address that the processor has predicted wrong. So there must be no C++ frame
// between compiled code and the switch: the runtime prepares it and takes the results, in calls of their own.
#include "jit/baseline/compiler.h"
#include "jit/baseline/runtime_calls_calls.h"
#include "jit/baseline/runtime_calls_switch.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSwitchesInline = false;  // the sanitizer must be told of every switch
#else
constexpr bool kSwitchesInline = true;
#endif

}  // namespace

/// rdi: a NativeFunction without a direct form, whose call has been set up. On to the next instruction.
void BaselineCompiler::emit_call_or_switch(RuntimeCall call) {
  constexpr int kFirst = static_cast<int>(NativeId::Resume), kLast = static_cast<int>(NativeId::Yield);
  const Label real_call = generic_slow_path(call);
  if (!kSwitchesInline) {
    a_.jmp(real_call);
    return;
  }
  const Label switched = a_.newLabel();
  a_.movzx(eax, byte_ptr(rdi, offsetof(NativeFunction, type_byte)));
  a_.sub(eax, kFirst);
  a_.cmp(eax, kLast - kFirst);
  a_.ja(real_call);
  spill_path();
  load_immediate(rdx, address_of(saved_pc()));
  a_.lea(rax, ptr(switched));
  if (!switch_.isValid()) switch_ = a_.newLabel();
  a_.jmp(switch_);
  a_.bind(switched);
  reload_path();
  a_.jmp(next_label());
}

/// Once in each function. rax: where to go on when this frame runs again; rdx: the saved pc.
void BaselineCompiler::emit_switch() {
  if (!switch_.isValid()) return;
  const Label resumed = a_.newLabel(), call = a_.newLabel(), finished = a_.newLabel();
  const auto call_runtime = [&](RuntimeCall runtime_call) {
    a_.mov(rdi, kThread);
    a_.mov(rsi, kBase);
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(runtime_call)));
  };
  a_.bind(switch_);
  a_.push(rax);
  a_.push(kVm);
  a_.push(kThread);
  a_.push(rdx);
  a_.mov(rdi, kThread);
  a_.mov(rsi, kBase);
  a_.call(asmjit::imm(reinterpret_cast<uint64_t>(&runtime_start_switch)));
  a_.test(rax, rax);
  a_.jz(call);
  a_.lea(rcx, ptr(resumed));
  a_.push(rcx);
  a_.mov(qword_ptr(rdx), rsp);
  a_.mov(rsp, rax);
  a_.pop(rcx);
  a_.jmp(rcx);

  a_.bind(resumed);
  a_.pop(rdx);
  a_.pop(kThread);
  a_.pop(kVm);
  a_.mov(kBase, qword_ptr(rsp, 8));
  a_.sub(rsp, 8);
  call_runtime(runtime_finish_switch);
  a_.bind(finished);
  a_.add(rsp, 8);
  a_.pop(rcx);
  emit_check_outcome();
  a_.jmp(rcx);

  a_.bind(call);
  a_.pop(rdx);
  a_.add(rsp, 8);
  call_runtime(runtime_call_without_switch);
  a_.jmp(finished);
}

}  // namespace mangata::jit
