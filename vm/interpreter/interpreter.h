// The bytecode interpreter: one dispatch loop (interpreter.cpp), handlers by family (handlers/*.inc).
//
// [DESIGN] Lua-to-Lua calls do not recurse: they push a frame and go on. run() returns when the frame flagged kEntry
// returns, when an error is raised (the frames stay for the message handler; whoever catches cuts them off), or when the
// coroutine suspends from plain Lua code. Between instructions Thread::top is base + max_stack_slots, except after an
// instruction that leaves an open number of results (operands b or c = 0), whose consumer comes next.
#pragma once

#include "vm/vm.h"

namespace mangata {

enum class RunOutcome : uint8_t {
  Returned,  ///< results at the function slot of the entry frame, Thread::top after the last
  Raised,
  Yielded,   ///< the coroutine suspends; its innermost frame is that of yield, called by a Lua frame
  Hot,       ///< of run_left() only: the frame is to go on in compiled code, at its saved pc
  Stepped,   ///< of step() only
};

/// Runs the Lua frame at thread.base, which has just been pushed with kEntry; in compiled code when the function has some.
RunOutcome run(Vm& vm, Thread& thread);

/// Runs the Lua frame at thread.base, flagged kEntry, from its saved pc on; the frame itself stays in the interpreter until a
/// loop in it is hot.
RunOutcome run_interpreted(Vm& vm, Thread& thread);

/// The same for a frame that compiled code has left, until it returns or is hot again.
RunOutcome run_left(Vm& vm, Thread& thread);

/// Executes the one instruction at the saved pc of the frame at thread.base; afterwards the saved pc is the next one to
/// execute. Not for calls, returns and PrepareVararg. Precondition: Thread::top as between instructions.
RunOutcome step(Vm& vm, Thread& thread);

/// Gives the yield that suspended plain Lua code its results (resume's arguments, at the top of the stack) and runs on.
RunOutcome run_after_yield(Vm& vm, Thread& thread, int argument_count);

/// Whether a function that begins at this address is the one whose native frame says that the frame at Thread::base is interpreted.
bool is_interpreter_loop(const void* function);

// --- frames (frames.cpp), shared with operations/call.cpp

/// Pushes the frame of a Lua function; its arguments lie at function[kCallOverheadSlots...]. Null: stack overflow was raised.
Value* push_lua_frame(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results, uint32_t flags);

/// Calls a native function to its end: results go to function[0...], adjusted to `wanted_results`, Thread::top after the
/// last one. The caller restores nothing: Thread::base is what it was.
Status call_native(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results);

/// Puts the __call metamethod of function[0] in its place, the old value becoming the first argument.
Status prepare_call_metamethod(Vm& vm, Thread& thread, Value* function, int argument_count);

/// The open arguments of a compact call begin right after the function: moves them up to leave the holes of a frame header.
Status make_room_for_header(Vm& vm, Thread& thread, Value* function);

/// Moves `count` results to `destination`, adjusted to `wanted_results`; returns the end of the results.
inline Value* move_results(Value* destination, const Value* results, int count, int wanted_results) {
  if (wanted_results == kMultipleResults) wanted_results = count;
  int i = 0;
  for (; i < wanted_results && i < count; ++i) destination[i] = results[i];
  for (; i < wanted_results; ++i) destination[i].set_nil();
  return destination + wanted_results;
}

/// Where the results of the frame at `base` go: the slot its caller put the function in.
inline Value* result_slot(Value* base, const FrameHeader* frame, int parameter_count) {
  Value* function = base - kCallOverheadSlots;
  if (frame->extra_args == 0) return function;
  return function - (frame->extra_args + static_cast<uint32_t>(parameter_count) + kCallOverheadSlots);
}

// --- hooks (hooks.cpp; manual §6.10 debug.sethook)
enum HookMask : uint8_t {
  kHookCall = 1,
  kHookReturn = 2,
  kHookLine = 4,
  kHookCount = 8,
  /// No hook: debug.setlocal has changed a register of a frame. From then on the thread runs no compiled code, which relies
  /// on what its instructions put into registers (jit/baseline/known_types.h).
  kLocalsChanged = 16,
  /// No hook either: InstructionRecorder (vm/tier_hooks.h) hears of every instruction.
  kRecording = 32,
};

/// Before every instruction while line or count hooks are set, or the layers above record. `pc` is the instruction about to run.
Status hook_instruction(Vm& vm, Thread& thread, const Instruction* pc);
/// On entry; the frame is pushed. `tail` reports "tail call".
Status hook_call(Vm& vm, Thread& thread, bool tail);
/// Before the frame at thread.base returns `count` results at `results`.
Status hook_return(Vm& vm, Thread& thread, Value* results, int count);

}  // namespace mangata
