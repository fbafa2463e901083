// The control-flow graph of a function: basic blocks of its original code and the edges between them.
//
// Invariant: blocks are in order of pc and cover the whole code; the entry is block 0; the exit is one more,
// virtual block without code after the last. The edges of a block are contiguous; of a branch the first falls
// through, the second jumps. Instructions that can raise an error do not end a block: leaving by an error is
// no edge.
//
// Read next: profiler/function_shape.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vm/bytecode/proto.h"

namespace mangata {

enum class BlockIndex : uint32_t {
};

inline constexpr size_t to_index(BlockIndex block) { return static_cast<size_t>(block); }

struct CfgEdge {
  enum class Kind : uint8_t {
    FallThrough,  ///< to the next instruction
    Jump,         ///< taken by the last instruction of the block
    Return,       ///< to the exit
  };
  BlockIndex from;  ///< never the exit
  BlockIndex to;  ///< the exit for Kind::Return
  Kind kind;
};

struct BasicBlock {
  int32_t first_pc;  ///< in the code that the graph was made of
  int32_t end_pc;  ///< one past the last instruction
  uint32_t first_edge = 0;  ///< index in Cfg::edges; the others follow it
  uint32_t edge_count = 0;  ///< ways out of the block
  bool is_reachable = false;  ///< from the entry
};

/// Per pc, and one past the end: whether a block begins there.
std::vector<bool> find_leaders(const std::vector<Instruction>& code);

struct Cfg {
  std::vector<BasicBlock> blocks;  ///< without the exit
  std::vector<CfgEdge> edges;

  /// Precondition: the code is well formed, as the compiler and the verifier guarantee.
  static Cfg build(const Proto& proto);

  BlockIndex entry() const { return BlockIndex{0}; }
  BlockIndex exit() const { return BlockIndex{static_cast<uint32_t>(blocks.size())}; }
  const BasicBlock& block(BlockIndex index) const { return blocks[to_index(index)]; }
  /// In the order: falling through, jumping, returning.
  std::span<const CfgEdge> successors(BlockIndex index) const {
    const BasicBlock& from = block(index);
    return {edges.data() + from.first_edge, from.edge_count};
  }
  /// The block that contains an instruction.
  BlockIndex block_at(int pc) const;
};

/// The text form of one function's graph, for --dump=cfg.
std::string dump_cfg(const Proto& proto);

}  // namespace mangata
