// The profitability of a region, by what was recorded.
#pragma once

#include "jit/region/region_input.h"

namespace mangata::jit {

/// Fills in recorded_events and benefit: how soon it pays.
void estimate_benefit(const RunSoFar& so_far, RegionInput* input);

/// How much is inlined, from the most to the least. What there is no room for is what saves least for its size.
struct InliningLevel {
  size_t frames = 0;  ///< one within the other, with the region's own
  double share = 1;   ///< of all places of instructions that there would be
  size_t places = 0;  ///< but not more than these
};
inline constexpr InliningLevel kInliningLevels[] = {{kMostExitFrames, 1, SIZE_MAX}, {kMostExitFrames, 0.5, 250}, {kMostExitFrames, 0.25, 120}, {1, 1, SIZE_MAX}};

/// What is inlined at a level, and the benefit of that.
struct InliningChoice {
  KeptCalls kept;  ///< calls that are not inlined
  RegionBenefit benefit;
};
InliningChoice choose_inlining(const RegionInput& input, size_t level);

/// Forms of lower levels are too large.
void restrict_inlining(size_t level, RegionInput* input);

}  // namespace mangata::jit
