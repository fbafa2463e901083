// The control flow of one function, as numbering sees it, and how to get back from there to bytecode and lines. A copy: it
// outlives the prototype, so that counters can be read after the collector has taken the function.
//
// Invariant: BlockId and EdgeId of `graph` index `blocks` and `arms`; the exit is the last block and has no bytecode.
// Read next: vm/bytecode/cfg.h, profiler/plan.h.
#pragma once

#include <cstdint>
#include <vector>

#include "numbering/flow_graph.h"
#include "numbering/loops.h"
#include "profiler/outcome.h"
#include "profiler/plan.h"
#include "vm/bytecode/opcode.h"

namespace mangata {

struct Proto;

/// What a branch instruction's arms are called (profiler/README.md).
enum class BranchKind : unsigned char {
  None,             ///< the block does not end in a branch
  TrueIfTaken,      ///< a condition that holds when the jump is taken
  FalseIfTaken,     ///< a condition that does not hold when the jump is taken
  LoopIfTaken,      ///< the end of a `for`: taken to go on
  SkipIfTaken,      ///< the start of a numeric `for`: taken when it does not run at all
};

struct BlockShape {
  int32_t first_pc = 0;  ///< in original_code
  int32_t end_pc = 0;  ///< one past the last instruction, in original_code
  BranchKind branch = BranchKind::None;  ///< None: it has one successor
  int32_t column = 0;  ///< as in BranchPosition, as is its length in bytes; 0: not known
  int32_t condition_length = 0;  ///< 0: not known
};

struct FunctionShape {
  numbering::FlowGraph graph;
  std::vector<BlockShape> blocks;  ///< without the exit
  std::vector<Arm> arms;           ///< per EdgeId
  std::vector<int32_t> lines;      ///< per pc; empty when stripped

  int32_t line_at(int pc) const { return lines.empty() ? -1 : lines[static_cast<size_t>(pc)]; }
  bool has_code(numbering::BlockId block) const { return blocks[block.index()].first_pc < blocks[block.index()].end_pc; }
  /// Of a block without code (path_shape_of()), the line of the branch that leads there.
  int32_t first_line(numbering::BlockId block) const {
    return has_code(block) ? line_at(blocks[block.index()].first_pc) : last_line(graph.source(graph.in_edges(block).front()));
  }
  /// The line of the instruction that ends the block: of a branch, the line of its condition.
  int32_t last_line(numbering::BlockId block) const { return line_at(blocks[block.index()].end_pc - 1); }
  uint64_t bytecodes_in(numbering::BlockId block) const {
    if (block.index() >= blocks.size()) return 0;
    return static_cast<uint64_t>(blocks[block.index()].end_pc - blocks[block.index()].first_pc);
  }
  /// The block that contains the instruction.
  numbering::BlockId block_at(int pc) const;
};

FunctionShape shape_of(const Proto& proto);

/// For numbering paths: no two edges lead from one block to another. Where both arms of a branch lead to the same block, the arm that is
/// taken goes through a block without code, since numbering takes parallel edges that end paths for one. Such blocks come last, in front
/// of the exit.
FunctionShape path_shape_of(const Proto& proto);

/// The outcome of a branch whose jump is taken, or not.
Outcome outcome_of(BranchKind branch, bool taken);

/// A loop is called by the line of its `for`, or of the first thing in it.
int32_t line_of_loop(const FunctionShape& shape, const numbering::Loop& loop);

/// Where the loop begins in that line (its keyword; of a loop made by `goto`, that); 0: not known.
int32_t column_of_loop(const FunctionShape& shape, const numbering::Loop& loop);

/// Lines with several conditions or several loops, ascending: their numbers alone do not tell these apart.
std::vector<int32_t> crowded_lines(const FunctionShape& shape);

/// For each edge, a guess of how often it runs times what an event on it costs: the events of a branch that is taken lie out of line,
/// which is one more jump.
std::vector<double> event_costs(const FunctionShape& shape, const numbering::LoopForest& forest);

}  // namespace mangata
