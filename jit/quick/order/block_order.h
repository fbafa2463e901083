// The order in which blocks of a function are compiled and laid out, and its loops.
#pragma once

#include <vector>

#include "jit/ir/function.h"
#include "jit/quick/code/code.h"

namespace mangata::jit::quick {

struct BlockOrder {
  struct Entry {
    ir::BlockId block;
    BlockIndex loop = kNone;        ///< as in Block
    BlockIndex outer_loop = kNone;
    uint8_t loop_depth = 0;
    bool is_cold = false;
    uint32_t frequency = 0;  ///< as in Block
  };
  std::vector<Entry> entries;      ///< reverse post order, the likely way first, loops in one piece where they can be; then what is cold
  std::vector<BlockIndex> number;  ///< by ir::BlockId: in entries; kNone: it cannot be reached
};

/// What a branch weighs little against the other arm is cold, and so is what only cold blocks lead to.
/// cost  linear
BlockOrder order_blocks(const ir::Function& function);

}  // namespace mangata::jit::quick
