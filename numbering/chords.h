// Moving the values of a numbering to the chords of a spanning tree, so that fewer and colder edges add.
// Invariant: the increments along a Start-to-End path add up to its path number. Read next:
// event_placement.h.
#pragma once

#include <vector>

#include "numbering/path_numbering.h"
#include "numbering/spanning_tree.h"

namespace mangata::numbering {

/// Event counting [Ball & Larus 1996, §3.3; Ball 1994], computed with potentials instead of one cycle per
/// chord: along every edge u→v, increment = value + potential(u) - potential(v), and it is 0 on the tree.
struct Chords {
  std::vector<int64_t> increment;  ///< per DagEdgeId, 0 on tree edges, may be negative on chords
  std::vector<int64_t> potential;  ///< per DagNodeId, 0 at Start and End
};

/// tree   as made by maximum_spanning_tree (it joins Start and End by the imaginary edge)
/// cost   O(V + E), no recursion
Chords chord_increments(const PathDag& dag, const PathNumbering& numbering, const SpanningTree& tree);

/// The trivial case, to compare with: every edge carries its own value.
Chords values_as_increments(const PathDag& dag, const PathNumbering& numbering);

}  // namespace mangata::numbering
