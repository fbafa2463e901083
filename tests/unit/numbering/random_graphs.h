// Random flow graphs and random walks through them. Invariant: the same seed gives the same graph on every
// machine.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "numbering/flow_graph.h"

namespace mangata::numbering::testing {

/// SplitMix64: tiny, and unlike the standard distributions the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// 0..bound-1
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  uint64_t state_;
};

/// Makes a graph from {from, to} pairs; the pairs must be valid.
FlowGraph make_graph(size_t blocks, size_t entry, size_t exit, const std::vector<std::pair<int, int>>& edges);

/// Any graph of 1..most blocks: irreducible, parallel edges, self-loops, unreachable blocks, endless loops,
/// all of it.
FlowGraph random_graph(uint64_t seed, size_t most_blocks);

/// A reducible graph grown from one edge by sequence, branches, loops, multi-level exits and continues.
FlowGraph random_structured_graph(uint64_t seed, size_t steps);

/// One loop 0 -> (a random acyclic body) -> 0, left from its last block; its backedge is that block's first edge.
FlowGraph random_loop(uint64_t seed);

/// A walk from the entry to the exit, cut off after `most` edges.
std::vector<EdgeId> random_trace(const FlowGraph& graph, uint64_t seed, size_t most);

}  // namespace mangata::numbering::testing
