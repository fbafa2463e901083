// What a sampler has found, as a profile.
#pragma once

#include "profiler/model/time_profile.h"
#include "profiler/path_times.h"
#include "runtime/sampling/time_sampler.h"

namespace mangata {

/// @param compile_thread_nanoseconds  of the thread that optimizes
TimeProfile time_profile_of(const TimeSampler& sampler, uint64_t compile_thread_nanoseconds);

/// Time by instruction: in its function, and in functions without a frame that it calls.
FunctionTimes function_times_of(const TimeSampler& sampler);

}  // namespace mangata
