// Parameters of blocks that are one value whichever way control came.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// Removes parameters whose arguments are all one value, or the parameter itself, and their arguments. [Braun et al. 2013, §2.2]
void remove_trivial_parameters(ir::Function* function);

/// Removes the parameters for which `is_removed` (by number) says so, and their arguments.
void remove_parameters(ir::Function* function, const std::vector<std::vector<bool>>& is_removed);

}  // namespace mangata::jit
