// Conditional branches (manual §3.3.4, §3.4.4).
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// None: it is known.
IrValue truth(const LoweringTools& t, const Operand& operand, bool* known);
/// By a call of the runtime, which has written the frame: a metamethod, or what has no form of its own. The frame may have to leave then.
bool branch_by_runtime(const LoweringTools& t, int target);
bool lower_truth(const LoweringTools& t, const Instruction& in);
bool lower_copying_branch(const LoweringTools& t, const Instruction& in);
bool lower_order(const LoweringTools& t, const Instruction& in);
/// Raw equality where that is all there is; metamethods and long strings leave.
bool lower_equality(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
