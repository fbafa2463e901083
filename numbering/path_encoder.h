// From a path to its number: what path_decoder.h inverts. For acyclic paths; a DAG with k-loops has edges that stand for many.
#pragma once

#include "numbering/path_decoder.h"

namespace mangata::numbering {

/// The number of a path from its begin to its finish.
/// errors  BadPathNumber when the DAG has no such path (also for one in flight, or on an edge of multiplicity above 1)
/// cost    O(length · out-degree)
Result<PathNumber> encode_path(const PathDag& dag, const PathNumbering& numbering, const FlowPath& path);

}  // namespace mangata::numbering
