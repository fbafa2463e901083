// What paths tell beyond lines and outcomes, for people.
#pragma once

#include <string>

#include "profiler/coverage/model/reports.h"

namespace mangata::coverage {

/// The section of the text report; empty if no paths were counted.
std::string paths_section(const CoverageReport& report);

/// The same of one function in one line, for a page that shows its source; empty: it did not run, or lacks nothing.
std::string paths_remark(const FunctionPaths& function);

/// Of the numbers that PathGaps uses: "33:T", "33:14:F", "entry", "loop 33".
std::string outcome_label(const FunctionPaths& function, uint32_t outcome);

/// "entry > 33:T 41:F > return 44".
std::string path_label(const FunctionPaths& function, const CoveredPath& path);

}  // namespace mangata::coverage
