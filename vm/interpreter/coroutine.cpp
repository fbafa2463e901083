#include "vm/interpreter/coroutine.h"

#include <algorithm>
#include <new>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/compiled_frame.h"
#include "vm/interpreter/context_switch.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/native_stack.h"
#include "vm/interpreter/path_allocations.h"
#include "vm/interpreter/slow_paths.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/operations.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace mangata {
namespace {

#if defined(__SANITIZE_ADDRESS__)
// The address sanitizer keeps a shadow per stack and must be told about every switch.
void announce_switch_to(Thread& target, void** fake_stack) {
  if (target.native_stack != nullptr) {
    __sanitizer_start_switch_fiber(fake_stack, target.stacks->native_low(), NativeStack::kBytes);
  } else {
    __sanitizer_start_switch_fiber(fake_stack, target.vm->main_stack_low, target.vm->main_stack_bytes);
  }
}
void announce_arrival(void* fake_stack, Thread* from) {
  const void* low = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(fake_stack, &low, &bytes);
  if (from != nullptr && from->native_stack == nullptr) {
    from->vm->main_stack_low = low;
    from->vm->main_stack_bytes = bytes;
  }
}
#else
void announce_switch_to(Thread&, void**) {}
void announce_arrival(void*, Thread*) {}
#endif

/// Runs the coroutine's Lua code or native body; everything native it needs lives on the stack it runs on.
RunOutcome run_body(Vm& vm, Thread& coroutine, int argument_count) {
  Value* bottom = coroutine.stack + kCallOverheadSlots;
  if (coroutine.base != bottom) return run_after_yield(vm, coroutine, argument_count);
  Value* function = coroutine.top - argument_count - kCallOverheadSlots;
  while (!function->is_function()) {
    if (!prepare_call_metamethod(vm, coroutine, function, argument_count).ok()) return RunOutcome::Raised;
    ++argument_count;
  }
  if (function->is_native_function()) {
    const bool ok = call_native(vm, coroutine, function, argument_count, kMultipleResults).ok();
    return ok ? RunOutcome::Returned : RunOutcome::Raised;
  }
  if (may_call_compiled(*function->as_lua_function()->proto, coroutine)) {
    const bool ok = call_compiled(vm, coroutine, function, argument_count, kMultipleResults);
    return ok ? RunOutcome::Returned : RunOutcome::Raised;
  }
  if (push_lua_frame(vm, coroutine, function, argument_count, kMultipleResults, FrameHeader::kEntry) ==
      nullptr) {
    return RunOutcome::Raised;
  }
  if (coroutine.hook_mask != 0 && !function_slot(coroutine.base)->as_lua_function()->proto->is_vararg) {
    if (!hook_call(vm, coroutine, false).ok()) return RunOutcome::Raised;
  }
  return run(vm, coroutine);
}

/// First code on a fresh native stack. It ends when the coroutine has yielded from plain Lua code, returned
/// or failed.
void body_entry(void* argument) {
  Thread& coroutine = *static_cast<Thread*>(argument);
  announce_arrival(nullptr, coroutine.resumer);
  try {
    coroutine.outcome = run_body(*coroutine.vm, coroutine, coroutine.transfer_count);
  } catch (const std::bad_alloc&) {
    (void)raise_out_of_memory(*coroutine.vm);
    coroutine.outcome = RunOutcome::Raised;
  }
  announce_switch_to(*coroutine.resumer, nullptr);
  coroutine.stack_is_free = true;
  switch_context(&coroutine.context, coroutine.resumer_context);
  __builtin_unreachable();
}

/// Switches to the coroutine and comes back when it hands over.
void switch_to(Thread& coroutine) {
  void* fake_stack = nullptr;
  announce_switch_to(coroutine, &fake_stack);
  switch_context(&coroutine.resumer_context, coroutine.context);
  announce_arrival(fake_stack, nullptr);
}

/// The coroutine has handed over.
void release_native_stack(Vm& vm, Thread& coroutine) {
  if (!coroutine.stack_is_free) return;
  vm.heap.account(-kNativeStackAccount);
  coroutine.native_stack = nullptr;
}

void acquire_native_stack(Vm& vm, Thread& coroutine) {
  if (coroutine.native_stack != nullptr) return;
  vm.stacks.prepare_native(*coroutine.stacks);
  coroutine.native_stack = coroutine.stacks->native_high();
  vm.heap.account(kNativeStackAccount);
  coroutine.stack_is_free = false;
  coroutine.native_depth = 1;
  coroutine.native_limit = coroutine.stacks->native_low() + kNativeReserveBytes;
  coroutine.region_limit = coroutine.native_stack - kOptimizedBytesOfCoroutine;
  coroutine.context = make_context(coroutine.native_stack, body_entry, &coroutine);
}

void enter(Vm& vm, Thread& coroutine) {
  Thread& from = *vm.current;
  coroutine.resumer = &from;
  from.status = ThreadStatus::Normal;
  coroutine.status = ThreadStatus::Running;
  vm.current = &coroutine;
  if (vm.path_allocations != nullptr) [[unlikely]] {
    vm.path_allocations->change_thread(coroutine, coroutine.base == coroutine.stack + kCallOverheadSlots);
  }
}

void leave(Vm& vm, Thread& coroutine) {
  vm.current = coroutine.resumer;
  vm.current->status = ThreadStatus::Running;
  coroutine.resumer = nullptr;
  if (vm.path_allocations != nullptr) [[unlikely]]
    vm.path_allocations->change_thread(*vm.current, false);
}

/// Makes `coroutine` the running thread while something is done on its behalf.
struct RunningAs {
  RunningAs(Vm& machine, Thread& coroutine) : vm(machine), previous(machine.current), thread(coroutine) {
    enter(vm, thread);
  }
  ~RunningAs() { leave(vm, thread); }
  Vm& vm;
  Thread* previous;
  Thread& thread;
};

/// Leaves the pending error at the top of a coroutine that died of it. Its frames stay, for tracebacks.
ResumeOutcome fail(Vm& vm, Thread& coroutine, int* result_count) {
  coroutine.status = ThreadStatus::Failed;
  cut_all_paths(vm, coroutine);
  Value* top = coroutine.top;
  if (coroutine.frame()->is_lua()) {
    top = std::max(top, frame_top(coroutine.base));
  }
  *top = vm.error;
  coroutine.top = top + 1;
  vm.error = Value::nil();
  *result_count = 1;
  return ResumeOutcome::Failed;
}

}  // namespace

