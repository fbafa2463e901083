// What differs between two profiles, for people, and what every report of it needs.
#pragma once

#include <string>

#include "profiler/model/diff.h"
#include "profiler/report_options.h"

namespace mangata {

/// Functions and paths by how much their cost has changed; new and vanished ones by name. `options` filter and limit them.
std::string write_diff_report(const RunProfile& before, const RunProfile& after, const ReportOptions& options);

/// What the difference is ordered by: time only if both have enough samples.
ReportWeight diff_weight(const RunProfile& before, const RunProfile& after, const ReportOptions& options);
/// Of the functions that pass the filters; those that have changed most come first.
RunDifference shown_difference(const RunProfile& before, const RunProfile& after, const ReportOptions& options);
uint64_t size_of_change(const Cost& before, const Cost& after, ReportWeight weight);
/// "new", "code changed"; empty for Common.
const char* fate_text(Fate fate);

}  // namespace mangata
