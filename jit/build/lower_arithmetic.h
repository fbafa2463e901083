// Arithmetic and bitwise operators (manual §3.4.1, §3.4.2).
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

bool lower_arithmetic(const LoweringTools& t, const Instruction& in);
bool lower_bitwise(const LoweringTools& t, const Instruction& in);
bool lower_unary(const LoweringTools& t, const Instruction& in);
bool lower_not(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
