// The parts of the debug library (Lua 5.4 manual §6.10), which is spread over several files.
#pragma once

#include "vm/native.h"

namespace mangata {

/// Many functions take an optional thread as their first argument; the others follow at `first`.
struct ThreadArgument {
  Thread* thread;
  int first;
};
inline ThreadArgument thread_argument(Call& call) {
  if (call[0].is_thread()) return {call[0].as_thread(), 1};
  return {&call.thread(), 0};
}

// debug_frames.cpp
Result<int> debug_getinfo(Call& call);
Result<int> debug_getlocal(Call& call);
Result<int> debug_setlocal(Call& call);
Result<int> debug_traceback(Call& call);
// debug_upvalues.cpp
Result<int> debug_getupvalue(Call& call);
Result<int> debug_setupvalue(Call& call);
Result<int> debug_upvalueid(Call& call);
Result<int> debug_upvaluejoin(Call& call);
// debug_hooks.cpp
Result<int> debug_gethook(Call& call);
Result<int> debug_sethook(Call& call);

}  // namespace mangata
