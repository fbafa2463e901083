// The parts of the debug library (Lua 5.4 manual §6.10), which is spread over several files.
#pragma once

#include "vm/native.h"

namespace mangata {

/// Many functions take an optional thread as their first argument; the others follow at `first`.
struct ThreadArgument {
  Thread* thread;
  int first;  ///< index of the next argument: 0 or 1 more than without a thread
};
inline ThreadArgument thread_argument(Call& call) {
  if (call[0].is_thread()) return {call[0].as_thread(), 1};
  return {&call.thread(), 0};
}

// debug_frames.cpp
/// The lines of a Lua function that have code, as keys with the value true; nil for a native function.
Result<Value> active_lines(Vm& vm, Value function);
/// Registers between those in use may hold the header of a frame that is gone: no value of the program's.
inline Value visible_local(const Value& value) {
  // A header keeps numbers in the other half of the tag words.
  return static_cast<uint32_t>(value.tag) == static_cast<uint32_t>(Tag::Frame) ? Value::nil() : value;
}
Result<int> debug_getinfo(Call& call);
Result<int> debug_getlocal(Call& call);
Result<int> debug_setlocal(Call& call);
Result<int> debug_traceback(Call& call);
// debug_upvalues.cpp
/// One upvalue of a function, none of anything else: `name` is null when there is no such upvalue.
struct FoundUpvalue {
  const char* name = nullptr;  ///< "" where it was stripped
  Value* location = nullptr;  ///< where the value is; good until Lua runs
  Object* owner = nullptr;  ///< who holds the value, for the write barrier
};
FoundUpvalue find_upvalue_at(const Value& function, int64_t index);
Result<int> debug_getupvalue(Call& call);
Result<int> debug_setupvalue(Call& call);
Result<int> debug_upvalueid(Call& call);
Result<int> debug_upvaluejoin(Call& call);
// debug_hooks.cpp
/// The hook that debug.sethook has set last on `thread`, or nil.
Value hook_set_by_script(Vm& vm, Thread& thread);
Result<int> debug_gethook(Call& call);
Result<int> debug_sethook(Call& call);

}  // namespace mangata
