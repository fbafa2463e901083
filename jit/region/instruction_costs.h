// What an instruction costs in baseline code and in a region.
#pragma once

#include <cstddef>

#include "jit/region/region_input.h"

namespace mangata::jit {

/// Cycles, roughly: what matters is which part of the time a region is likely to save.
struct InstructionCost {
  double baseline = 0;  ///< in baseline code
  double region = 0;  ///< in optimized code
};

/// By what was recorded of it. A call that is inlined costs nothing in a region but what it executes there.
/// @param inlines  whether calls are, at this depth
InstructionCost cost_of(const RegionInput& input, const RegionFunction& function, size_t pc, bool inlines = true);

}  // namespace mangata::jit
