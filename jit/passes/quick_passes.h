// The passes of the quick compiler, in their order.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// From a function as it was built to one that jit/quick makes code of.
void run_quick_passes(ir::Function* function);

}  // namespace mangata::jit
