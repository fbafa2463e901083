// Which of the paths that a function has were never taken.
//
// Read next: profiler/report_coverage.cpp.
#pragma once

#include <cstddef>

#include "profiler/path_profile.h"

namespace mangata {

struct FunctionRecord;

/// @param most  so many paths are told
FunctionCoverage coverage_of(const FunctionRecord& record, size_t most);

}  // namespace mangata
