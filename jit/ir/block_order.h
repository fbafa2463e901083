// The shape of a function's control flow: order, predecessors, dominators.
#pragma once

#include <span>
#include <vector>

#include "jit/ir/function.h"

namespace mangata::jit::ir {

class BlockOrder {
 public:
  /// cost  linear, but for dominators of graphs that are far from reducible
  explicit BlockOrder(const Function& function);

  /// In reverse post order from the entry; blocks that cannot be reached are left out.
  std::span<const BlockId> blocks() const { return order_; }
  bool is_reachable(BlockId block) const { return number_[block.index] != kUnreachable; }
  /// In blocks().
  uint32_t number_of(BlockId block) const { return number_[block.index]; }
  /// One for each edge, from blocks that can be reached.
  std::span<const BlockId> predecessors(BlockId block) const {
    return {predecessors_.data() + first_[block.index], predecessors_.data() + first_[block.index + 1]};
  }
  /// Invalid: of the entry. [Cooper, Harvey and Kennedy 2001]
  BlockId immediate_dominator(BlockId block) const { return immediate_[block.index]; }
  /// True also of a block and itself. Precondition: both can be reached.
  bool dominates(BlockId above, BlockId below) const {
    return enter_[above.index] <= enter_[below.index] && leave_[below.index] <= leave_[above.index];
  }

 private:
  static constexpr uint32_t kUnreachable = ~uint32_t{0};
  void find_order(const Function& function);
  void find_predecessors(const Function& function);
  void find_dominators();
  BlockId common_dominator(BlockId a, BlockId b) const;
  void number_intervals();

  std::vector<BlockId> order_;
  std::vector<uint32_t> number_;  ///< by block
  std::vector<uint32_t> first_;
  std::vector<BlockId> predecessors_;
  std::vector<BlockId> immediate_;
  std::vector<uint32_t> enter_, leave_;  ///< the interval of each block in a walk of the tree of dominators
};

}  // namespace mangata::jit::ir
