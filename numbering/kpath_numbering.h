// The k-iteration profiling algorithms of Roy & Srikant 2009 ("Profiling k-iteration paths"), corrected, as
// the reference automaton: edge weights val and compensation weights cval per iteration, k accumulators.
// E1..E20 name the corrections; numbering/README.md lists them. Invariant: the numbers are those of the split
// DAG. Cost at run time grows with k; path_plan.h is the form that does not. Read next: split_dag.h.
#pragma once

#include <unordered_map>

#include "numbering/k_loops.h"
#include "numbering/path_decoder.h"

namespace mangata::numbering {

/// An edge of the paper's G-delta: the flow graph with a dummy Start and End. Backedges of k-loops stay in
/// it, other cut edges are removed first (E10).
struct DeltaEdge {
  uint32_t from, to;  ///< node: 0 = Start, 1 = End, block b = b + 2
  DagEdgeKind kind;   ///< Entry, LoopStart, Flow (also k-loop backedges), LoopEnd, Exit
  EdgeId edge;        ///< Flow
  LoopId loop;        ///< LoopStart, LoopEnd
};

class KPathNumbering {
 public:
  /// Corrected algorithm 1. limit as in number_paths.
  /// errors  UncutCycle, PathLimit (where = G-delta node)
  /// cost    O(V + E + sum of k times body size)
  static Result<KPathNumbering> make(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops,
                                     PathCount limit = kDefaultPathLimit);

  /// numPaths(Start) - invalidPaths(Start) (E1).
  PathCount path_count() const { return path_count_; }
  std::span<const DeltaEdge> edges() const { return edges_; }
  /// iteration counts from 1. 0 where the edge is ignored.
  uint64_t val(size_t edge, unsigned iteration) const { return val_[slot(edge, iteration)]; }
  uint64_t cval(size_t edge, unsigned iteration) const { return cval_[slot(edge, iteration)]; }
  /// Index into edges(), SIZE_MAX when there is none.
  size_t flow_edge(EdgeId edge) const { return flow_edge_[edge.index()]; }
  size_t entry_edge() const { return 0; }
  size_t start_edge(LoopId loop) const { return start_edge_[loop.index()]; }
  size_t end_edge(BlockId tail, LoopId loop) const;
  size_t exit_edge() const { return exit_edge_; }

  /// Corrected algorithm 2. errors: BadPathNumber
  Result<FlowPath> identify(const FlowGraph& graph, PathNumber number) const;

 private:
  friend class KPathNumberingBuilder;
  size_t slot(size_t edge, unsigned iteration) const { return first_slot_[edge] + iteration - 1; }

  const KLoops* k_loops_ = nullptr;  ///< must outlive the numbering
  const LoopForest* forest_ = nullptr;
  PathCount path_count_ = 0;
  std::vector<DeltaEdge> edges_;      ///< grouped by from
  std::vector<uint32_t> first_edge_;  ///< per node, and one more
  std::vector<size_t> first_slot_;    ///< per edge: val and cval for iterations 1..k(from)
  std::vector<uint64_t> val_, cval_;
  std::vector<size_t> flow_edge_, start_edge_;
  size_t exit_edge_ = SIZE_MAX;
};

/// Corrected algorithm 3 as an automaton: accumulators c[0..k-1] and itr.
class KPathAutomaton {
 public:
  /// All arguments must outlive it. Stands at the entry of the function.
  KPathAutomaton(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops,
                 const KPathNumbering& numbering);
  /// Goes along an edge, which leaves the block where the edge before has led.
  void take(EdgeId edge);
  const std::unordered_map<uint64_t, uint64_t>& counts() const { return counts_; }
  /// Operations so far, counted as the table of README.md does: each addition of a constant that is not 0,
  /// move, branch on itr or the flag, and counter update is one.
  uint64_t operations() const { return operations_; }
  /// c[0..k-1], and how many of them are in use but one.
  std::span<const uint64_t> accumulators() const { return c_; }
  unsigned iteration() const { return itr_; }

 private:
  void add_weights(size_t edge);
  void count(uint64_t number);
  void start(size_t edge);
  void take_backedge(EdgeId edge, const KLoop& loop);
  void enter(BlockId block);

  const FlowGraph& graph_;
  const LoopForest& forest_;
  const KLoops& k_loops_;
  const KPathNumbering& numbering_;
  uint64_t c_[kMaxIterations] = {};
  unsigned itr_ = 0;
  uint64_t operations_ = 0;
  std::unordered_map<uint64_t, uint64_t> counts_;
};

}  // namespace mangata::numbering
