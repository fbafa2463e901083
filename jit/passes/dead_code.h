// What nothing needs.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// Removes operations without effect whose values nothing needs, parameters of blocks likewise (also of loops, which need only themselves),
/// and what is in blocks that cannot be reached.
/// cost  linear
void remove_dead_code(ir::Function* function);

}  // namespace mangata::jit
