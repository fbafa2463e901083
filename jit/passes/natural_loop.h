// Loops of a function that are entered at their heads only.
#pragma once

#include <vector>

#include "jit/ir/block_order.h"

namespace mangata::jit {

/// Blocks that some block which they dominate leads back to, in reverse post order: outer loops first.
std::vector<ir::BlockId> loop_heads(const ir::BlockOrder& order);

class NaturalLoop {
 public:
  /// Finds that of `head`. Blocks that are added to the function afterwards are outside.
  /// returns  false: nothing leads there from outside, or it is entered elsewhere, too
  bool find(const ir::Function& function, const ir::BlockOrder& order, ir::BlockId head);

  ir::BlockId head() const { return head_; }
  bool has(ir::BlockId block) const { return block.index < loop_of_.size() && loop_of_[block.index] == head_; }
  bool knows(ir::BlockId block) const { return block.index < loop_of_.size(); }  ///< it is older than the loop
  const std::vector<ir::BlockId>& blocks() const { return blocks_; }    ///< the head first
  const std::vector<ir::BlockId>& entries() const { return entries_; }  ///< blocks outside that lead to the head, one for each edge

 private:
  void add(ir::BlockId block);

  ir::BlockId head_;
  std::vector<ir::BlockId> blocks_, entries_;
  std::vector<ir::BlockId> loop_of_;  ///< by block: head_ if it belongs to the loop
};

}  // namespace mangata::jit
