// ffi.C and what ffi.load returns: the functions, variables and constants of libraries by name.
//
// [DESIGN] A namespace is a userdata with a metatable of its own. Its __index is a table with the functions
// and constants that were found, so that finding them again is an access to a table; that table asks a
// function for what it does not have. Variables are looked up each time. Libraries stay loaded until the
// process ends, as finalizers may need their code.
#pragma once

#include "runtime/ffi/cdata.h"

namespace mangata::ffi {

/// The namespace of a library by dlopen.
Value new_namespace(State& state, void* library);
/// ffi.load.
Result<int> load_library(Call& call);

}  // namespace mangata::ffi
