// The library `bit` inline (vm/intrinsics.def), for arguments that are numbers; jit/baseline/emit_bit_library.cpp does the same.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

bool is_bit_function(NativeId id);
/// Of `function`, of which the id is not checked yet. False: it lacks an argument, or one is no number.
bool lower_bit_function(const LoweringTools& t, const Instruction& in, NativeId id, Operand function);

}  // namespace mangata::jit
