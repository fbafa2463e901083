// Calls of C functions.
#pragma once

#include "runtime/ffi/cdata.h"

namespace mangata::ffi {

/// The function that a cdata stands for, itself or as a pointer; false for other cdata.
bool callable_of(const State& state, const CData& data, TypeId* type, void** code);

/// Calls the function with the arguments from frame slot 1 on; pushes its result. A safepoint: callbacks may run Lua code.
Result<int> call_function(Call& call, TypeId type, void* code);

}  // namespace mangata::ffi
