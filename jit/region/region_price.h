// When a region is worth its price: asked on the program's thread before anything is recorded, again before it
// is handed to the compiler, and there, when it is known how large it is.
//
// [DESIGN] It is likely to save as much again as it would have saved so far, had it been there from the
// start. Compiling may take what is left of the budget (region_budget.h). Where it saves most of the time, it
// may also take a part of that in advance, up to a third of the time so far: such regions repay it soon, and a
// program that waits for its budget has run for a second. The part grows with the fourth power of the share:
// regions that save half of the time would be made too early with the square.
#pragma once

#include <cstdint>

#include "jit/region/region_input.h"

namespace mangata::jit {

/// It is looked at again after so many times as many events at the latest: what the functions do, and what is
/// optimized, may change.
inline constexpr uint64_t kLongestWait = 4;

// What work takes of the processor, in nanoseconds, on an idle machine.
inline constexpr double kPriceOfLoading = 2e7;     ///< mangata-orc.so, and LLVM's tables
inline constexpr double kPriceOfForming = 2e5;     ///< what the compiler is told, on the program's thread
inline constexpr double kPricePerWatched = 100;    ///< instruction in the interpreter

/// Regions that save less of the time are not compiled before the budget allows them.
inline constexpr double kLeastPromising = 0.55;
/// Of what the others would have saved so far, times the fourth power of the share of the time that this is, so much in advance; a
/// quarter of that for each earlier region that did not do what was predicted.
inline constexpr double kMostRisked = 2.5;
/// But not more than this share of the time that the program has run: a program may end before it has run as long again.
inline constexpr double kMostInAdvance = 0.35;

/// Of compiling a region, without loading the compiler.
inline double price_of(uint64_t instructions, const CompilerPrice& price) {
  return price.per_region + price.per_instruction * static_cast<double>(instructions);
}

/// As many IR instructions as may be compiled by now.
uint64_t affordable_instructions(const RegionBenefit& benefit);

/// Fewer than the region is going to have, by what was executed while it was recorded.
uint64_t least_instructions(const RegionBenefit& benefit);

/// From so many on that are affordable, it is tried. Of quick code, what it is likely to have; of LLVM's, the least.
uint64_t likely_instructions(const RegionBenefit& benefit);

/// After how many events of the function so many are likely to be affordable.
uint64_t events_until_affordable(const RegionBenefit& benefit, uint64_t instructions);

/// Of the time: what is predicted errs by 0.15, and what takes so long to save is compiled too late to be of use.
inline constexpr double kLeastSavedShare = 0.2;

/// Why not, and when to ask again, where the region saves less than that: only this share.
RegionCode too_little(const RegionBenefit& benefit, double share);
/// Likewise where it does not pay yet.
RegionCode not_yet(const RegionBenefit& benefit, uint64_t instructions);

/// What can be hoped for from a function of which nothing is known but what it has done so far.
RegionBenefit best_benefit(const RunSoFar& so_far, const RegionFunds& funds);

/// Instructions of the smallest regions that are worth having.
inline constexpr uint64_t kSmallestRegion = 150;

}  // namespace mangata::jit
