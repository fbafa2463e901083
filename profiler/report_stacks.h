// The call stacks of the samples, one a line, as tools for flame graphs take them: frames from the root on, parted by semicolons, and the
// microseconds.
#pragma once

#include <string>

#include "profiler/model/run_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// "main chunk (a.lua);f (a.lua:3);[C] string.rep 1200", in the order of the text. Times that were not sampled are lines of their own:
/// "[invalid]".
std::string write_stacks(const TimeProfile& profile);

/// The same of a whole profile. Where no time was sampled there are no stacks: a line for each function, with the bytecodes that it executed.
/// The options hide nothing.
std::string write_collapsed_report(const RunProfile& profile, const ReportOptions& options);

}  // namespace mangata
