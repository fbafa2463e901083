#include "jit/baseline/runtime_calls.h"

#include "jit/baseline/safepoint.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/path_event.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

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

/// Pops the frame at `base`, which returns `count` values at `results`. Hooks may have come up while it closed its variables.
int64_t deliver_results(Thread* thread, Value* base, Value* results, int count) {
  if (thread->hook_mask != 0 && !hook_return(*thread->vm, *thread, results, count).ok()) [[unlikely]] return kRaised;
  const FrameHeader* frame = frame_of(base);
  const int parameter_count = function_slot(base)->as_lua_function()->proto->parameter_count;
  Value* destination = result_slot(base, frame, parameter_count);
  thread->base = caller_base(base);
  thread->top = move_results(destination, results, count, frame->wanted_results);
  return thread->hook_mask != 0 ? kLeave : kDone;
}

Status call_any(Vm& vm, Thread& thread, Value* function, int argument_count, const Instruction& in) {
  const int wanted_results = in.c - 1;
  while (!function->is_function()) {
    TRY(prepare_call_metamethod(vm, thread, function, argument_count));
    ++argument_count;
  }
  if (function->is_lua_function()) {
    if (push_lua_frame(vm, thread, function, argument_count, wanted_results, FrameHeader::kEntry) == nullptr) {
      return Raised{};
    }
    if (run(vm, thread) != RunOutcome::Returned) return Raised{};
  } else {
    TRY(call_native(vm, thread, function, argument_count, wanted_results));
  }
  if (wanted_results != kMultipleResults) {
    thread.top = thread.base + function_slot(thread.base)->as_lua_function()->proto->max_stack_slots;
  }
  return vm.heap.safepoint();
}

}  // namespace

int64_t runtime_step(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  if (in.op == Opcode::SetList && in.b == 0) {
    publish_open(thread, base, pc - 1);
  } else {
    publish(thread, base, pc - 1);
  }
  if (step(*thread->vm, *thread) != RunOutcome::Stepped) return kRaised;
  const int64_t taken = frame_of(base)->saved_pc != pc ? kTaken : kDone;
  return must_leave(thread) ? taken | kLeave : taken;
}

int64_t runtime_make_room(Thread* thread, Value* base, const Instruction* pc) {
  publish_open(thread, base, pc);
  return outcome_of(thread, make_room_for_header(*thread->vm, *thread, base + pc[-1].a));
}

int64_t runtime_call(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  Value* function = base + in.a;
  const int argument_count = argument_count_of(thread, function, in);
  if (in.b != 0) {
    publish(thread, base, pc);
  } else {
    publish_open(thread, base, pc);
  }
  return outcome_of(thread, call_any(*thread->vm, *thread, function, argument_count, in));
}

int64_t runtime_return(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  Value* results = base + in.a;
  const int count = result_count_of(thread, results, in);
  publish_open(thread, base, pc);
  if (in.op == Opcode::Return && in.c != 0) {
    if (in.b != 0) thread->top = base + function_slot(base)->as_lua_function()->proto->max_stack_slots;
    if (!close_variables(*thread->vm, *thread, base, Value::nil(), false).ok()) return kRaised;
  }
  return deliver_results(thread, base, results, count);
}

int64_t runtime_generic_for_call(Thread* thread, Value* base, const Instruction* pc) {
  Vm& vm = *thread->vm;
  publish(thread, base, pc);
  Value* ra = base + pc[-1].a;
  const int result_count = pc[-1].c;
  if (generic_for_fast(ra, result_count)) return kDone;
  ra[4] = ra[0];
  ra[4 + kCallOverheadSlots] = ra[1];
  ra[5 + kCallOverheadSlots] = ra[2];
  const Status status = call(vm, ra + 4, 2, result_count);
  if (!status.ok()) return kRaised;
  thread->top = base + function_slot(base)->as_lua_function()->proto->max_stack_slots;
  return outcome_of(thread, vm.heap.safepoint());
}

int64_t runtime_prepare_vararg(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  if (!prepare_vararg(*thread->vm, *thread, base, pc[-1].b).ok()) return kRaised;
  thread->frame()->saved_pc = pc;
  return kDone;
}

int64_t runtime_path_event(Thread*, Value* base, const Instruction* pc) {
  PathCounters& counters = *function_slot(base)->as_lua_function()->proto->path_counters;
  run_path_event(counters, frame_of(base), pc[-1].imm);
  return kDone;
}

int64_t runtime_poll(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  return outcome_of(thread, handle_interrupt(*thread->vm));
}

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
  if (function->is_native_function()) {
    if (!call_native(vm, *thread, function, argument_count, kMultipleResults).ok()) return kFailed;
    if (!vm.heap.safepoint().ok()) return kFailed;
    return {nullptr, deliver_results(thread, base, function, static_cast<int>(thread->top - function))};
  }
  if (!replace_frame(vm, *thread, function, argument_count).ok()) return kFailed;
  Proto& callee = *function_slot(thread->base)->as_lua_function()->proto;
  if (vm.interrupt.load(std::memory_order_relaxed) && !handle_interrupt(vm).ok()) return kFailed;
  if (callee.compiled == nullptr && --callee.entry_countdown < 0) report_hot_function(vm, callee);
  if (may_run_compiled(callee, *thread)) return {callee.compiled->resume_address(callee.code), kDone};
  return {static_cast<Tier*>(vm.native_tier)->thunks.leave_to_interpreter, kDone};
}

}  // namespace mangata::jit
