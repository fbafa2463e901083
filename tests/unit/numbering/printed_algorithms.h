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

class PrintedNumbering {
 public:
  PrintedNumbering(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops, Printed printed);

  int64_t size() const { return size_; }
  /// Equation (1) of the paper.
  int64_t identifier(const FlowPath& path) const;
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
  bool has(int erratum) const { return printed_.contains(erratum); }
  void build();
  std::vector<uint32_t> reverse_topological() const;
  void number_node(uint32_t u, unsigned i);
  bool ignored(uint32_t u, const DeltaEdge& edge, unsigned i) const;

  const FlowGraph& graph_;
  const LoopForest& forest_;
  const KLoops& k_;
  Printed printed_;
  std::vector<std::vector<DeltaEdge>> out_;
  std::map<std::tuple<uint32_t, unsigned, uint64_t>, Weight> weights_;
  std::vector<int64_t> paths_, invalid_;
  int64_t size_ = 0;
};

/// Runs a trace; counts by identifier. Errata E4, E6 and E17 concern this part.
std::map<int64_t, uint64_t> run_printed(const FlowGraph& graph, const LoopForest& forest,
                                        const KLoops& k_loops, const PrintedNumbering& numbering,
                                        const Printed& printed, const std::vector<EdgeId>& trace);

/// What is wrong with numbering and counting when these printed rules are used: empty when nothing is.
std::string judge_printed(const FlowGraph& graph, const LoopForest& forest,
                          const std::vector<uint8_t>& iterations, const Printed& printed,
                          const std::vector<std::vector<EdgeId>>& traces);

}  // namespace mangata::numbering::testing
