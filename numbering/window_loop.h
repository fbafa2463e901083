// One k-loop by itself: its iterations numbered as digits, and the ways to leave it ranked.
// Invariant: an iteration (head to backedge) is a digit 0..B-1; a window is k digits in one word, the oldest
// lowest. Read next: path_plan.h.
#pragma once

#include <vector>

#include "numbering/chords.h"
#include "numbering/k_loops.h"
#include "numbering/path_decoder.h"

namespace mangata::numbering {

/// The ways from the head to one block, within one iteration, as the sums of edge values that they give.
/// Ascending, so a sum's place is its rank. Empty when there are too many: then the sum itself serves as rank
/// (below B, with gaps).
struct PrefixRanks {
  DagNodeId node;  ///< of the body DAG
  std::vector<uint64_t> sums;  ///< of edge values from the head to the node
  PathCount count = 0;  ///< number of ranks: sums.size(), or B
};

struct WindowExit {
  EdgeId edge;
  size_t ranks;  ///< index into WindowLoop::ranks
};

/// More digits than this would not leave room for signs in 64 bits.
constexpr unsigned kMostWindowBits = 62;

struct WindowLoop {
  LoopId loop;
  unsigned k = 2;  ///< iterations in a window
  BlockId head;  ///< all blocks of the body are reached from it
  std::vector<BlockId> blocks;  ///< of the body, ascending
  PathDag body;  ///< Start -> head, the flow edges of the body, and one LoopEnd per backedge (parallel ones
                 ///< apart)
  PathNumbering numbering;
  Chords chords;
  PathCount body_paths = 0;  ///< B
  unsigned digit_bits = 0;   ///< s, with 2^s >= B
  std::vector<PrefixRanks> ranks;
  std::vector<WindowExit> exits;  ///< as KLoop::exits

  uint64_t slots() const { return uint64_t{1} << (digit_bits * k); }  ///< R^k
  /// The path of one iteration in a window; place 0 is the oldest.
  uint64_t digit(uint64_t slot, unsigned place) const {
    return (slot >> (place * digit_bits)) & ((uint64_t{1} << digit_bits) - 1);
  }
  /// The body's node for one of `blocks`. O(log of their number)
  DagNodeId node_of(BlockId block) const;
  /// B^exponent, saturating above kMaxPathCount.
  PathCount combinations(unsigned exponent) const;
  /// Completed iterations 0..c-1 together: 1 + B + ... + B^(c-1). Saturating.
  PathCount combinations_below(unsigned completed) const;
};

/// flow_weights  per flow edge, for the spanning tree; use_chords as in PlanOptions
/// most_bits     what a window (k · s bits) may take, at most kMostWindowBits
/// errors        PathLimit when a window does not fit, so k or the body must shrink
Result<WindowLoop> make_window_loop(const FlowGraph& graph, const LoopForest& forest, const KLoop& loop,
                                    std::span<const double> flow_weights, bool use_chords,
                                    unsigned most_bits = kMostWindowBits);

/// Appends whole iterations to a path whose last block is the head: blocks, and after each but the last
/// iteration the backedge and the head again. `last_backedge` adds those after the last one too.
Result<bool> append_iterations(const FlowGraph& graph, const WindowLoop& window,
                               std::span<const uint64_t> digits, bool last_backedge, FlowPath& path);

/// Appends the way from the head, the last block of the path, to the node, given its sum of values.
Result<bool> append_partial_iteration(const FlowGraph& graph, const WindowLoop& window, DagNodeId node,
                                      uint64_t sum, FlowPath& path);

}  // namespace mangata::numbering
