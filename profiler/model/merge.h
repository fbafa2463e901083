// Merging profiles of several runs of a program.
#pragma once

#include <string>

#include "profiler/model/run_profile.h"

namespace mangata {

/// Adds `other` to `profile`, path by path and stack by stack. What is a sum over executions is the sum, so that profiles of several runs
/// make the profile of these runs in one. Of what is not (which path edges would have named, how well rounds predict the next) the parts
/// are weighted by executions. A comparison with a baseline is dropped.
/// @returns  empty, or why they cannot be merged; then `profile` is as before
std::string merge_profile(RunProfile& profile, const RunProfile& other);

}  // namespace mangata
