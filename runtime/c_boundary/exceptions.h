// C++ exceptions that leave C code.
//
// [DESIGN] A host in C++ may let an exception out of a function that Lua calls, and catch it where it called
// Lua. Of our frames in between some have no unwind tables (machine code) and some lie on other native stacks
// (coroutines); and the machine has to learn that they are gone. So an exception ends at the boundary of the
// C function that let it out, travels as an error that nothing catches (Vm::terminating), and is thrown again
// from the API function that C code had called: into C code that may catch it, or up to the next boundary.
// Only machines that belong to a host of the C API do so; elsewhere nobody would throw it again.
#pragma once

#include "runtime/c_boundary/state.h"

namespace mangata::capi {

/// Before exceptions can come. The unwinder that a host's exception brings along is not the copy that is
/// linked into this library, but asks that one what to do with our frames; which needs tables that the copy
/// makes when it is used for the first time.
void prepare_for_exceptions();
/// In a handler of all exceptions, at a boundary: keeps the current one; the caller returns Raised. Does not
/// come back when the machine is not a host's.
void keep_exception(Vm& vm);
bool exception_is_kept(Vm& vm);
/// Throws it. What Lua left on `thread`, the running one, above the frame of the C code at `base` with its
/// values up to `top` is gone.
[[noreturn]] void throw_kept_exception(Thread& thread, Value* base, Value* top);

}  // namespace mangata::capi
