// What a region's exits say at the end of a run: --jit-log, for people as text.
//
// [DESIGN] Regions count their iterations, and complete_exit() how often each exit was taken. A loop
// is entered as often as it is left, but for errors, so of a loop it is known how many of a thousand entries ended by a
// failed check or a rare branch. A whole function also ends by its returns, which nobody counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/abi/compiled_region.h"

namespace mangata::jit {

struct ExitTotals {
  uint64_t failed_checks = 0, rare_branches = 0, ends = 0, others = 0, refused = 0, collections = 0;  ///< times that exits of a kind were taken
  uint64_t all() const { return failed_checks + rare_branches + ends + others + refused + collections; }
  uint64_t entries() const { return all() - refused; }  ///< of a loop
  uint64_t unexpected() const { return failed_checks + rare_branches + others; }
  uint64_t expected() const { return ends + collections; }
};
ExitTotals totals_of(const RegionCode& code);

/// An exit that was taken.
struct TakenExit {
  uint64_t count = 0;  ///< times it was taken
  std::string_view why;  ///< the reason, as logs have it
  const ExitSite* site = nullptr;
  bool has_place() const { return site->proto != nullptr; }
  int line() const;                 ///< where baseline code goes on, if it has a place
  std::string_view opcode() const;  ///< the instruction there
};
/// The most frequent ones first, not many.
std::vector<TakenExit> most_taken(const RegionCode& code);

struct ExitsOf {
  std::string name;             ///< of the loop or function
  bool is_function = false;  ///< else of a loop
  bool has_costs = true;        ///< also bytes, milliseconds and cycles, which differ between runs
  double baseline_cycles = 0;   ///< for an iteration of the function's loops in baseline code; 0: not known
};

/// A line for the region, one for what was measured (--measure-loops), and one for each of the exits that were taken most.
std::string exits_text(const RegionCode& code, const ExitsOf& of);

}  // namespace mangata::jit
