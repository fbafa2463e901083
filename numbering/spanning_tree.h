// A maximum-weight spanning tree over the edges of a PathDag, taken as undirected. What is not in it is a
// chord. Invariant: the imaginary edge End -> Start is always in the tree. Read next: chords.h.
#pragma once

#include <span>
#include <vector>

#include "numbering/path_dag.h"

namespace mangata::numbering {

struct SpanningTree {
  std::vector<char> contains;  ///< per DagEdgeId
};

/// Kruskal's algorithm, End→Start first: the paper leaves open whether that edge is in the tree, but code for
/// a chord there would have to run where no edge is [Ball & Larus 1996, §3.3]. Among equal weights the
/// smaller id wins. weights  one per DagEdgeId cost     O(E log E)
SpanningTree maximum_spanning_tree(const PathDag& dag, std::span<const double> weights);

}  // namespace mangata::numbering
