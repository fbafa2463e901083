// Which family an instruction is of.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

bool lower_instruction(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
