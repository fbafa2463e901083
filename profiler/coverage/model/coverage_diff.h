// What a run covers that an earlier one, of the tests for example, does not: lines, outcomes of conditions, and paths (residual coverage).
#pragma once

#include <string>

#include "profiler/coverage/model/reports.h"

namespace mangata::coverage {

/// For people. Files of other texts are not compared, which is said.
std::string write_coverage_diff(const CoverageReport& base, const CoverageReport& report);

}  // namespace mangata::coverage
