// The dominator tree. Invariant: immediate dominators of reachable blocks only. Read next: loops.h.
#pragma once

#include <vector>

#include "numbering/depth_first.h"

namespace mangata::numbering {

/// Block a dominates b iff every way from the entry to b goes through a.
class DominatorTree {
 public:
  /// Lengauer and Tarjan's algorithm with path compression: O(E log V) on every graph, no recursion.
  DominatorTree(const FlowGraph& graph, const DepthFirstOrder& order);

  /// none for the entry and for unreachable blocks.
  BlockId immediate_dominator(BlockId block) const { return immediate_[block.index()]; }
  /// True also for a == b. False when one of the two is unreachable. O(1).
  bool dominates(BlockId a, BlockId b) const {
    return enter_[a.index()] != 0 && enter_[a.index()] <= enter_[b.index()] &&
           leave_[b.index()] <= leave_[a.index()] && enter_[b.index()] != 0;
  }

 private:
  void number_intervals(const DepthFirstOrder& order);

  std::vector<BlockId> immediate_;
  std::vector<uint32_t> enter_,
      leave_;  ///< the interval of each block in a walk of the tree; 0 = unreachable
};

}  // namespace mangata::numbering
