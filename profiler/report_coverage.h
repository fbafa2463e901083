// The part of the text report about paths that were never taken.
#pragma once

#include <string>

#include "profiler/path_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// Empty unless coverage was asked for.
std::string coverage_section(const PathProfile& profile, const ReportOptions& options);

}  // namespace mangata
