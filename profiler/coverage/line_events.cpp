#include "profiler/coverage/line_events.h"

#include <algorithm>

#include "vm/bytecode/proto.h"

namespace mangata::coverage {
namespace {

using numbering::BlockId;
using numbering::EdgeId;

Opcode opcode_at(const Proto& proto, int32_t pc) { return proto.original_code[static_cast<size_t>(pc)].op; }

/// Whether going from the instruction at `from` to the one at `to` raises a line event there.
bool starts_line(const Proto& proto, int32_t from, int32_t to) {
  return to <= from || proto.line_at(OriginalPc(from)) != proto.line_at(OriginalPc(to));
}

int32_t last_pc(const FunctionShape& shape, BlockId block) { return shape.blocks[block.index()].end_pc - 1; }

bool has_code(const FunctionShape& shape, BlockId block) { return shape.bytecodes_in(block) != 0; }

/// Lua 5.4's jumps go where a backedge leads, so one that is jumped to is not seen.
bool is_unseen_backedge(const Proto& proto, const FunctionShape& shape, EdgeId edge, int32_t to) {
  const Instruction& in = proto.original_code[static_cast<size_t>(to)];
  if (in.op != Opcode::Jump || in.a == 0) return false;
  const int32_t from = last_pc(shape, shape.graph.source(edge));
  if (from == to - 1 || from == to) return false;
  const ControlFlow flow = opcode_info(opcode_at(proto, from)).flow;
  return opcode_at(proto, from) != Opcode::ForPrepare && (flow == ControlFlow::Jump || flow == ControlFlow::Branch);
}

/// Whether the block is nothing but a backedge, and has been led to.
bool is_lone_backedge(const Proto& proto, const FunctionShape& shape, BlockId block) {
  const Instruction& in = proto.original_code[static_cast<size_t>(last_pc(shape, block))];
  return in.op == Opcode::Jump && in.a != 0 && shape.bytecodes_in(block) == 1 && last_pc(shape, block) != 0;
}

/// Lua 5.4 makes the first call of an iterator as a part of the instruction before it.
bool is_unseen_call(const Proto& proto, const FunctionShape& shape, EdgeId edge, int32_t to) {
  return opcode_at(proto, to) == Opcode::GenericForCall &&
         opcode_at(proto, last_pc(shape, shape.graph.source(edge))) == Opcode::GenericForPrepare;
}

/// What the compiler adds by itself. Where nothing leads to it, it is nobody's line.
bool is_bookkeeping(Opcode op) {
  return op == Opcode::Jump || op == Opcode::Close || op == Opcode::Return || op == Opcode::Return0;
}

}  // namespace

LineEvents::LineEvents(const Proto& proto, const FunctionShape& shape) {
  if (proto.lines.empty()) return;
  for (size_t i = 0; i < shape.blocks.size(); ++i) {
    if (has_code(shape, BlockId(i))) add_block(proto, shape, BlockId(i));
  }
  for (const Reached& event : reached_) lines_.push_back(event.line);
  for (const Crossed& event : crossed_) lines_.push_back(event.line);
  std::sort(lines_.begin(), lines_.end());
  lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
}

void LineEvents::add_block(const Proto& proto, const FunctionShape& shape, BlockId block) {
  const BlockShape& range = shape.blocks[block.index()];
  if (!shape.graph.is_reachable(block)) {
    for (int32_t pc = range.first_pc; pc < range.end_pc; ++pc) {
      if (!is_bookkeeping(opcode_at(proto, pc))) lines_.push_back(proto.line_at(OriginalPc(pc)));
    }
    return;
  }
  add_start(proto, shape, block);
  for (int32_t pc = range.first_pc + 1; pc < range.end_pc; ++pc) {
    const bool is_behind_parameters = pc == 1 && proto.is_vararg;  // the function starts here
    if (is_behind_parameters || starts_line(proto, pc - 1, pc)) reached_.push_back({pc, proto.line_at(OriginalPc(pc))});
  }
}

void LineEvents::add_start(const Proto& proto, const FunctionShape& shape, BlockId block) {
  const int32_t pc = shape.blocks[block.index()].first_pc;
  if (pc == 0) {
    if (!proto.is_vararg) reached_.push_back({pc, proto.line_at(OriginalPc(pc))});
    return;
  }
  for (const EdgeId edge : shape.graph.in_edges(block)) {
    if (!shape.graph.is_reachable(shape.graph.source(edge))) continue;
    if (is_unseen_call(proto, shape, edge, pc) || is_unseen_backedge(proto, shape, edge, pc)) continue;
    const BlockId source = shape.graph.source(edge);
    if (is_lone_backedge(proto, shape, source)) {
      add_backedge_target(proto, shape, edge);
    } else if (starts_line(proto, last_pc(shape, source), pc)) {
      crossed_.push_back({edge, proto.line_at(OriginalPc(pc))});
    }
  }
}

/// `jump` comes from a block that is nothing but a backedge. For who got there by a jump that does not see it, the instruction before is
/// that jump.
void LineEvents::add_backedge_target(const Proto& proto, const FunctionShape& shape, EdgeId jump) {
  const BlockId source = shape.graph.source(jump);
  const int32_t from = last_pc(shape, source);
  const int32_t to = shape.blocks[shape.graph.target(jump).index()].first_pc;
  std::vector<EdgeId> with_event;
  size_t arrivals = 0;
  for (const EdgeId edge : shape.graph.in_edges(source)) {
    if (!shape.graph.is_reachable(shape.graph.source(edge))) continue;
    ++arrivals;
    const int32_t before = is_unseen_backedge(proto, shape, edge, from) ? last_pc(shape, shape.graph.source(edge)) : from;
    if (starts_line(proto, before, to)) with_event.push_back(edge);
  }
  if (with_event.size() == arrivals) with_event.assign(1, jump);
  for (const EdgeId edge : with_event) crossed_.push_back({edge, proto.line_at(OriginalPc(to))});
}

LineHits LineEvents::no_hits() const {
  LineHits hits;
  for (const int32_t line : lines_) hits[line] = 0;
  return hits;
}

LineHits LineEvents::hits(const FunctionShape& shape, const numbering::EdgeCounts& counts, const CutCounts& cuts) const {
  LineHits hits = no_hits();
  for (const Crossed& event : crossed_) hits[event.line] += counts.edge[event.edge.index()];
  BlockId block;
  uint64_t entered = 0;
  auto cut = cuts.begin();
  for (const Reached& event : reached_) {
    const BlockId now = shape.block_at(event.pc);
    if (now != block) {
      block = now;
      cut = cuts.lower_bound(shape.blocks[block.index()].first_pc);
      entered = 0;
      for (const EdgeId edge : shape.graph.out_edges(block)) entered += counts.edge[edge.index()];
      const auto end = cuts.lower_bound(shape.blocks[block.index()].end_pc);
      for (auto i = cut; i != end; ++i) entered += i->second;
    }
    for (; cut != cuts.end() && cut->first < event.pc; ++cut) entered -= cut->second;
    hits[event.line] += entered;
  }
  return hits;
}

}  // namespace mangata::coverage
