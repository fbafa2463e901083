#include "profiler/function_shape.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "numbering/edge_weights.h"
#include "vm/bytecode/cfg.h"
#include "vm/bytecode/condition_sense.h"
#include "vm/bytecode/conditions.h"
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
    default:
      return jumps_if_not(op) ? BranchKind::FalseIfTaken : BranchKind::TrueIfTaken;
  }
}

BlockShape block_shape(const Proto& proto, const BasicBlock& block) {
  BlockShape shape{.first_pc = block.first_pc, .end_pc = block.end_pc};
  const int32_t last = block.end_pc - 1;
  if (opcode_info(proto.original_code[static_cast<size_t>(last)].op).flow == ControlFlow::Branch) shape.branch = kind_of(proto, last);
  const auto& positions = proto.branch_positions;
  const auto found = std::lower_bound(positions.begin(), positions.end(), OriginalPc{last},
                                      [](const BranchPosition& position, OriginalPc pc) { return position.pc < pc; });
  if (found == positions.end() || found->pc != OriginalPc{last}) return shape;
  shape.column = found->column;
  shape.condition_length = found->length;
  return shape;
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

/// Edges of a function's graph, before it is built.
struct Edges {
  std::vector<numbering::FlowEdge> flow;
  std::vector<Arm> arms;
};

/// Per edge, whether it is the second of its block that leads to the same block.
std::vector<bool> find_parallel(const Cfg& cfg) {
  std::vector<bool> is_parallel(cfg.edges.size(), false);
  for (const BasicBlock& block : cfg.blocks) {
    if (block.edge_count < 2) continue;
    is_parallel[block.first_edge + 1] = cfg.edges[block.first_edge].to == cfg.edges[block.first_edge + 1].to;
  }
  return is_parallel;
}

FunctionShape shape_of(const Proto& proto, bool splits_parallel_edges) {
  const Cfg cfg = Cfg::build(proto);
  std::vector<BlockShape> blocks;
  for (const BasicBlock& block : cfg.blocks) {
    blocks.push_back(block_shape(proto, block));
  }
  const std::vector<bool> is_parallel = splits_parallel_edges ? find_parallel(cfg) : std::vector<bool>(cfg.edges.size(), false);
  const BlockId exit(cfg.blocks.size() + static_cast<size_t>(std::count(is_parallel.begin(), is_parallel.end(), true)));
  Edges edges, behind;
  for (size_t i = 0; i < cfg.edges.size(); ++i) {
    const CfgEdge& edge = cfg.edges[i];
    const BlockId from(to_index(edge.from)), to = edge.to == cfg.exit() ? exit : BlockId(to_index(edge.to));
    const BlockId between(blocks.size());
    edges.flow.push_back({from, is_parallel[i] ? between : to});
    edges.arms.push_back(arm_of(edge.kind));
    if (!is_parallel[i]) continue;
    const auto end_pc = static_cast<int32_t>(proto.original_code.size());
    blocks.push_back({.first_pc = end_pc, .end_pc = end_pc});
    behind.flow.push_back({between, to});
    behind.arms.push_back(Arm::Fallthrough);
  }
  edges.flow.insert(edges.flow.end(), behind.flow.begin(), behind.flow.end());
  edges.arms.insert(edges.arms.end(), behind.arms.begin(), behind.arms.end());
  auto graph = numbering::FlowGraph::build(exit.index() + 1, BlockId(to_index(cfg.entry())), exit, std::move(edges.flow));
  assert(graph && "a control-flow graph has an entry, an exit, and no dead ends");
  return {std::move(*graph), std::move(blocks), std::move(edges.arms), proto.lines};
}

/// The block that goes back in a `for`; none in other loops.
BlockId tail_of_for(const FunctionShape& shape, const numbering::Loop& loop) {
  for (const numbering::EdgeId edge : loop.backedges) {
    // A `for` that is the last thing in a loop falls through to the head of the loop around it.
    const BlockId tail = shape.graph.source(edge);
    const bool is_for = shape.blocks[tail.index()].branch == BranchKind::LoopIfTaken;
    if (is_for && shape.arms[edge.index()] == Arm::Taken) return tail;
  }
  return BlockId::none();
}

}  // namespace

FunctionShape shape_of(const Proto& proto) { return shape_of(proto, /*splits_parallel_edges=*/false); }

FunctionShape path_shape_of(const Proto& proto) { return shape_of(proto, /*splits_parallel_edges=*/true); }

BlockId FunctionShape::block_at(int pc) const {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), pc,
                       [](int wanted, const BlockShape& block) { return wanted < block.first_pc; });
  return BlockId(static_cast<size_t>(after - blocks.begin()) - 1);
}

Outcome outcome_of(BranchKind branch, bool taken) {
  switch (branch) {
    case BranchKind::FalseIfTaken: return taken ? Outcome::False : Outcome::True;
    case BranchKind::LoopIfTaken: return taken ? Outcome::Loop : Outcome::Done;
    case BranchKind::SkipIfTaken: return taken ? Outcome::Skip : Outcome::Enter;
    default: return taken ? Outcome::True : Outcome::False;
  }
}

int32_t line_of_loop(const FunctionShape& shape, const numbering::Loop& loop) {
  const BlockId tail = tail_of_for(shape, loop);
  return tail.is_none() ? shape.first_line(loop.head) : shape.last_line(tail);
}

/// The first of the loops that begin here: they are one to the numbering.
int32_t column_of_loop(const FunctionShape& shape, const numbering::Loop& loop) {
  if (const BlockId tail = tail_of_for(shape, loop); !tail.is_none()) return shape.blocks[tail.index()].column;
  int32_t column = 0;
  for (const numbering::EdgeId edge : loop.backedges) {
    const BlockShape& tail = shape.blocks[shape.graph.source(edge).index()];
    if (tail.branch == BranchKind::None && tail.column != 0 && (column == 0 || tail.column < column)) column = tail.column;
  }
  return column;
}

std::vector<int32_t> crowded_lines(const FunctionShape& shape) {
  std::map<int32_t, std::set<int32_t>> branches, loops;
  for (size_t i = 0; i < shape.blocks.size(); ++i) {
    const BlockShape& block = shape.blocks[i];
    if (block.column == 0) continue;
    const BlockId id(i);
    if (block.branch != BranchKind::None) branches[shape.last_line(id)].insert(block.column);
    if (block.branch == BranchKind::LoopIfTaken) loops[shape.last_line(id)].insert(block.column);
    if (block.branch != BranchKind::None) continue;
    for (const numbering::EdgeId edge : shape.graph.out_edges(id)) loops[shape.first_line(shape.graph.target(edge))].insert(block.column);
  }
  std::vector<int32_t> lines;
  for (const auto* columns : {&branches, &loops}) {
    for (const auto& [line, of_line] : *columns) {
      if (of_line.size() > 1) lines.push_back(line);
    }
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
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
