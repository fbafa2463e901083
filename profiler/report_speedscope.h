// Profiles for speedscope (www.speedscope.app): its JSON file format.
#pragma once

#include <string>

#include "profiler/model/run_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// One file of several profiles: sampled stacks by processor time, if there are any; then functions by bytecodes and, if they were counted,
/// by allocated bytes, each a stack of its own, as exact counts have no callers. The options hide nothing.
std::string write_speedscope_report(const RunProfile& profile, const ReportOptions& options);

}  // namespace mangata
