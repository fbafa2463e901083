// The profitability of a region, by what was recorded.
#pragma once

#include "jit/region/region_input.h"

namespace mangata::jit {

/// Fills in recorded_events and benefit: how soon it pays.
void estimate_benefit(const RunSoFar& so_far, RegionInput* input);

/// The benefit of a form in which calls are inlined less deep: `frames` one within the other, with the region's own.
RegionBenefit benefit_with_frames(const RegionInput& input, size_t frames);

/// Forms that inline deeper than so many frames are too large.
void restrict_frames(size_t frames, RegionInput* input);

}  // namespace mangata::jit
