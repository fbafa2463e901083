// Calls that may switch to another coroutine: resume, functions of coroutine.wrap, and yield (switch_stub.h).
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSwitchesInline = false;  // the sanitizer must be told of every switch
#else
constexpr bool kSwitchesInline = true;
#endif

}  // namespace

/// rdi: a NativeFunction without a direct form, in R[function]; its call has been set up. On to the next
/// instruction.
void BaselineCompiler::emit_call_or_switch(const Instruction& in, int function, int argument_count,
                                           int wanted_results, RuntimeCall call) {
  constexpr int kFirst = static_cast<int>(NativeId::Resume), kLast = static_cast<int>(NativeId::Yield);
  const Label real_call = generic_slow_path(call);
  if (!kSwitchesInline || vm_.path_allocations != nullptr) {  // which must be told, too
    a_.jmp(real_call);
    return;
  }
  const Label switched = a_.newLabel();
  a_.movzx(r9d, byte_ptr(rdi, offsetof(NativeFunction, type_byte)));
  a_.sub(r9d, kFirst);
  a_.cmp(r9d, kLast - kFirst);
  a_.ja(real_call);
  if (argument_count == kAnyCount) {
    emit_argument_count(in);
  } else {
    load_immediate(rcx, static_cast<uint64_t>(argument_count));
  }
  spill_path();
  load_immediate(rdx, address_of(saved_pc()));
  a_.lea(rsi, payload_of(function));
  a_.mov(r8d, wanted_results & kWantedResultsMask);
  a_.lea(rax, ptr(switched));
  a_.jmp(asmjit::imm(address_of(thunks_.switch_coroutine)));
  a_.bind(switched);
  emit_check_outcome();
  reload_path();
  a_.jmp(next_label());
}

}  // namespace mangata::jit
