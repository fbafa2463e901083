// The clock of policies that change their mind: compiled code counts calls and backedges down in Proto::sample_countdown, and
// asks at zero (TierHooks::sample_is_due). Functions under other policies are compiled without.
#include "jit/baseline/compiler.h"
#include "jit/baseline/safepoint.h"
#include "vm/interpreter/version_change.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

void ask(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  report_due_sample(*thread->vm, *function_slot(base)->as_lua_function()->proto);
}

/// At the start of a function. The running call stays in its version of the code.
int64_t runtime_sample_call(Thread* thread, Value* base, const Instruction* pc) {
  ask(thread, base, pc);
  return must_leave(thread) ? kLeave : kDone;
}

/// Before going back to `pc`. When another version has come into force, the frame changes over, through the interpreter.
int64_t runtime_sample_loop(Thread* thread, Value* base, const Instruction* pc) {
  ask(thread, base, pc);
  Proto& proto = *function_slot(base)->as_lua_function()->proto;
  const Instruction* next = change_version(proto, base, pc);
  if (next == pc) return must_leave(thread) ? kLeave : kDone;
  frame_of(base)->saved_pc = next;
  proto.loop_countdown = 0;  // back into machine code at the next backedge
  return kLeave;
}

}  // namespace

void BaselineCompiler::emit_countdown(RuntimeCall call, const Instruction* target) {
  if (!counts_down_) return;
  const Label resume = a_.newLabel();
  const Label due = slow_path([this, call, target, resume] {
    emit_runtime_call_at(reinterpret_cast<uint64_t>(call), target);
    emit_check_outcome();
    a_.jmp(resume);
  });
  load_immediate(rax, address_of(&proto_->sample_countdown));
  a_.sub(dword_ptr(rax), 1);
  a_.js(due);
  a_.bind(resume);
}

/// Where a frame is complete for the first time.
void BaselineCompiler::emit_call_countdown() {
  if (pc_ == (proto_->is_vararg ? 1 : 0)) emit_countdown(runtime_sample_call, proto_->code + pc_);
}

void BaselineCompiler::emit_loop_countdown(const Instruction* target) { emit_countdown(runtime_sample_loop, target); }

}  // namespace mangata::jit
