// The call stacks of the samples, one a line, as tools for flame graphs take them: frames from the root on, parted by semicolons, and the
// microseconds.
#pragma once

#include <string>

#include "profiler/model/time_profile.h"

namespace mangata {

/// "main chunk (a.lua);f (a.lua:3);[C] string.rep 1200", in the order of the text. Times that were not sampled are lines of their own:
/// "[invalid]".
std::string write_stacks(const TimeProfile& profile);

}  // namespace mangata
