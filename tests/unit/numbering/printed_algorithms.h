// The k-iteration paper's algorithms with single corrections taken back, to show what each correction is for.
// Invariant: with no correction taken back, they agree with brute force. Written apart from the library: it
// is the second implementation of the corrected algorithm, too.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "numbering/k_loops.h"
#include "numbering/path_decoder.h"

namespace mangata::numbering::testing {

/// Numbers of errata (E1, E2, ... of numbering/README.md) whose printed rule is used instead of the corrected
/// one.
using Printed = std::set<int>;

unsigned largest_k(const KLoops& k_loops);

class PrintedNumbering {
 public:
  PrintedNumbering(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops, Printed printed);

  int64_t size() const { return size_; }
  /// Equation (1) of the paper.
  int64_t identifier(const FlowPath& path) const;
  /// The numbering after section 4.1: the weights of dummy edges are moved into real edges (E16).
  PrintedNumbering without_dummies() const;
  /// Algorithm 2, with its greedy choice as printed (E20); an empty path when it gets stuck.
  FlowPath identify(int64_t number) const;
  struct Weight {
    int64_t val = 0, cval = 0;
  };
  Weight start_weight(LoopId loop) const { return at(0, 1, start_key(loop)); }  ///< none: the entry edge
  Weight weight(BlockId from, unsigned iteration, EdgeId edge) const {
    return at(node(from), iteration, edge.value);
  }
  Weight end_weight(BlockId from, unsigned iteration, LoopId loop) const {
    return at(node(from), iteration, end_key(loop));
  }

 private:
  struct DeltaEdge {
    uint32_t to;
    uint64_t key;
    EdgeId edge;
    LoopId loop;
  };
  static uint32_t node(BlockId block) { return block.value + 2; }
  static uint64_t end_key(LoopId loop) { return (uint64_t{1} << 40) + loop.value; }
  uint64_t start_key(LoopId loop) const;
  Weight at(uint32_t from, unsigned iteration, uint64_t key) const;
  size_t loop_at(uint32_t node) const {
    return node < 2 ? KLoops::kOutside : k_.around(BlockId(size_t{node} - 2));
  }
  /// Of the loop that contains the block; as printed there is one k for all (E19).
  unsigned k_of(size_t loop) const { return has(19) ? largest_k(k_) : k_[loop].k; }
  bool is_own_backedge(const DeltaEdge& edge, size_t loop) const {
    return loop != KLoops::kOutside && !edge.edge.is_none() && forest_.cut_by(edge.edge) == k_[loop].loop;
  }
  bool has(int erratum) const { return printed_.contains(erratum); }
  void build();
  std::vector<uint32_t> reverse_topological() const;
  void number_node(uint32_t u, unsigned i);
  bool ignored(uint32_t u, const DeltaEdge& edge, unsigned i) const;
  unsigned count_visit(uint32_t u, std::map<uint32_t, unsigned>& visits) const;
  void remove_dummy(uint32_t from, unsigned iteration, const DeltaEdge& edge);

  const FlowGraph& graph_;
  const LoopForest& forest_;
  const KLoops& k_;
  Printed printed_;
  std::vector<std::vector<DeltaEdge>> out_;
  std::map<std::tuple<uint32_t, unsigned, uint64_t>, Weight> weights_;
  std::vector<int64_t> paths_, invalid_;
  int64_t size_ = 0;
};

/// Runs a trace; counts by identifier. Errata E4, E5, E6, E17 and E18 concern this part.
std::map<int64_t, uint64_t> run_printed(const FlowGraph& graph, const LoopForest& forest,
                                        const KLoops& k_loops, const PrintedNumbering& numbering,
                                        const Printed& printed, const std::vector<EdgeId>& trace);

/// What is wrong with numbering, identification and counting when these printed rules are used: empty when
/// nothing is.
std::string judge_printed(const FlowGraph& graph, const LoopForest& forest,
                          const std::vector<uint8_t>& iterations, const Printed& printed,
                          const std::vector<std::vector<EdgeId>>& traces);

}  // namespace mangata::numbering::testing
