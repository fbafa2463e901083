// The profitability of a region, by what was recorded.
#pragma once

#include <string>

#include "jit/region/region_input.h"

namespace mangata::jit {

/// The profitability check: empty, or why the region would not pay, however long it ran.
std::string refusal(const RegionInput& input);

/// Fills in recorded_events and benefit: how soon it pays.
void estimate_benefit(const RunSoFar& so_far, RegionInput* input);

}  // namespace mangata::jit
