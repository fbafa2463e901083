// Resuming and yielding from compiled code, which switches stacks itself (vm/interpreter/context_switch.h).
// The instruction is a Call or GenericForCall of coroutine.yield, coroutine.resume or a function of
// coroutine.wrap.
#pragma once

#include "jit/abi/runtime_calls.h"

namespace mangata::jit {

/// `target` is the context to go on at, and *save is for the running one; target null: nothing was done, call
/// the function.
struct StackSwitch {
  void* target;  ///< of the coroutine that runs now
  void** save;  ///< where the context of the one that stops is kept
};
StackSwitch runtime_start_switch(Thread* thread, Value* base, const Instruction* pc);

/// Back on the stack of `thread`: takes what was yielded, returned or passed to resume.
int64_t runtime_finish_switch(Thread* thread, Value* base, const Instruction* pc);

/// The whole call, by the library's function.
int64_t runtime_call_without_switch(Thread* thread, Value* base, const Instruction* pc);

}  // namespace mangata::jit
