// Debug hooks that are C functions (Lua 5.4 manual §4.7).
#pragma once

#include "runtime/capi/state.h"

namespace mangata::capi {

/// Makes MachineData::hook_function: in advance, because lua_sethook may be called by a signal handler.
void make_hook_function(Vm& vm);

/// A new thread has the C hook of the one that makes it. (Hooks of debug.sethook are for one thread.)
void inherit_hook(Thread& created, const Thread& creator);

}  // namespace mangata::capi
