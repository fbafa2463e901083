// Numeric `for` (manual §3.3.5).
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// Integers with a step that is known inline; anything else by the runtime.
bool lower_for_prepare(const LoweringTools& t, const Instruction& in);
bool lower_for_loop(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
