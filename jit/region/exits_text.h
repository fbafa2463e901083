// What a region's exits say at the end of a run: --jit-log.
//
// [DESIGN] Regions count nothing while they run; what is counted is how often each exit was taken, by complete_exit(). A loop
// is entered as often as it is left, but for errors, so of a loop it is known how many of a thousand entries ended by a
// failed check or a rare branch. A whole function also ends by its returns, which nobody counts.
#pragma once

#include <string>

#include "jit/region/region_input.h"

namespace mangata::jit {

struct ExitTotals {
  uint64_t failed_checks = 0, rare_branches = 0, ends = 0, others = 0, refused = 0;
  uint64_t all() const { return failed_checks + rare_branches + ends + others + refused; }
  uint64_t entries() const { return all() - refused; }  ///< of a loop
  uint64_t unexpected() const { return failed_checks + rare_branches; }
};
ExitTotals totals_of(const RegionCode& code);

/// A line for the region, and one for each of the exits that were taken most.
/// @param name        of the loop or function
/// @param with_costs  also bytes and milliseconds, which differ between runs
std::string exits_text(const RegionCode& code, const std::string& name, bool is_function, bool with_costs);

}  // namespace mangata::jit
