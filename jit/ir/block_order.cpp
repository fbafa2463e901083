#include "jit/ir/block_order.h"

#include "jit/ir/reverse_post_order.h"

namespace mangata::jit::ir {

BlockOrder::BlockOrder(const Function& function) : number_(function.block_count(), kUnreachable), immediate_(function.block_count()) {
  if (function.block_count() == 0) return;
  find_order(function);
  find_predecessors(function);
  find_dominators();
  number_intervals();
}

void BlockOrder::find_order(const Function& function) {
  order_ = reverse_post_order(function.block_count(), [&](BlockId block, size_t i) {
    const Value end = function.terminator(block);
    const size_t count = end ? function.target_count(function[end]) : 0;
    return i < count ? function.target(function[end], count - 1 - i) : BlockId{};
  });
  for (uint32_t i = 0; i < order_.size(); ++i) number_[order_[i].index] = i;
}

void BlockOrder::find_predecessors(const Function& function) {
  const auto for_each_edge = [&](auto visit) {
    for (const BlockId block : order_) {
      const Value end = function.terminator(block);
      for (size_t i = 0; end && i < function.target_count(function[end]); ++i) visit(block, function.target(function[end], i));
    }
  };
  first_.assign(function.block_count() + 1, 0);
  for_each_edge([&](BlockId, BlockId to) { ++first_[to.index + 1]; });
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  predecessors_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for_each_edge([&](BlockId from, BlockId to) { predecessors_[next[to.index]++] = from; });
}

BlockId BlockOrder::common_dominator(BlockId a, BlockId b) const {
  while (a != b) {
    while (number_[a.index] > number_[b.index]) a = immediate_[a.index];
    while (number_[b.index] > number_[a.index]) b = immediate_[b.index];
  }
  return a;
}

void BlockOrder::find_dominators() {
  const BlockId entry = order_.front();
  immediate_[entry.index] = entry;
  for (bool changes = true; changes;) {
    changes = false;
    for (const BlockId block : order_) {
      if (block == entry) continue;
      BlockId common;
      for (const BlockId from : predecessors(block)) {
        if (!immediate_[from.index]) continue;
        common = common ? common_dominator(common, from) : from;
      }
      changes |= common != immediate_[block.index];
      immediate_[block.index] = common;
    }
  }
  immediate_[entry.index] = {};
}

void BlockOrder::number_intervals() {
  // Of each block, the first that it dominates immediately, and the next one of the same dominator.
  std::vector<BlockId> first_child(number_.size()), sibling(number_.size());
  for (size_t i = order_.size(); i-- > 1;) {
    const BlockId block = order_[i];
    BlockId& first = first_child[immediate_[block.index].index];
    sibling[block.index] = first;
    first = block;
  }
  enter_.assign(number_.size(), 0), leave_.assign(number_.size(), 0);
  uint32_t now = 0;
  BlockId block = order_.front();
  enter_[block.index] = ++now;
  while (block) {
    BlockId& child = first_child[block.index];
    if (child) {
      const BlockId next = child;
      child = sibling[next.index];
      enter_[next.index] = ++now;
      block = next;
    } else {
      leave_[block.index] = ++now;
      block = immediate_[block.index];
    }
  }
}

}  // namespace mangata::jit::ir
