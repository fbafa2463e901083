// What the counted paths of a function tell about its coverage.
//
// Iterations of innermost loops are counted in pairs, where these are few enough, so that a stay of one iteration is told from a longer
// one; reports show the single iterations that these consist of. Read next: profiler/coverage/model/function_paths.h.
#pragma once

#include <span>

#include "profiler/coverage/conditions.h"
#include "profiler/coverage/line_events.h"
#include "profiler/coverage/model/function_paths.h"
#include "profiler/function_record.h"
#include "profiler/profile_options.h"

namespace mangata::coverage {

/// Counts paths only in functions where they are few, and keeps functions that never run.
ProfileOptions path_coverage_options();

struct PathCoverage {
  numbering::EdgeCounts edges;  ///< by the edges of shape_of
  CutCounts cuts;  ///< of this run
  FunctionPaths paths;
};

/// @param plain       the function's shape_of
/// @param conditions  of that shape
PathCoverage path_coverage(const FunctionRecord& record, const FunctionShape& plain, std::span<const ConditionPlace> conditions);

/// Of a function whose paths are too many.
FunctionPaths uncounted_paths(const FunctionIdentity& function);

}  // namespace mangata::coverage
