// How the interpreter hands a frame over to compiled code, and takes over what that code leaves behind.
//
// [DESIGN] All tiers share one frame layout (vm/object/frame.h), so control passes between them at any instruction, without
// translation: NativeTier::resume runs a complete frame from any pc to its return on the native stack. It returns 0, or a
// negative number when an error was raised; frames of an error stay where they are, as with the interpreter. Compiled code
// never runs while debug hooks are set, nor when the native stack is nearly used up: deep recursion goes on in the
// interpreter, which needs no native stack for Lua-to-Lua calls.
//
// Read next: vm/tier_hooks.h (who decides what is compiled), jit/README.md.
#pragma once

#include "vm/bytecode/proto.h"
#include "vm/interpreter/slow_paths.h"

namespace mangata {

/// From `pc` on.
inline bool may_run_compiled(const Proto& proto, const Thread& thread, const Instruction* pc) {
  return proto.compiled_at(pc) != nullptr && thread.hook_mask == 0 &&
         static_cast<const char*>(__builtin_frame_address(0)) > thread.native_limit;
}

/// From the start.
inline bool may_call_compiled(const Proto& proto, const Thread& thread) {
  return proto.compiled != nullptr && thread.hook_mask == 0 &&
         static_cast<const char*>(__builtin_frame_address(0)) > thread.native_limit;
}

/// Whether the instruction before `pc` has left an open number of results, up to Thread::top, for the one at `pc`.
inline bool follows_open_results(const Proto& proto, const Instruction* pc) {
  return !proto.is_start(pc) && (pc[-1].op == Opcode::Call || pc[-1].op == Opcode::Vararg) && pc[-1].c == 0;
}

/// A countdown of `proto` has ended.
void report_hot_function(Vm& vm, Proto& proto);
void report_hot_loop(Vm& vm, Proto& proto);
/// Vm::machine_events has ended in `proto`: counts anew, tells the layers above, and lets interrupts happen.
Status poll(Vm& vm, Proto& proto);
/// The same for Vm::interpreter_events.
Status poll_interpreter(Vm& vm);
/// A frame of a Lua function is about to start, and neither the interpreter's loop nor machine code counts its call.
inline Status count_call(Vm& vm) { return vm.interpreter_events.take_one() ? poll_interpreter(vm) : Status{}; }

/// Runs the frame at thread.base from `pc` on, to its return. Afterwards all is as after return_values().
AfterReturn run_compiled(Vm& vm, Thread& thread, const Instruction* pc);

/// A call by C++ code of the Lua function at `function`, for which may_call_compiled() holds; its arguments lie in place. Afterwards
/// all is as after call(); false: an error was raised.
bool call_compiled(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results);

/// Runs the frame at thread.base from its saved pc on in the interpreter, on behalf of compiled code, which holds its caller's
/// frame: to its return (results as after return_values() of an entry frame), or until it is Hot.
RunOutcome run_left_frame(Vm& vm, Thread& thread);

}  // namespace mangata
