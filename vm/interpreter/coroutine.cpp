#include "vm/interpreter/coroutine.h"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/native_stack.h"
#include "vm/operations/operations.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace mangata {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

/// Why a coroutine's native stack switched back to its resumer.
enum class Handover : intptr_t {
  Unwound,       ///< its activation is over (yielded from plain Lua code, returned or failed): the stack is free
  KeepsStack,    ///< it yielded from inside native code
};

/// What happened, left in the thread by the activation that ended.
struct Activation {
  Vm* vm;
  Thread* coroutine;
  int argument_count;
};

#if defined(__SANITIZE_ADDRESS__)
// The address sanitizer keeps a shadow per stack and must be told about every switch.
void announce_switch_to(Thread& target, void** fake_stack) {
  if (target.native_stack != nullptr) {
    __sanitizer_start_switch_fiber(fake_stack, target.native_stack->low, NativeStack::kBytes);
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
  if (push_lua_frame(vm, coroutine, function, argument_count, kMultipleResults, FrameHeader::kEntry) == nullptr) {
    return RunOutcome::Raised;
  }
  if (coroutine.hook_mask & kHookCall) {
    if (!hook_call(vm, coroutine, false).ok()) return RunOutcome::Raised;
  }
  return run(vm, coroutine);
}

/// First code on a fresh native stack.
void body_entry(transfer_t transfer) {
  auto* activation = static_cast<Activation*>(transfer.data);
  Thread& coroutine = *activation->coroutine;
  announce_arrival(nullptr, coroutine.resumer);
  coroutine.resumer_context = transfer.fctx;
  coroutine.outcome = run_body(*activation->vm, coroutine, activation->argument_count);
  announce_switch_to(*coroutine.resumer, nullptr);
  jump_fcontext(coroutine.resumer_context, reinterpret_cast<void*>(Handover::Unwound));
  __builtin_unreachable();
}



/// Switches to the coroutine and comes back when it hands over. False: no native stack could be had.
bool switch_to(Vm& vm, Thread& coroutine, int argument_count) {
  Activation activation{&vm, &coroutine, argument_count};
  void* target = coroutine.context;
  void* argument = nullptr;
  if (coroutine.native_stack == nullptr) {
    coroutine.native_stack = vm.native_stacks.take();
    if (coroutine.native_stack == nullptr) return false;
    coroutine.native_limit = coroutine.native_stack->low + kNativeReserveBytes;
    target = make_fcontext(coroutine.native_stack->high(), NativeStack::kBytes, body_entry);
    argument = &activation;
  }
  void* fake_stack = nullptr;
  announce_switch_to(coroutine, &fake_stack);
  const transfer_t back = jump_fcontext(static_cast<fcontext_t>(target), argument);
  announce_arrival(fake_stack, nullptr);
  if (static_cast<Handover>(reinterpret_cast<intptr_t>(back.data)) == Handover::KeepsStack) {
    coroutine.context = back.fctx;
  } else {
    vm.native_stacks.give_back(coroutine.native_stack);
    coroutine.native_stack = nullptr;
  }
  return true;
}

/// Makes `coroutine` the running thread while `body` runs on its behalf.
struct RunningAs {
  RunningAs(Vm& machine, Thread& coroutine) : vm(machine), previous(machine.current), thread(coroutine) {
    thread.resumer = previous;
    previous->status = ThreadStatus::Normal;
    thread.status = ThreadStatus::Running;
    vm.current = &thread;
  }
  ~RunningAs() {
    vm.current = previous;
    previous->status = ThreadStatus::Running;
    thread.resumer = nullptr;
  }
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
    top = std::max(top, coroutine.base + function_slot(coroutine.base)->as_lua_function()->proto->max_stack_slots);
  }
  *top = vm.error;
  coroutine.top = top + 1;
  vm.error = Value::nil();
  *result_count = 1;
  return ResumeOutcome::Failed;
}

}  // namespace

void prepare_coroutine(Thread& coroutine, Value function) {
  *coroutine.top++ = function;
  *coroutine.top++ = Value::nil();
  *coroutine.top++ = Value::nil();
}

ResumeOutcome resume(Vm& vm, Thread& coroutine, int argument_count, int* result_count) {
  Thread& from = *vm.current;
  const RunningAs running(vm, coroutine);
  coroutine.native_depth = from.native_depth + 1;
  if (coroutine.native_depth >= kMaxNativeDepth) {
    (void)raise_plain(vm, "C stack overflow");
    coroutine.top -= argument_count;
    return fail(vm, coroutine, result_count);
  }
  coroutine.transfer_count = argument_count;
  coroutine.outcome = RunOutcome::Yielded;
  if (!switch_to(vm, coroutine, argument_count)) {
    (void)raise_out_of_memory(vm);
    return fail(vm, coroutine, result_count);
  }
  if (coroutine.native_stack != nullptr || coroutine.outcome == RunOutcome::Yielded) {
    coroutine.status = ThreadStatus::Suspended;
    *result_count = coroutine.transfer_count;
    return ResumeOutcome::Yielded;
  }
  if (coroutine.outcome == RunOutcome::Raised) return fail(vm, coroutine, result_count);
  coroutine.status = ThreadStatus::Dead;
  *result_count = static_cast<int>(coroutine.top - (coroutine.stack + kCallOverheadSlots));
  return ResumeOutcome::Returned;
}

Status check_yieldable(Vm& vm, Thread& thread) {
  if (&thread == vm.main_thread) return raise_message(vm, "attempt to yield from outside a coroutine");
  if (thread.non_yieldable > 0) return raise_message(vm, "attempt to yield across a C-call boundary");
  return {};
}

Result<int> yield(Vm& vm, int value_count) {
  Thread& thread = *vm.current;
  TRY(check_yieldable(vm, thread));
  thread.transfer_count = value_count;
  const uint32_t depth_within = thread.native_depth - thread.resumer->native_depth;
  void* fake_stack = nullptr;
  announce_switch_to(*thread.resumer, &fake_stack);
  const transfer_t back =
      jump_fcontext(static_cast<fcontext_t>(thread.resumer_context), reinterpret_cast<void*>(Handover::KeepsStack));
  announce_arrival(fake_stack, thread.resumer);
  thread.resumer_context = back.fctx;
  thread.native_depth = thread.resumer->native_depth + depth_within;
  if (thread.being_closed) return Raised{};
  return thread.transfer_count;
}

Status unwind_suspended(Vm& vm, Thread& coroutine) {
  if (coroutine.native_stack == nullptr || coroutine.status != ThreadStatus::Suspended) return {};
  const RunningAs running(vm, coroutine);
  coroutine.being_closed = true;
  (void)switch_to(vm, coroutine, 0);
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
    coroutine.activations = 0;
    ++coroutine.non_yieldable;
    Value* live_end = coroutine.base > bottom && coroutine.frame()->is_lua()
                          ? coroutine.base + function_slot(coroutine.base)->as_lua_function()->proto->max_stack_slots
                          : bottom;
    coroutine.top = std::max(coroutine.top, live_end);
    coroutine.base = bottom;
    // Each variable is closed under protection; an error goes on as the error of the variables that remain.
    while (!coroutine.to_be_closed.empty()) {
      Value* slot = coroutine.stack + coroutine.to_be_closed.back();
      if (ok) {
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
