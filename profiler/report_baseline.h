// What of a profile is new against the profile of an earlier run: a section of the report for people.
#pragma once

#include <string>

#include "profiler/report.h"
#include "profiler/selection.h"

namespace mangata {

/// Empty when the profile was not compared with another.
std::string baseline_section(const PathProfile& profile, const Selection& selection, const ReportOptions& options);

}  // namespace mangata
