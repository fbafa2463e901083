// Ball-Larus numbering: edge values whose sums along Start-to-End paths are 0..path_count-1, each once.
// Invariant: value(e) + [sums from its target] partitions the sums of its source. Read next: chords.h,
// path_decoder.h.
#pragma once

#include <vector>

#include "numbering/path_dag.h"

namespace mangata::numbering {

struct PathNumbering {
  std::vector<uint64_t> edge_value;     ///< per DagEdgeId
  std::vector<PathCount> paths_to_end;  ///< per DagNodeId; 1 for End
  PathCount path_count = 0;             ///< paths_to_end of Start
};

/// Largest limit that number_paths takes: path sums and differences of them must fit a signed 64-bit
/// register.
constexpr PathCount kMaxPathCount = PathCount{1} << 62;
/// 2^32: what a path register is budgeted for unless the caller says otherwise.
constexpr PathCount kDefaultPathLimit = PathCount{1} << 32;

/// Assigns each edge a value so that the sum along a Start→End path is unique and dense. [Ball & Larus 1996,
/// §3.2] An edge of multiplicity m takes its value, plus q times the paths of its target for the q-th of its
/// m pieces. limit    largest accepted number of paths, clamped to 1..kMaxPathCount errors   PathLimit:
/// `where` is the first node, seen from End, that exceeds the limit cost     O(V + E) time, 8(V + E) bytes
Result<PathNumbering> number_paths(const PathDag& dag, PathCount limit = kDefaultPathLimit);

/// The number of a path given as DAG edges (all of multiplicity 1): the sum of their values.
PathNumber path_sum(const PathNumbering& numbering, std::span<const DagEdgeId> path);

}  // namespace mangata::numbering
