#include "jit/abi/runtime_calls_switch.h"

#include "jit/abi/runtime_calls_calls.h"
#include "jit/abi/safepoint.h"
#include "vm/interpreter/coroutine.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/operations.h"

namespace mangata::jit {
namespace {

/// The operands of a Call, or of the call that a GenericForCall has set up.
struct CallSite {
  CallSite(const Thread* thread, Value* base, const Instruction& in) {
    if (in.op == Opcode::GenericForCall) {
      function = base + in.a + 4;
      argument_count = 2;
      wanted_results = in.c;
    } else {
      function = base + in.a;
      argument_count = in.b != 0 ? in.b - 1 : static_cast<int>(thread->top - arguments());
      wanted_results = in.c - 1;
    }
  }
  Value* arguments() const { return function + kCallOverheadSlots; }
  NativeId id() const { return static_cast<NativeId>(function->as_native_function()->type_byte); }

  Value* function;
  int argument_count;
  int wanted_results;
};

/// Null: the call is an error, or needs what resume() does on the way.
Thread* coroutine_to_resume(const CallSite& site, bool is_wrapped) {
  Value thread = Value::nil();
  if (is_wrapped) {
    thread = site.function->as_native_function()->upvalues[0];
  } else if (site.argument_count > 0) {
    thread = *site.arguments();
  }
  if (!thread.is_thread() || !is_resumable(*thread.as_thread())) return nullptr;
  Thread* coroutine = thread.as_thread();
  const bool has_room =
      coroutine->top + site.argument_count + kMinimumNativeSlots <= coroutine->stack_soft_limit;
  return has_room ? coroutine : nullptr;
}

StackSwitch start_yield_at(Thread* thread, const CallSite& site, const Value* base) {
  if (thread->non_yieldable > 0) return {nullptr, nullptr};
  Value* yield_base = site.arguments();
  write_frame_header(frame_of(yield_base), nullptr, site.wanted_results,
                     static_cast<uint32_t>(yield_base - base), 0, FrameHeader::kNative);
  thread->base = yield_base;
  thread->top = yield_base + site.argument_count;
  start_yield(*thread, site.argument_count);
  return {thread->resumer_context, &thread->context};
}

StackSwitch start_resume_at(Thread* thread, const CallSite& site, const Value* base, bool is_wrapped) {
  Thread* coroutine = coroutine_to_resume(site, is_wrapped);
  if (coroutine == nullptr) return {nullptr, nullptr};
  Value* callee_base = site.arguments();
  if (callee_base + site.argument_count + kMinimumNativeSlots > thread->stack_soft_limit)
    return {nullptr, nullptr};
  const int first = is_wrapped ? 0 : 1;
  if (!start_resume(*thread->vm, *coroutine, site.argument_count - first)) return {nullptr, nullptr};
  open_header(*coroutine, 0);
  for (int i = first; i < site.argument_count; ++i) *coroutine->top++ = callee_base[i];
  write_frame_header(frame_of(callee_base), nullptr, site.wanted_results,
                     static_cast<uint32_t>(callee_base - base), 0, FrameHeader::kNative);
  thread->base = callee_base;
  thread->top = callee_base + first;
  return {coroutine->context, &coroutine->resumer_context};
}

/// `count` results of yield, above its frame. Returns the end of the results.
Result<Value*> finish_yield(Thread* thread, const CallSite& site) {
  if (thread->being_closed) return Raised{};
  const int count = thread->transfer_count;
  if (thread->hook_mask != 0) TRY(hook_return(*thread->vm, *thread, thread->top - count, count));
  return move_results(site.function, thread->top - count, count, site.wanted_results);
}

/// Moves the results of coroutine.resume, the first of which is `ok`.
Value* move_flagged_results(const CallSite& site, bool ok, const Value* values, int count) {
  if (site.wanted_results == 0) return site.function;
  site.function[0] = Value::boolean(ok);
  const int wanted = site.wanted_results == kMultipleResults ? kMultipleResults : site.wanted_results - 1;
  return move_results(site.function + 1, values, count, wanted);
}

Result<Value*> finish_resume_at(Thread* thread, const CallSite& site, bool is_wrapped) {
  Vm& vm = *thread->vm;
  Thread& coroutine =
      *(is_wrapped ? site.function->as_native_function()->upvalues[0] : *site.arguments()).as_thread();
  int count = 0;
  if (finish_resume(vm, coroutine, &count) == ResumeOutcome::Failed) {
    const Value error = coroutine.top[-1];
    *thread->top++ = error;
    if (is_wrapped) return raise_from_coroutine(vm, coroutine, error);
    if (vm.terminating) return raise_value(vm, error);
    if (thread->hook_mask != 0) TRY(hook_return(vm, *thread, thread->top - 1, 1));
    return move_flagged_results(site, false, &error, 1);
  }
  coroutine.top -= count;
  if (!make_stack_room(*thread, thread->top, count + 1)) {
    const Value message = vm.string_value("too many results to resume");
    *thread->top++ = message;
    if (is_wrapped) return raise_from_coroutine(vm, coroutine, message);
    return move_flagged_results(site, false, &message, 1);
  }
  if (thread->hook_mask != 0) {
    for (int i = 0; i < count; ++i) *thread->top++ = coroutine.top[i];
    TRY(hook_return(vm, *thread, thread->top - count, count));
  }
  Value* end = is_wrapped ? move_results(site.function, coroutine.top, count, site.wanted_results)
                          : move_flagged_results(site, true, coroutine.top, count);
  retire_stack(vm, coroutine);
  return end;
}

}  // namespace

StackSwitch runtime_start_switch(Thread* thread, Value* base, const Instruction* pc) {
  const CallSite site(thread, base, pc[-1]);
  frame_of(base)->saved_pc = pc;
  const NativeId id = site.id();
  if (id == NativeId::Yield) return start_yield_at(thread, site, base);
  return start_resume_at(thread, site, base, id == NativeId::ResumeWrapped);
}

int64_t runtime_finish_switch(Thread* thread, Value* base, const Instruction* pc) {
  const CallSite site(thread, base, pc[-1]);
  const NativeId id = site.id();
  const Result<Value*> end = id == NativeId::Yield
                                 ? finish_yield(thread, site)
                                 : finish_resume_at(thread, site, id == NativeId::ResumeWrapped);
  if (!end.ok()) [[unlikely]]
    return kRaised;
  thread->base = base;
  thread->top = site.wanted_results == kMultipleResults ? end.value() : frame_top(base);
  if (thread->vm->heap.needs_step() && !thread->vm->heap.step().ok()) [[unlikely]]
    return kRaised;
  return must_leave(thread) ? kLeave : kDone;
}

int64_t runtime_call_without_switch(Thread* thread, Value* base, const Instruction* pc) {
  return pc[-1].op == Opcode::GenericForCall ? runtime_generic_for_call(thread, base, pc)
                                             : runtime_call(thread, base, pc);
}

}  // namespace mangata::jit
