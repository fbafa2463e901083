// The first screen of the text report: functions by cost, loops, files, and the hottest paths of the hottest functions.
#pragma once

#include <string>

#include "profiler/model/views.h"
#include "profiler/report_options.h"

namespace mangata {

/// What the text report is about: the rows that the filters show, by weight.
struct FunctionScreen {
  const RunProfile& profile;
  ReportOptions options;           ///< its weight is not Automatic
  std::vector<FunctionRow> rows;   ///< of all functions, costliest first
  std::vector<FunctionRow> shown;  ///< of these, those that pass the filters
  uint64_t total = 0;              ///< of all rows
  /// What paths and loops are ordered by: the same, but bytecodes when no time of paths is known. And what their shares are of: as those of
  /// functions where the order is the same.
  ReportWeight path_weight = ReportWeight::Bytecodes;
  uint64_t path_total = 0;
  Cost sum;                        ///< likewise

  /// Both must outlive it.
  FunctionScreen(const RunProfile& run, const ReportOptions& wanted);
  double percent(uint64_t value) const;  ///< of the total of the rows, by `options.weight`
  double path_percent(uint64_t value) const;  ///< of path_total
  bool by_time() const { return options.weight == ReportWeight::Time; }
  /// Samples were taken: there are columns of time.
  bool has_time() const { return profile.time && profile.time->samples != 0; }
};

/// What the rounds of a loop cost, but for the first of each stay.
struct LoopCost {
  const FunctionProfile* function;  ///< that has the loop
  const Path* path;  ///< one that begins at the loop
  uint64_t value = 0;  ///< as value_of(cost, weight), of all its iterations counted
  uint64_t rounds = 0;  ///< iterations counted
  std::string key = {};  ///< the part of the keys of paths that names the loop
};
/// In the order of their keys.
std::vector<LoopCost> loops_of(const FunctionProfile& function, ReportWeight weight);

/// What the order is by, and why.
std::string cost_text(const FunctionScreen& screen);
std::string function_table(const FunctionScreen& screen);
/// Loops by what their rounds cost, but for the first of each stay.
std::string loop_costs(const FunctionScreen& screen);
std::string paths_by_function(const FunctionScreen& screen);
/// Empty when all is in one file.
std::string file_table(const FunctionScreen& screen);

}  // namespace mangata
