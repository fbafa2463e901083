#include "jit/abi/runtime_calls.h"

#include "jit/abi/safepoint.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/path_event.h"
#include "vm/interpreter/version_change.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

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

int64_t runtime_path_event(Thread*, Value* base, const Instruction* pc) {
  PathCounters& counters = *function_slot(base)->as_lua_function()->proto->counters_at(pc);
  run_path_event(counters, frame_of(base), pc[-1].imm);
  return kDone;
}

int64_t runtime_poll(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  Proto& proto = *function_slot(base)->as_lua_function()->proto;
  // An error is one of the backedge, whose events have not happened yet.
  const Status status = poll(*thread->vm, proto);
  if (!status.ok()) return kRaised;
  const Instruction* target = pc + pc[-1].imm;
  const Instruction* next = change_version(proto, base, target);
  frame_of(base)->saved_pc = next;
  if (next == target) return outcome_of(thread, status);
  proto.loop_countdown = 0;  // back into machine code at the next backedge
  return kLeave;
}

int64_t runtime_poll_call(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  return outcome_of(thread, poll(*thread->vm, *function_slot(base)->as_lua_function()->proto));
}

}  // namespace mangata::jit
