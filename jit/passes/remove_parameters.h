// Parameters of blocks are taken away, with what is passed to them.
#pragma once

#include <vector>

#include "jit/ir/function.h"

namespace mangata::jit {

/// Removes the parameters for which `is_removed` (by number) says so, and their arguments.
void remove_parameters(ir::Function* function, const std::vector<std::vector<bool>>& is_removed);

}  // namespace mangata::jit
