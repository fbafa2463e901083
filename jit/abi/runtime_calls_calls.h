// What baseline code calls for calls and returns (jit/abi/runtime_calls.h says how).
#pragma once

#include "jit/abi/runtime_calls.h"

namespace mangata::jit {

/// Call of anything: natives, objects with __call, Lua functions.
int64_t runtime_call(Thread* thread, Value* base, const Instruction* pc);
/// Puts the __call metamethod of function[0] in its place when it is a Lua function: the new number of
/// arguments. Negative: nothing was done. Not a safepoint.
int64_t runtime_resolve_call(Vm* vm, Value* function, int64_t argument_count);
/// Call with open arguments right after the function (d = 1): makes room for the frame header. The call itself is still to come.
PartOutcome runtime_make_room(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_return(Thread* thread, Value* base, const Instruction* pc);
/// All from R[a] to Thread::top, where nothing is to be closed; first a collection that is due.
int64_t runtime_return_open(Thread* thread, Value* base, const Instruction* pc);
/// An iterator that is no Lua function; the call is set up at R[a+4].
int64_t runtime_generic_for_call(Thread* thread, Value* base, const Instruction* pc);
/// A direct form has allocated, and a collection is due.
int64_t runtime_safepoint_after_call(Thread* thread, Value* base, const Instruction* pc);
/// Afterwards Thread::base is the frame to run, which compiled code has still to take over.
PartOutcome runtime_prepare_vararg(Thread* thread, Value* base, const Instruction* pc);
/// See TailTarget.
TailTarget runtime_tail_call(Thread* thread, Value* base, const Instruction* pc);

/// One step of a loop over `next` or ipairs at `control` (GenericForCall); false: nothing was done. Not a
/// safepoint.
bool runtime_iterate(Value* control, int result_count);

}  // namespace mangata::jit
