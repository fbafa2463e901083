// Calls that may switch to another coroutine: resume, functions of coroutine.wrap, and yield (switch_stub.h).
#include "jit/baseline/compiler.h"
#include "jit/baseline/switch_stub.h"

namespace mangata::jit {

using namespace registers;

/// a0: a NativeFunction without a direct form, in R[function]; its call has been set up. On to the next
/// instruction.
void BaselineCompiler::emit_call_or_switch(const Instruction& in, Register function, int argument_count,
                                           int wanted_results, RuntimeCall call) {
  constexpr int kFirst = static_cast<int>(NativeId::Resume), kLast = static_cast<int>(NativeId::Yield);
  const Label real_call = generic_slow_path(call);
  if (!kSwitchesInline || vm_.path_allocations != nullptr) {  // which must be told, too
    masm_.jump(real_call);
    return;
  }
  const Label switched = masm_.new_label();
  masm_.load_unsigned(low(a5), byte_at(a0, offsetof(NativeFunction, type_byte)));
  masm_.subtract(low(a5), kFirst);
  masm_.compare(low(a5), kLast - kFirst);
  masm_.branch(Condition::Above, real_call);
  if (argument_count == kAnyCount) {
    emit_argument_count(in);
  } else {
    load_immediate(a3, static_cast<uint64_t>(argument_count));
  }
  spill_path();
  load_immediate(a2, address_of(saved_pc()));
  masm_.load_address(a1, payload_of(function));
  masm_.load_word(low(a4), wanted_results & kWantedResultsMask);
  masm_.load_address(t0, switched);
  masm_.jump(thunks_.switch_coroutine);
  masm_.bind(switched);
  emit_check_outcome();
  reload_path();
  masm_.jump(next_label());
}

}  // namespace mangata::jit
