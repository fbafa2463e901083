// Which paths of a profile a report shows, in which order.
//
// Invariant: shares are of everything that ran, whatever is hidden. Read next: profiler/report.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profiler/path_profile.h"
#include "profiler/report_options.h"

namespace mangata {

struct SelectedPath {
  const FunctionProfile* function;  ///< that it belongs to
  const PathCount* path;  ///< its path and count
  const LoopProfile* loop;  ///< of a window; else null
  uint64_t weight;  ///< executions, or what else options.weight says (bytecodes: none of those that are also in the path before it)
  double percent;   ///< of the weight of the whole profile
};

struct SelectedLoop {
  const FunctionProfile* function;  ///< that it belongs to
  const LoopProfile* loop;  ///< one of its loops
};

struct Selection {
  std::vector<SelectedPath> paths;  ///< heaviest first
  std::vector<SelectedLoop> loops;  ///< with k >= 2 and at least k iterations, of the functions that pass the filters; hottest first
  std::vector<SelectedPath> cut_paths;  ///< of the functions that pass the filters; most frequent first
  std::vector<SelectedPath> residual;  ///< those that pass the filters but `top`; most frequent first
  std::vector<const FunctionProfile*> new_functions;  ///< that a baseline does not have, of those that pass the filters
  uint64_t total_weight = 0;        ///< of the whole profile, as are the other totals
  uint64_t completed = 0;  ///< executions of paths
  uint64_t bytecodes = 0;  ///< executed in these
  uint64_t cut = 0;  ///< executions that were left in the middle
  size_t distinct = 0;  ///< paths that ran
  size_t matching = 0;  ///< distinct paths that pass the filters, before `top`
  double shown_percent = 0;  ///< of total_weight, by the paths listed
};

/// Whether a report shows functions of this name in this file.
bool passes_filters(std::string_view function, std::string_view file, const ReportOptions& options);

/// `default_top` is used when the options do not say how many; 0 is all. Shares are of `whole`, unless that is 0: then of all paths together.
Selection select_paths(const PathProfile& profile, const ReportOptions& options, size_t default_top, uint64_t whole = 0);

}  // namespace mangata