void prepare_coroutine(Thread& coroutine, Value function) { *coroutine.top++ = function; }

bool is_resumable(const Thread& coroutine) {
  const Value* bottom = coroutine.stack + kCallOverheadSlots;
  if (coroutine.status == ThreadStatus::Suspended) return coroutine.base != bottom || coroutine.top > bottom;
  return coroutine.status == ThreadStatus::Dead && coroutine.top > bottom;
}

void open_header(Thread& coroutine, int argument_count) {
  if (coroutine.base != coroutine.stack + kCallOverheadSlots) return;
  Value* arguments = coroutine.top - argument_count;
  for (int i = argument_count; i-- > 0;) arguments[i + kFrameHeaderSlots] = arguments[i];
  for (int i = 0; i < kFrameHeaderSlots; ++i) arguments[i].set_nil();
  coroutine.top += kFrameHeaderSlots;
}

bool start_resume(Vm& vm, Thread& coroutine, int argument_count) {
  const uint32_t depth = vm.current->native_depth;
  if (depth + 1 >= kMaxNativeDepth) [[unlikely]]
    return false;
  acquire_native_stack(vm, coroutine);
  enter(vm, coroutine);
  coroutine.native_depth += depth;
  coroutine.transfer_count = argument_count;
  coroutine.outcome = RunOutcome::Yielded;
  return true;
}

ResumeOutcome finish_resume(Vm& vm, Thread& coroutine, int* result_count) {
  leave(vm, coroutine);
  release_native_stack(vm, coroutine);
  if (coroutine.outcome == RunOutcome::Yielded) [[likely]] {
    coroutine.status = ThreadStatus::Suspended;
    *result_count = coroutine.transfer_count;
    return ResumeOutcome::Yielded;
  }
  if (coroutine.outcome == RunOutcome::Raised) return fail(vm, coroutine, result_count);
  coroutine.status = ThreadStatus::Dead;
  *result_count = static_cast<int>(coroutine.top - (coroutine.stack + kCallOverheadSlots));
  return ResumeOutcome::Returned;
}

ResumeOutcome resume(Vm& vm, Thread& coroutine, int argument_count, int* result_count) {
  if (start_resume(vm, coroutine, argument_count)) {
    switch_to(coroutine);
    return finish_resume(vm, coroutine, result_count);
  }
  const RunningAs running(vm, coroutine);
  (void)raise_plain(vm, "C stack overflow");
  coroutine.top -= argument_count;
  return fail(vm, coroutine, result_count);
}

