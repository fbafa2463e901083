// The order in which each block stands before those that it leads to, but for backedges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "jit/ir/operation.h"

namespace mangata::jit::ir {

/// The blocks of a function that can be reached from the first, in reverse post order.
/// @param block_count  at least 1
/// @param target_of  (block, i): the i-th block that control goes on to; invalid behind the last. What is to come next stands last.
template <typename TargetOf>
std::vector<BlockId> reverse_post_order(size_t block_count, TargetOf target_of) {
  struct Step {
    BlockId block;
    size_t next;
  };
  std::vector<BlockId> order;
  std::vector<bool> seen(block_count, false);
  std::vector<Step> path{{BlockId{0}, 0}};
  seen[0] = true;
  while (!path.empty()) {
    Step& step = path.back();
    const BlockId target = target_of(step.block, step.next++);
    if (!target) {
      order.push_back(step.block);
      path.pop_back();
    } else if (!seen[target.index]) {
      seen[target.index] = true;
      path.push_back({target, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace mangata::jit::ir
