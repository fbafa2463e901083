// Debug hooks that are C functions (Lua 5.4 manual §4.7): how they are called. runtime/capi/hooks.cpp sets them.
#pragma once

#include "runtime/c_boundary/state.h"
#include "vm/interpreter/interpreter.h"

namespace mangata::capi {

/// What a hook may be told of.
inline constexpr uint8_t kHookMasks = kHookCall | kHookReturn | kHookLine | kHookCount;

/// Makes MachineData::hook_function: in advance, because lua_sethook may be called by a signal handler.
void make_hook_function(Vm& vm);

/// Whether the hook of `thread` is a C function, which Thread::c_hook is.
bool is_c_hook(const Thread& thread);

/// A new thread has the C hook of the one that makes it. (Hooks of debug.sethook are for one thread.)
void inherit_hook(Thread& created, const Thread& creator);

}  // namespace mangata::capi