Raised raise_from_coroutine(Vm& vm, Thread& coroutine, Value error) {
  if (coroutine.status == ThreadStatus::Failed && !close_coroutine(vm, coroutine)) error = *--coroutine.top;
  retire_stack(vm, coroutine);
  if (vm.terminating) return raise_value(vm, error);
  if (error.is_string() && !error.is_identical(Value::string(vm.memory_error))) {
    return raise_plain(vm, where(vm, 1).append(error.as_string()->view()));
  }
  return raise_value(vm, error);
}

Status check_yieldable(Vm& vm, Thread& thread) {
  if (thread.non_yieldable == 0) return {};
  return raise_message(vm, &thread == vm.main_thread ? "attempt to yield from outside a coroutine"
                                                     : "attempt to yield across a C-call boundary");
}

void start_yield(Thread& thread, int value_count) {
  thread.transfer_count = value_count;
  thread.native_depth -= thread.resumer->native_depth;
}

Result<int> yield(Vm& vm, int value_count) {
  Thread& thread = *vm.current;
  TRY(check_yieldable(vm, thread));
  start_yield(thread, value_count);
  void* fake_stack = nullptr;
  announce_switch_to(*thread.resumer, &fake_stack);
  switch_context(&thread.context, thread.resumer_context);
  announce_arrival(fake_stack, thread.resumer);
  if (thread.being_closed) return Raised{};
  return thread.transfer_count;
}

Status unwind_suspended(Vm& vm, Thread& coroutine) {
  if (coroutine.native_stack == nullptr || coroutine.status != ThreadStatus::Suspended) return {};
  const RunningAs running(vm, coroutine);
  coroutine.being_closed = true;
  coroutine.native_depth += running.previous->native_depth;
  switch_to(coroutine);
  release_native_stack(vm, coroutine);
  coroutine.being_closed = false;
  coroutine.status = ThreadStatus::Dead;
  vm.error = Value::nil();
  return {};
}

bool close_coroutine(Vm& vm, Thread& coroutine) {
  const bool failed = coroutine.status == ThreadStatus::Failed;
  Value error = failed ? coroutine.top[-1] : Value::nil();
  Value* bottom = coroutine.stack + kCallOverheadSlots;
  if (coroutine.status == ThreadStatus::Suspended) {
    cut_all_paths(vm, coroutine);
    (void)unwind_suspended(vm, coroutine);
  }
  bool ok = !failed;
  {
    const RunningAs running(vm, coroutine);
    coroutine.native_depth = running.previous->native_depth;
    coroutine.native_limit = running.previous->native_limit;
    coroutine.region_limit = running.previous->region_limit;
    coroutine.activations = 0;
    ++coroutine.non_yieldable;
    Value* live_end =
        coroutine.base > bottom && coroutine.frame()->is_lua() ? frame_top(coroutine.base) : bottom;
    coroutine.top = std::max(coroutine.top, live_end);
    coroutine.base = bottom;
    // Each variable is closed under protection; an error goes on as the error of the variables that remain.
    while (!coroutine.to_be_closed.empty()) {
      Value* slot = coroutine.stack + coroutine.to_be_closed.back();
      if (ok && !vm.terminating) {
        const Value method = vm.metamethod(*slot, Metamethod::Close);
        coroutine.to_be_closed.pop_back();
        close_upvalues(coroutine, slot + 1);
        Value* function = coroutine.top;
        function[0] = method;
        function[1].set_nil();
        function[2].set_nil();
        function[kCallOverheadSlots] = *slot;
        function[kCallOverheadSlots + 1] = Value::nil();
        coroutine.top = function + kCallOverheadSlots + 2;
        if (!protected_call(vm, function, 2, 0, Value::nil())) {
          ok = false;
          error = function[0];
        }
        coroutine.top = function;
      } else {
        (void)close_variables(vm, coroutine, bottom, error, true);
        error = vm.error;
        vm.error = Value::nil();
      }
    }
    close_upvalues(coroutine, bottom);
    --coroutine.non_yieldable;
  }
  coroutine.status = ThreadStatus::Dead;
  coroutine.top = bottom;
  if (!ok) *coroutine.top++ = error;
  return ok;
}

}  // namespace mangata
