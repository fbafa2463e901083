// [DESIGN] The specification of multi-iteration paths: a DAG in which each k-loop is unrolled into prologue
// copies P1..Pk and copies D1..D(k-1) for paths that began by the loop's own backedge. The D copies have no
// exits and D(k-1) joins Pk, so exactly the valid k-iteration paths exist. Plain Ball-Larus numbering of it
// is the k-iteration numbering: val on P, val - cval on D. The other forms (kpath_numbering.h, path_plan.h)
// are tested against this one. Read next: path_plan.h.
#pragma once

#include <unordered_map>

#include "numbering/k_loops.h"
#include "numbering/path_decoder.h"

namespace mangata::numbering {

/// Order of numbering as in build_path_dag; with every k = 1 it is the same DAG. In an iteration before the
/// k-th a backedge is an ordinary flow edge (into the next copy), in the k-th it ends the path. errors
/// UncutCycle, TooLarge cost    O(V + E + sum of k times body size)
Result<PathDag> build_split_dag(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops);

/// The number of a path: the inverse of decode_path.
/// errors  BadPathNumber when this DAG has no such path
Result<PathNumber> number_of_path(const PathDag& dag, const PathNumbering& numbering, const FlowPath& path);

/// Runs a trace through the split DAG: every backedge starts a path, all paths in flight advance, those that
/// cannot follow die, those that reach End are counted. Nothing of how a profiler would do it: the oracle in
/// terms of ids.
class SplitDagTracker {
 public:
  /// All arguments must outlive the tracker. It starts at the procedure entry.
  SplitDagTracker(const FlowGraph& graph, const LoopForest& forest, const PathDag& dag,
                  const PathNumbering& numbering);
  void take(EdgeId edge);
  const std::unordered_map<uint64_t, uint64_t>& counts() const { return counts_; }

 private:
  struct InFlight {
    DagNodeId node;
    uint64_t sum;
  };
  void begin(DagEdgeKind kind, LoopId loop);
  void finish_at_exit();

  const FlowGraph& graph_;
  const LoopForest& forest_;
  const PathDag& dag_;
  const PathNumbering& numbering_;
  std::vector<InFlight> in_flight_;
  std::unordered_map<uint64_t, uint64_t> counts_;
};

}  // namespace mangata::numbering
