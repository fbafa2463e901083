// The main thread as a coroutine: hosts may resume it (lua_resume on what luaL_newstate gave), and then it can yield.
//
// [DESIGN] A coroutine runs on a native stack of its own and has a thread that resumed it. While the main thread is resumed, suspended or
// failed, another thread, the *stand-in*, holds its place on the native stack of the host: it is the resumer, and the running thread
// whenever the host runs. Functions of the API that are called on the main thread meanwhile take the way of all threads that do not
// run (protect.h). The main thread is back in its place when its function has returned, or when it was closed.
#pragma once

#include "runtime/c_boundary/state.h"

namespace mangata::capi {

/// Whether `thread` is the main thread, called by a host, with nothing running on it: only then can it be resumed.
bool is_idle_main(const Thread& thread);
/// False: no memory for a stand-in.
bool put_stand_in(Vm& vm);
/// Nothing happens unless a stand-in runs and the main thread is neither suspended nor failed.
void take_stand_in_away(Vm& vm);

}  // namespace mangata::capi
