// The data of the page, as one JSON value. Its members are listed in profiler/page/README.md; the scripts beside this file read them.
//
// Invariant: everything in it is text or numbers; nothing is markup. What limits leave out is counted in "left_out".
#pragma once

#include <string>

#include "profiler/page/page_limits.h"
#include "profiler/report_diff.h"

namespace mangata {

struct PageDifference {
  const RunProfile& before;  ///< the earlier run
  const RunDifference& found;  ///< later less earlier
  ReportWeight weight;
};

struct PageInput {
  const RunProfile& profile;
  const ReportOptions& options;
  const PageDifference* difference;  ///< null: the page compares nothing
};

std::string page_data(const PageInput& input, const PageLimits& limits);

}  // namespace mangata
