// What the path profiler counts.
#pragma once

#include <cstddef>
#include <optional>

#include "numbering/path_numbering.h"

namespace mangata {

/// What happens in a function with more paths than can be numbered.
enum class ManyPaths : unsigned char {
  Truncate,  ///< paths are also cut at branches with too many ways on
  Hash,      ///< paths stay whole; their ids are hashes (numbering/path_hash.h)
  Refuse,    ///< it is not profiled
};

/// Counters of one function that may be in an array.
constexpr numbering::PathCount kMostArrayPaths = numbering::PathCount{1} << 16;

struct BaselineProfile;

struct ProfileOptions {
  unsigned iterations = 1;  ///< k of innermost loops, 1..numbering::kMaxIterations
  ManyPaths many_paths = ManyPaths::Truncate;  ///< --profile-many
  /// More paths than this are too many. At most 2^32: the packed path register has no room for more.
  numbering::PathCount path_limit = numbering::kDefaultPathLimit;
  /// Functions with more paths than this count in a hash table; at most kMostArrayPaths. Empty: a default that depends on k.
  std::optional<numbering::PathCount> array_limit;
  /// False: frames may be taken in and let go in the middle, so that flows need not add up.
  bool from_the_start = true;
  bool allocations = false;  ///< also count what paths allocate
  bool time = true;          ///< samples of the processor time are taken
  uint32_t samples_per_second = 0;  ///< not 0: by real time, for tests
  /// For counters in hash tables and for decoded paths; the hottest are kept (profiler/memory_limit.h).
  size_t max_memory_bytes = size_t{512} << 20;
  bool coverage = false;     ///< also tell the paths that were never taken; iterations must be 1
  size_t coverage_top = 20;  ///< of each function so many
  const BaselineProfile* baseline = nullptr;  ///< an earlier run to compare with; outlives the profiler
};

}  // namespace mangata
