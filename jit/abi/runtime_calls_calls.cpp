#include "jit/abi/runtime_calls_calls.h"

#include "jit/abi/compiled_code.h"
#include "jit/abi/safepoint.h"
#include "vm/interpreter/native_call.h"
#include "vm/operations/operations.h"
#include "vm/operations/protected_call.h"

namespace mangata::jit {
namespace {

int argument_count_of(const Thread* thread, const Value* function, const Instruction& in) {
  return in.b != 0 ? in.b - 1 : static_cast<int>(thread->top - (function + kCallOverheadSlots));
}

int result_count_of(const Thread* thread, const Value* results, const Instruction& in) {
  if (in.op == Opcode::Return0) return 0;
  if (in.op == Opcode::Return1) return 1;
  return in.b != 0 ? in.b - 1 : static_cast<int>(thread->top - results);
}

/// Pops the frame at `base`, which returns `count` values at `results`. Hooks may have come up while it
/// closed its variables.
int64_t deliver_results(Thread* thread, Value* base, Value* results, int count) {
  if (thread->hook_mask != 0 && !hook_return(*thread->vm, *thread, results, count).ok()) [[unlikely]]
    return kRaised;
  const FrameHeader* frame = frame_of(base);
  const int parameter_count = function_slot(base)->as_lua_function()->proto->parameter_count;
  Value* destination = result_slot(base, frame, parameter_count);
  thread->base = caller_base(base);
  thread->top = move_results(destination, results, count, frame->wanted_results);
  return thread->hook_mask != 0 ? kLeave : kDone;
}

/// Everything but native functions, which the fast way has dealt with.
Status call_other(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results) {
  while (!function->is_function()) {
    TRY(prepare_call_metamethod(vm, thread, function, argument_count));
    ++argument_count;
  }
  if (function->is_native_function()) {
    const DirectCode direct = function->as_native_function()->direct;
    const int count =
        direct == nullptr || thread.hook_mask != 0 ? kNotDirect : direct(vm, function, argument_count);
    if (count == kNotDirect) return call_native(vm, thread, function, argument_count, wanted_results);
    thread.top = function + count;
    for (int i = count; i < wanted_results; ++i) function[i].set_nil();
    return {};
  }
  if (may_call_compiled(*function->as_lua_function()->proto, thread))
    return call_compiled(vm, thread, function, argument_count, wanted_results) ? Status{} : Raised{};
  if (push_lua_frame(vm, thread, function, argument_count, wanted_results, FrameHeader::kEntry) == nullptr) {
    return Raised{};
  }
  return run(vm, thread) == RunOutcome::Returned ? Status{} : Raised{};
}

bool is_protected_call(const Value& function) {
  const auto id = static_cast<NativeId>(function.as_native_function()->type_byte);
  return id == NativeId::Pcall || id == NativeId::Xpcall;
}

/// Native functions, most of which are short.
[[gnu::always_inline]] inline Status call_native_quickly(Vm& vm, Thread& thread, Value* function,
                                                         int argument_count, int wanted_results) {
  if (is_protected_call(*function) &&
      TRY(pcall_compiled(vm, thread, function, argument_count, wanted_results)))
    return {};
  return call_native_inline(vm, thread, function, argument_count, wanted_results);
}

/// Thread::top is right again.
inline int64_t after_call(Thread* thread) {
  Heap& heap = thread->vm->heap;
  if (heap.needs_step() && !heap.step().ok()) [[unlikely]]
    return kRaised;
  return must_leave(thread) ? kLeave : kDone;
}

int64_t call_and_adjust(Thread* thread, Value* base, Value* function, int argument_count,
                        int wanted_results) {
  Vm& vm = *thread->vm;
  const Status status = function->is_native_function()
                            ? call_native(vm, *thread, function, argument_count, wanted_results)
                            : call_other(vm, *thread, function, argument_count, wanted_results);
  if (!status.ok()) [[unlikely]]
    return kRaised;
  if (wanted_results != kMultipleResults) {
    thread->top = frame_top(base);
  }
  return after_call(thread);
}

}  // namespace

PartOutcome runtime_make_room(Thread* thread, Value* base, const Instruction* pc) {
  publish_open(thread, base, pc);
  return make_room_for_header(*thread->vm, *thread, base + pc[-1].a).ok() ? PartOutcome::Done
                                                                          : PartOutcome::Raised;
}

int64_t runtime_call(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  Value* function = base + in.a;
  const int argument_count = argument_count_of(thread, function, in);
  if (in.b == 0) {
    publish_open(thread, base, pc);
    return call_and_adjust(thread, base, function, argument_count, in.c - 1);
  }
  publish(thread, base, pc);
  if (function->is_native_function() && in.c != 0) [[likely]] {
    Value* const top = thread->top;
    if (!call_native_quickly(*thread->vm, *thread, function, argument_count, in.c - 1).ok()) [[unlikely]]
      return kRaised;
    thread->top = top;
    return after_call(thread);
  }
  return call_and_adjust(thread, base, function, argument_count, in.c - 1);
}

int64_t runtime_resolve_call(Vm* vm, Value* function, int64_t argument_count) {
  // Those of the library ffi have a native one.
  if (function->is_userdata() && function->as_userdata()->kind() == UserdataKind::Foreign) return kNotDirect;
  const Value method = vm->metamethod(*function, Metamethod::Call);
  Value* arguments = function + kCallOverheadSlots;
  if (!method.is_lua_function() || arguments + argument_count >= vm->current->stack_soft_limit)
    return kNotDirect;
  for (int64_t i = argument_count; i > 0; --i) arguments[i] = arguments[i - 1];
  arguments[0] = *function;
  *function = method;
  return argument_count + 1;
}

int64_t runtime_generic_for_call(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  return call_and_adjust(thread, base, base + pc[-1].a + 4, 2, pc[-1].c);
}

int64_t runtime_safepoint_after_call(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  if (in.op == Opcode::Call && in.c == 0) {
    publish_open(thread, base, pc);
  } else {
    publish(thread, base, pc);
  }
  return outcome_of(thread, thread->vm->heap.step());
}

int64_t runtime_return(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  Value* results = base + in.a;
  const int count = result_count_of(thread, results, in);
  publish_open(thread, base, pc);
  if (in.op == Opcode::Return && in.c != 0) {
    if (in.b != 0) thread->top = frame_top(base);
    if (!close_variables(*thread->vm, *thread, base, Value::nil(), false).ok()) return kRaised;
  }
  return deliver_results(thread, base, results, count);
}

int64_t runtime_return_open(Thread* thread, Value* base, const Instruction* pc) {
  publish_open(thread, base, pc);
  if (!thread->vm->heap.safepoint().ok()) return kRaised;
  Value* results = base + pc[-1].a;
  return deliver_results(thread, base, results, static_cast<int>(thread->top - results));
}

bool runtime_iterate(Value* control, int result_count) { return generic_for_fast(control, result_count); }

PartOutcome runtime_prepare_vararg(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  if (!prepare_vararg(*thread->vm, *thread, base, pc[-1].b).ok()) return PartOutcome::Raised;
  thread->frame()->saved_pc = pc;
  return PartOutcome::Done;
}

namespace {

/// A tail call of a native function is a call whose results are returned.
TailTarget tail_call_native(Thread* thread, Value* base, Value* function, int argument_count) {
  constexpr TailTarget kFailed{nullptr, kRaised};
  Vm& vm = *thread->vm;
  const DirectCode direct = function->as_native_function()->direct;
  const int count = direct != nullptr ? direct(vm, function, argument_count) : kNotDirect;
  if (count >= 0) {
    thread->top = function + count;
  } else if (!call_native(vm, *thread, function, argument_count, kMultipleResults).ok()) {
    return kFailed;
  }
  if (!vm.heap.safepoint().ok()) return kFailed;
  return {nullptr, deliver_results(thread, base, function, static_cast<int>(thread->top - function))};
}

}  // namespace

TailTarget runtime_tail_call(Thread* thread, Value* base, const Instruction* pc) {
  Vm& vm = *thread->vm;
  const Instruction& in = pc[-1];
  Value* function = base + in.a;
  constexpr TailTarget kFailed{nullptr, kRaised};
  publish_open(thread, base, pc);
  if (in.b == 0 && in.d != 0 && !make_room_for_header(vm, *thread, function).ok()) return kFailed;
  int argument_count = argument_count_of(thread, function, in);
  if (in.b != 0) publish(thread, base, pc);
  if (in.c != 0) close_upvalues(*thread, base);
  while (!function->is_function()) {
    if (!prepare_call_metamethod(vm, *thread, function, argument_count).ok()) return kFailed;
    ++argument_count;
  }
  if (function->is_native_function()) return tail_call_native(thread, base, function, argument_count);
  if (!replace_frame(vm, *thread, function, argument_count).ok()) return kFailed;
  Proto& callee = *function_slot(thread->base)->as_lua_function()->proto;
  if (!count_call(vm).ok()) return kFailed;
  if ((callee.compiled == nullptr || !callee.compiled->is_whole()) && --callee.entry_countdown < 0)
    report_hot_function(vm, callee);
  thread->frame()->saved_pc = callee.code;
  if (may_run_compiled(callee, *thread, callee.code))
    return {callee.compiled->resume_address(callee.code), kDone};
  return {static_cast<Tier*>(vm.native_tier)->thunks.leave_to_interpreter, kDone};
}

}  // namespace mangata::jit
