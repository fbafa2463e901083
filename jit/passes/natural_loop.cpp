#include "jit/passes/natural_loop.h"

#include <algorithm>
#include <utility>

namespace mangata::jit {

using ir::BlockId;

std::vector<BlockId> loop_heads(const ir::BlockOrder& order) {
  std::vector<BlockId> heads;
  for (const BlockId block : order.blocks()) {
    const auto before = order.predecessors(block);
    if (std::any_of(before.begin(), before.end(), [&](BlockId from) { return order.dominates(block, from); })) heads.push_back(block);
  }
  return heads;
}

bool NaturalLoop::find(const ir::Function& function, const ir::BlockOrder& order, BlockId head) {
  head_ = head;
  blocks_.clear();
  entries_.clear();
  loop_of_.resize(function.block_count());
  loop_of_[head.index] = {};
  add(head);
  for (const BlockId from : order.predecessors(head)) {
    if (order.dominates(head, from)) {
      add(from);
    } else {
      entries_.push_back(from);
    }
  }
  for (size_t i = 1; i < blocks_.size(); ++i) {
    if (!order.dominates(head, blocks_[i])) return false;
    for (const BlockId from : order.predecessors(blocks_[i])) add(from);
  }
  return !entries_.empty();
}

void NaturalLoop::add(BlockId block) {
  if (std::exchange(loop_of_[block.index], head_) != head_) blocks_.push_back(block);
}

}  // namespace mangata::jit
