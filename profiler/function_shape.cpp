#include "profiler/function_shape.h"

#include <algorithm>
#include <cassert>

#include "numbering/edge_weights.h"
#include "vm/bytecode/cfg.h"
#include "vm/bytecode/condition_sense.h"
#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

using numbering::BlockId;

/// What the compiler noted; for code from a binary chunk, what the opcode itself says.
BranchKind kind_of(const Proto& proto, int pc) {
  const Opcode op = proto.original_code[static_cast<size_t>(pc)].op;
  const uint8_t noted = proto.feedback[static_cast<size_t>(pc)];
  if ((noted & kFalseWhenTaken) != 0) return BranchKind::FalseIfTaken;
  if ((noted & kTrueWhenTaken) != 0) return BranchKind::TrueIfTaken;
  switch (op) {
    case Opcode::ForPrepare:
      return BranchKind::SkipIfTaken;
    case Opcode::ForLoop:
    case Opcode::GenericForLoop:
      return BranchKind::LoopIfTaken;
    case Opcode::JumpIfFalse:
    case Opcode::CopyJumpIfFalse:
    case Opcode::JumpIfNotEqual:
    case Opcode::JumpIfNotLess:
    case Opcode::JumpIfNotLessEqual:
    case Opcode::JumpIfNotEqualConstant:
    case Opcode::JumpIfNotLessConstant:
    case Opcode::JumpIfNotLessEqualConstant:
    case Opcode::JumpIfNotGreaterConstant:
    case Opcode::JumpIfNotGreaterEqualConstant:
      return BranchKind::FalseIfTaken;
    default:
      return BranchKind::TrueIfTaken;
  }
}

Arm arm_of(CfgEdge::Kind kind) {
  switch (kind) {
    case CfgEdge::Kind::FallThrough:
      return Arm::Fallthrough;
    case CfgEdge::Kind::Jump:
      return Arm::Taken;
    case CfgEdge::Kind::Return:
      return Arm::Exit;
  }
  return Arm::Fallthrough;
}

}  // namespace

FunctionShape shape_of(const Proto& proto) {
  const Cfg cfg = Cfg::build(proto);
  std::vector<BlockShape> blocks;
  for (const BasicBlock& block : cfg.blocks) {
    const Opcode last = proto.original_code[static_cast<size_t>(block.end_pc) - 1].op;
    const bool branches = opcode_info(last).flow == ControlFlow::Branch;
    blocks.push_back(
        {block.first_pc, block.end_pc, branches ? kind_of(proto, block.end_pc - 1) : BranchKind::None});
  }
  std::vector<numbering::FlowEdge> edges;
  std::vector<Arm> arms;
  for (const CfgEdge& edge : cfg.edges) {
    edges.push_back({BlockId(to_index(edge.from)), BlockId(to_index(edge.to))});
    arms.push_back(arm_of(edge.kind));
  }
  auto graph = numbering::FlowGraph::build(cfg.blocks.size() + 1, BlockId(to_index(cfg.entry())),
                                           BlockId(to_index(cfg.exit())), std::move(edges));
  assert(graph && "a control-flow graph has an entry, an exit, and no dead ends");
  return {std::move(*graph), std::move(blocks), std::move(arms), proto.lines};
}

BlockId FunctionShape::block_at(int pc) const {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), pc,
                       [](int wanted, const BlockShape& block) { return wanted < block.first_pc; });
  return BlockId(static_cast<size_t>(after - blocks.begin()) - 1);
}

std::vector<double> event_costs(const FunctionShape& shape, const numbering::LoopForest& forest) {
  constexpr double kOutOfLine = 2;
  std::vector<double> costs = numbering::static_edge_weights(shape.graph, forest);
  for (const numbering::EdgeId edge : shape.graph.edges()) {
    const bool is_branch = shape.graph.out_edges(shape.graph.source(edge)).size() > 1;
    const bool is_backedge =
        !forest.cut_by(edge).is_none();  // events of a loop's own jump are executed in front of it
    if (is_branch && !is_backedge && shape.arms[edge.index()] == Arm::Taken)
      costs[edge.index()] *= kOutOfLine;
  }
  return costs;
}

}  // namespace mangata
