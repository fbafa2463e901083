#include "vm/interpreter/compiled_frame.h"

namespace mangata {

void report_hot_function(Vm& vm, Proto& proto) {
  proto.entry_countdown = INT32_MAX;
  if (vm.hooks != nullptr) vm.hooks->function_is_hot(proto);
}

void report_hot_loop(Vm& vm, Proto& proto) {
  proto.loop_countdown = INT32_MAX;
  if (vm.hooks != nullptr) vm.hooks->loop_is_hot(proto);
}

namespace {

bool is_requested(const Vm& vm) { return vm.interrupt.load(std::memory_order_relaxed); }

}  // namespace

Status poll(Vm& vm, Proto& proto) {
  if (is_requested(vm)) return handle_interrupt(vm);
  vm.machine_events.arm(vm.machine_events.armed);
  if (vm.hooks != nullptr) vm.hooks->sample_is_due(proto, vm.machine_events.armed + 1);
  return is_requested(vm) ? handle_interrupt(vm) : Status{};  // of this event
}

Status poll_interpreter(Vm& vm) {
  if (is_requested(vm)) return handle_interrupt(vm);
  vm.interpreter_events.arm(vm.interpreter_events.armed);
  if (vm.hooks != nullptr) vm.hooks->events_interpreted();
  return is_requested(vm) ? handle_interrupt(vm) : Status{};
}

AfterReturn run_compiled(Vm& vm, Thread& thread, const Instruction* pc) {
  Value* base = thread.base;
  // Field by field: the header has just been stored in pieces, and a copy of the whole would wait for them
  // (vm/value/value.h).
  const FrameHeader* frame = frame_of(base);
  const int32_t wanted_results = frame->wanted_results;
  const bool entry = (frame->flags & FrameHeader::kEntry) != 0;
  const Proto& proto = *function_slot(base)->as_lua_function()->proto;
  // Until PrepareVararg has run, extra_args counts all arguments and the frame is where its caller put it.
  const bool at_start = proto.is_start(pc);
  Value* destination = at_start ? function_slot(base) : result_slot(base, frame, proto.parameter_count);
  Value* caller = base - frame->caller_delta_slots;
  ++thread.activations;
  const int64_t outcome = vm.native_tier->resume(&thread, base, pc);
  --thread.activations;
  if (outcome < 0) return AfterReturn::Raised;
  thread.base = caller;
  if (wanted_results != kMultipleResults) {
    thread.top = entry ? destination + wanted_results : frame_top(caller);
  }
  return entry ? AfterReturn::Leave : AfterReturn::Continue;
}

bool call_compiled(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results) {
  Value* caller = thread.base;
  Value* base = function + kCallOverheadSlots;
  write_frame_header(frame_of(base), nullptr, wanted_results, static_cast<uint32_t>(base - caller), 0,
                     FrameHeader::kEntry);
  ++thread.activations;
  const int64_t outcome = vm.native_tier->call(&thread, base, argument_count);
  --thread.activations;
  if (outcome < 0) return false;
  thread.base = caller;
  if (wanted_results != kMultipleResults) thread.top = function + wanted_results;
  return true;
}

RunOutcome run_left_frame(Vm& vm, Thread& thread) {
  thread.frame()->flags |= FrameHeader::kEntry;
  ++thread.activations;
  const RunOutcome outcome = run_left(vm, thread);
  --thread.activations;
  return outcome;
}

}  // namespace mangata
