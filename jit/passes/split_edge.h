// A block of its own for an edge.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// `from` leads to the new block instead of where it led by that arm; the block has nothing but the jump that goes on there.
inline ir::BlockId split_edge(ir::Function* function, ir::BlockId from, size_t arm) {
  ir::Function& f = *function;
  const ir::Value end = f.terminator(from);
  const ir::BlockId target = f.target(f[end], arm);
  const ir::BlockId edge = f.add_block("edge", f[target].is_cold);
  ir::Operation jump{.place = f[end].place, .op = ir::Opcode::Jump};
  f.set_target(&jump, 0, target);
  f[edge].operations.push_back(f.add(jump));
  f.set_target(&f[end], arm, edge);
  return edge;
}

}  // namespace mangata::jit
