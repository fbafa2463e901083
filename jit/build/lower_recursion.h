// Functions that call themselves (direct_function.h): their calls of themselves, and their returns.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// From the direct function.
void return_directly(const LoweringTools& t, const Instruction& in);
/// By a call with the arguments in registers. False: it does not fit.
bool call_itself(const LoweringTools& t, const Instruction& in);
/// As its last act, in the region's own frame: it begins anew. The function may be another one of the same prototype.
bool tail_call_itself(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
