// Generic `for` (manual §3.3.5): the iterators of ipairs and next without a call of a function; iterators in Lua are inlined.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

bool lower_generic_for(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
