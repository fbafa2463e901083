// When a region is worth its price: asked on the program's thread before it is handed to the compiler, and
// there again, when it is known how large it is.
//
// [DESIGN] It is likely to save as much again as it would have saved so far, had it been there from the
// start. Compiling may take what is left of the budget (region_budget.h), and a share of that: where it saves
// much, it is worth a risk.
#pragma once

#include <cstdint>

#include "jit/region/region_input.h"

namespace mangata::jit {

/// It is looked at again after so many times as many events at the latest: what the functions do, and what is
/// optimized, may change.
inline constexpr uint64_t kLongestWait = 4;

/// As many IR instructions as may be compiled by now.
uint64_t affordable_instructions(const RegionWorth& worth);

/// Fewer than the region is going to have, by what was executed while it was recorded.
uint64_t least_instructions(const RegionWorth& worth);

/// Why not, and when to ask again.
RegionCode not_yet(const RegionWorth& worth, uint64_t instructions);

}  // namespace mangata::jit
