// Functions of the standard library as C functions, for hosts that wrap or compare them (lua_tocfunction).
//
// [DESIGN] Our library functions are no C functions: they take a Call. The pointer that a host gets is one of kMostCodes small C
// functions, all alike but for their number, which is that of the native code in a table of the process. Per machine, the
// function value it was got from is kept under that pointer where light_function() finds it, so pushing the pointer gives the
// value itself; calling it calls that value.
#pragma once

#include "runtime/c_boundary/state.h"

namespace mangata::capi {

/// How many library functions can have such a pointer: all that there are, and half as many again.
inline constexpr int kMostCodes = 256;

/// Null when another function with the same code and upvalues of its own has taken the pointer in this machine.
lua_CFunction c_function_of(Vm& vm, NativeFunction* function);

}  // namespace mangata::capi
