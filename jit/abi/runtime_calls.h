// What baseline code calls in the runtime: C++ functions with one signature.
//
// Each stores the base and the saved pc in the thread and its frame, sets Thread::top as the interpreter has it between
// instructions, and so is a safepoint; it returns an Outcome (jit/abi/frame_layout.h). `pc` is one past the running instruction.
//
// [DESIGN] The pc that a runtime call publishes is what errors and tracebacks name, and also where the frame goes on when it leaves
// compiled code. Behind a whole instruction these are one and the same, so only calls that execute one to its end may ask to leave
// (RuntimeCall). What comes before the instruction's effect is of another type (RuntimePart): its outcome cannot say kLeave, and
// emit_generic() does not take it. A frame that left there would skip what the instruction has still to do.
#pragma once

#include <cstdint>

#include "jit/abi/frame_layout.h"
#include "vm/vm.h"

namespace mangata::jit {

using RuntimeCall = int64_t (*)(Thread* thread, Value* base, const Instruction* pc);

enum class PartOutcome : int64_t {
  Raised = kRaised,
  Done = kDone
};
/// The beginning of an instruction, which goes on in compiled code whatever happens, unless an error was raised.
using RuntimePart = PartOutcome (*)(Thread* thread, Value* base, const Instruction* pc);

/// Any instruction but calls, returns and PrepareVararg, as the interpreter executes it.
int64_t runtime_step(Thread* thread, Value* base, const Instruction* pc);
/// A PathEvent, on the path register in the frame, which is to be loaded again afterwards.
int64_t runtime_path_event(Thread* thread, Value* base, const Instruction* pc);
/// Vm::machine_events has ended at a backedge, the instruction before `pc`; the frame goes on where it leads. When another version of
/// the code has come into force, it changes over, through the interpreter.
int64_t runtime_poll(Thread* thread, Value* base, const Instruction* pc);
/// The same at the start of a function.
int64_t runtime_poll_call(Thread* thread, Value* base, const Instruction* pc);

/// Where a tail call goes on: at `address` with the frame at Thread::base; null: the function has returned with `outcome`.
struct TailTarget {
  const void* address;  ///< of the callee's compiled code
  int64_t outcome;  ///< an Outcome, where address is null
};

}  // namespace mangata::jit
