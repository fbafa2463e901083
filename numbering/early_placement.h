// Figure 8 of Ball & Larus 1996: start and count on chords where possible, to save operations on acyclic
// routines. Kept for comparison and as the paper's worked example; plans use event_placement.h. Invariant: on
// a path that runs to its end, the sums are those of the chords; a path cut off after its last chord has been
// counted already (B4 of README.md).
#pragma once

#include <string>
#include <vector>

#include "numbering/chords.h"

namespace mangata::numbering {

/// What an edge does: r = value, or r += value, and/or count[...]++.
struct EarlyCode {
  bool starts = false;  ///< r = value
  bool adds = false;    ///< r += value, or folded into the count
  bool counts = false;  ///< count[r]++, count[r + value]++ (with adds), count[value]++ (with starts)
  int64_t value = 0;  ///< of the start or the addition; or the number of the path, where it only counts
};

/// Code per DagEdgeId. Chords that are first on all their paths start r, chords that are last count.
std::vector<EarlyCode> place_early(const PathDag& dag, const Chords& chords, const SpanningTree& tree);

std::string describe(const EarlyCode& code);

}  // namespace mangata::numbering
