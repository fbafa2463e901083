// Calls of C functions.
#pragma once

#include "runtime/ffi/cdata.h"

namespace mangata::ffi {

/// The function that a cdata stands for, itself or as a pointer; false for other cdata.
bool callable_of(const State& state, const CData& data, TypeId* type, void** code);

/// The direct form of calling a cdata (vm/object/function.h): functions with scalar arguments, while there
/// are no callbacks.
int call_directly(Vm& vm, Value* function, int argument_count);

/// Calls the function with the arguments from frame slot 1 on; pushes its result. A safepoint: callbacks may
/// run Lua code.
Result<int> call_function(Call& call, TypeId type, void* code);

}  // namespace mangata::ffi
