// What API functions do when an operation of the machine may raise: protect(thread, operation).
//
// [DESIGN] Operations run on Vm::current. Hosts also call functions of the API on other threads (a fresh one, one that is suspended,
// the main thread from within a coroutine); then that thread is made the running one for the time of the operation, on
// the native stack that is in use, and it cannot yield. An error goes to the boundary of whoever runs.
#pragma once

#include "runtime/c_boundary/boundary.h"
#include "runtime/c_boundary/exceptions.h"
#include "vm/interpreter/native_stack.h"

namespace mangata::capi {

/// What is put back when a thread was made the running one.
struct ForeignRun {
  Thread* previous;  ///< that ran until then
  // What these members of the thread, and of `previous`, were.
  Thread* resumer;
  Value* base;
  Value* native_bound;
  char* native_limit;
  char* region_limit;
  CBoundary* c_boundary;
  uint32_t native_depth;
  uint32_t non_yieldable;
  uint32_t activations;
  ThreadStatus status;
  ThreadStatus previous_status;
  bool hooks_allowed;
};
void begin_foreign_run(Vm& vm, Thread& thread, ForeignRun* run);
void end_foreign_run(Vm& vm, Thread& thread, const ForeignRun& run);

/// What calls the API may be C code that Lua did not call: then it may run on another native stack than the last time. What was found
/// out then is good for calls from near by.
void arrive_anew(Vm& vm);
inline void arrive(Vm& vm) {
  const Thread& running = *vm.current;
  if (running.c_boundary != nullptr || running.native_stack != nullptr) return;
  constexpr ptrdiff_t kNearBytes = 4096, kNearSlots = 1000;
  const char* here = static_cast<char*>(__builtin_frame_address(0));
  const Arrival& last = vm.last_arrival;
  const bool is_near = last.native_thread == native_thread_number && here - last.native_address < kNearBytes &&
                       last.native_address - here < kNearBytes && running.top - last.top < kNearSlots && last.top - running.top < kNearSlots;
  if (!is_near) [[unlikely]]
    arrive_anew(vm);
}

/// The pending error, or the exception that was kept, goes to the C code whose frame is at `base`, with values up to `top`.
[[noreturn]] void leave_with_error(Thread& thread, Value* base, Value* top);

/// The result of operation(), on `thread`; does not come back when it raised. Operation: a callable that returns a Result.
template <typename Operation>
auto protect(Thread& thread, Operation&& operation) {
  Vm& vm = *thread.vm;
  arrive(vm);
  Value* const base = thread.base;
  Value* const top = thread.top;
  if (vm.current == &thread) [[likely]] {
    const auto result = operation();
    if (!result.ok()) [[unlikely]]
      leave_with_error(thread, base, top);
    return result.value();
  }
  ForeignRun run;
  begin_foreign_run(vm, thread, &run);
  const auto result = operation();
  end_foreign_run(vm, thread, run);
  if (!result.ok()) leave_with_error(*vm.current, vm.current->base, vm.current->top);
  return result.value();
}

/// Collects if that is due. After a value was made and pushed.
inline void safepoint(Thread& thread) {
  if (thread.vm->heap.needs_step()) [[unlikely]]
    protect(thread, [&] { return thread.vm->heap.step(); });
}

}  // namespace mangata::capi
