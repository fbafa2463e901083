// Calls by native code that not all of it needs (operations.h has the others).
#pragma once

#include "vm/operations/operations.h"

namespace mangata {

/// protected_call for an embedder that wants to know where memory ran out: message handlers are not called
/// for that. As the one without `note_memory_error`, which is called while the frames that failed are still
/// there. It must not allocate objects.
bool protected_call(Vm& vm, Value* function, int argument_count, int result_count, Value handler,
                    void (*note_memory_error)(Vm& vm));

/// A call of pcall or xpcall, whose slot and arguments are in place, of a compiled Lua function: all that
/// call_native() does. False: it is of something else, and nothing was done. Precondition: the frame at
/// Thread::base is published. A safepoint.
Result<bool> pcall_compiled(Vm& vm, Thread& thread, Value* pcall, int argument_count, int wanted_results);

/// A function that native code calls many times, and across which nothing can yield. A safepoint, as any
/// call.
class LuaCallee {
 public:
  /// The function stays alive elsewhere.
  LuaCallee(Vm& vm, Thread& thread, Value function) : vm_(vm), thread_(thread), function_(function) {}
  /// The first result. Thread::top is where it was.
  Result<Value> call_with(const Value& a, const Value& b);

 private:
  Result<Value> call_by_machine(const Value& a, const Value& b);
  Vm& vm_;
  Thread& thread_;
  const Value function_;
};

}  // namespace mangata
