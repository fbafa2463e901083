// What the path profiler counts.
#pragma once

#include <cstddef>

#include "numbering/path_numbering.h"

namespace mangata {

/// What happens in a function with more paths than can be numbered.
enum class ManyPaths : unsigned char {
  Truncate,  ///< paths are also cut at branches with too many ways on
  Hash,      ///< paths stay whole; their ids are hashes (numbering/path_hash.h)
};

struct BaselineProfile;

struct ProfileOptions {
  unsigned iterations = 1;  ///< k of innermost loops, 1..numbering::kMaxIterations
  ManyPaths many_paths = ManyPaths::Truncate;
  /// More paths than this are too many. At most 2^32: the packed path register has no room for more.
  numbering::PathCount path_limit = numbering::kDefaultPathLimit;
  /// False: frames may be taken in and let go in the middle, so that flows need not add up.
  bool from_the_start = true;
  bool coverage = false;     ///< also tell the paths that were never taken; iterations must be 1
  size_t coverage_top = 20;  ///< of each function so many
  const BaselineProfile* baseline = nullptr;  ///< an earlier run to compare with; outlives the profiler
};

}  // namespace mangata
