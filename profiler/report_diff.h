// What differs between two profiles, for people.
#pragma once

#include <string>

#include "profiler/model/diff.h"
#include "profiler/report_options.h"

namespace mangata {

/// Functions and paths by how much their cost has changed; new and vanished ones by name. `options` filter and limit them.
std::string write_diff_report(const RunProfile& before, const RunProfile& after, const ReportOptions& options);

}  // namespace mangata
