// Compact identifiers for a set of interesting paths [Vaswani, Nori & Chilimbi 2007, "Preferential path
// profiling"].
// ("PPP" is also the name of another scheme, so it is never abbreviated here.)
// Invariant: interesting paths have different identifiers in [0, table_size); other paths may have one of
// those by accident (an alias), which their Ball-Larus number tells. Read next: path_plan.h,
// plan_preferentially.
#pragma once

#include <vector>

#include "numbering/path_numbering.h"

namespace mangata::numbering {

struct PreferentialNumbering {
  /// Per DagEdgeId, may be negative. Edges on no interesting path weigh so much that every path with one of
  /// them, and with no wrap-around of 64 bits, is outside of the table: one unsigned compare finds both too
  /// small and too large.
  std::vector<int64_t> weight;
  std::vector<char> is_defined;       ///< per DagEdgeId: lies on an interesting path
  std::vector<uint64_t> identifiers;  ///< of the interesting paths, in the order given
  std::vector<PathNumber> path_at;    ///< per identifier the interesting path, or kHole
  uint64_t table_size = 0;            ///< largest identifier + 1
  double compactness = 1;             ///< table_size / number of different interesting paths; 1 is perfect
  static constexpr PathNumber kHole{UINT64_MAX};
};

/// The algorithm of figure 10: per node, in reverse topological order, intervals of identifiers per (edge,
/// prefix) are laid side by side; where prefixes disagree the largest weight wins and leaves holes. cis is
/// keyed by (node, prefix), which the figure leaves open. Optimal among schemes that work with intervals
/// only. dag          any DAG whose edges have multiplicity 1: of acyclic paths, or a split DAG interesting
/// Ball-Larus numbers; at least one; repetitions do no harm errors       BadPathNumber (also for an empty
/// set), PathLimit when identifiers leave 62 bits cost         O(E + total length of the interesting paths,
/// times a logarithm)
Result<PreferentialNumbering> number_preferentially(const PathDag& dag, const PathNumbering& numbering,
                                                    std::span<const PathNumber> interesting);

}  // namespace mangata::numbering
