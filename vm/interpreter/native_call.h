// A call of a native function, inline: for those who make many.
#pragma once

#include <new>

#include "vm/interpreter/interpreter.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata {

/// What C++ containers of the function could not get is a Lua error.
[[gnu::always_inline]] inline Result<int> run_native_code(NativeCode code, Call& native_call) {
  try {
    return code(native_call);
  } catch (const std::bad_alloc&) {
    return raise_out_of_memory(native_call.vm());
  }
}

/// call_native() (interpreter.h) in the place of its caller: C functions are short, and half of what a call of one costs is
/// saving registers in function after function.
[[gnu::always_inline]] inline Status call_native_inline(Vm& vm, Thread& thread, Value* function, int argument_count,
                                                        int wanted_results) {
  Value* base = function + kCallOverheadSlots;
  Value* saved_base = thread.base;
  if (base + argument_count + kMinimumNativeSlots > thread.stack_soft_limit) [[unlikely]] {
    TRY(ensure_stack(vm, base + argument_count, kMinimumNativeSlots));
  }
  write_frame_header(frame_of(base), nullptr, wanted_results, static_cast<uint32_t>(base - saved_base), 0,
                     FrameHeader::kNative);
  thread.base = base;
  thread.top = base + argument_count;
  if (thread.hook_mask & kHookCall) [[unlikely]]
    TRY(hook_call(vm, thread, false));
  Call native_call(vm, thread);
  const Result<int> result = run_native_code(function->as_native_function()->code, native_call);
  if (!result.ok()) [[unlikely]]
    return Raised{};
  const int count = result.value();
  if (thread.hook_mask != 0) [[unlikely]]
    TRY(hook_return(vm, thread, thread.top - count, count));
  thread.base = saved_base;
  thread.top = move_results(function, thread.top - count, count, wanted_results);
  return {};
}

}  // namespace mangata
