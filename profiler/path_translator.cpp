#include "profiler/path_translator.h"

namespace mangata {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::LoopKind;
using numbering::PathBegin;
using numbering::PathFinish;

PathTranslator::PathTranslator(const FunctionRecord& record) : record_(record), shape_(record.shape) {
  for (const LoopId loop : record.numbering.loops().ids()) {
    loop_lines_.push_back(line_of(loop));
    loop_columns_.push_back(column_of_loop(shape_, record.numbering.loops()[loop]));
  }
}

Path PathTranslator::translate(const FlowPath& flow) const {
  Path path;
  add_start(flow, &path);
  LineCounts lines;
  for (size_t i = 0; i < flow.blocks.size(); ++i) {
    const BlockId block = flow.blocks[i];
    if (block == shape_.graph.exit()) continue;
    visit(block, &path, &lines);
    const bool is_last = i >= flow.edges.size();
    const EdgeId edge = is_last ? final_edge(flow) : flow.edges[i];
    const bool goes_back = !is_last && !record_.numbering.loops().cut_by(edge).is_none();
    add_step(block, edge, is_last || goes_back, &path);
    if (goes_back) end_iteration(flow, &path, &lines);
  }
  for (const auto& [line, bytecodes] : lines) {
    path.lines.push_back(line);
    path.line_bytecodes.push_back(bytecodes);
  }
  add_end(flow, &path);
  return path;
}

bool PathTranslator::is_truncation(LoopId loop) const {
  return record_.numbering.loops()[loop].kind == LoopKind::Truncation;
}

int32_t PathTranslator::line_of(LoopId id) const {
  const numbering::Loop& loop = record_.numbering.loops()[id];
  return loop.head == shape_.graph.exit() ? record_.last_line_defined : line_of_loop(shape_, loop);
}

void PathTranslator::add_start(const FlowPath& flow, Path* path) const {
  if (flow.begin == PathBegin::Entry) {
    path->start = PathStart::Entry;
    path->start_line = record_.line_defined;
    path->key = "E:";
    return;
  }
  path->start = is_truncation(flow.begin_loop) ? PathStart::Cut : PathStart::Loop;
  path->start_line = loop_line(flow.begin_loop);
  path->start_column = loop_column(flow.begin_loop);
  path->key = loop_key(flow.begin_loop) + ":";
}

void PathTranslator::visit(BlockId block, Path* path, LineCounts* lines) const {
  const BlockShape& shape = shape_.blocks[block.index()];
  path->bytecodes += shape_.bytecodes_in(block);
  if (shape_.lines.empty()) return;
  for (int32_t pc = shape.first_pc; pc < shape.end_pc; ++pc) ++(*lines)[shape_.line_at(pc)];
}

/// The edge that ends the path; none for a path in flight.
EdgeId PathTranslator::final_edge(const FlowPath& flow) const {
  if (flow.finish != PathFinish::Backedge) return EdgeId::none();
  for (const EdgeId edge : shape_.graph.out_edges(flow.blocks.back())) {
    if (record_.numbering.loops().cut_by(edge) == flow.finish_loop) return edge;
  }
  return EdgeId::none();
}

void PathTranslator::add_step(BlockId block, EdgeId edge, bool ends_iteration, Path* path) const {
  const BranchKind branch = shape_.blocks[block.index()].branch;
  if (branch == BranchKind::None || edge.is_none()) return;
  const bool taken = shape_.arms[edge.index()] == Arm::Taken;
  path->key += taken ? '1' : '0';
  const Outcome outcome = outcome_of(branch, taken);
  if (ends_iteration && outcome == Outcome::Loop) return;  // "back to the loop" says it
  const BlockShape& shape = shape_.blocks[block.index()];
  path->steps.push_back({shape_.last_line(block), outcome, shape.column, shape.condition_length});
}

/// Only loops with k >= 2 go back within a path. The first k-1 iterations of a path that begins at such a
/// loop are also in the path before it.
void PathTranslator::end_iteration(const FlowPath& flow, Path* path, LineCounts* lines) const {
  path->key += '|';
  path->iteration_ends.push_back(static_cast<uint32_t>(path->steps.size()));
  if (flow.begin != PathBegin::Backedge) return;
  const unsigned shared = record_.numbering.iterations(flow.begin_loop) - 1;
  if (path->iteration_ends.size() != shared) return;
  path->repeated_bytecodes = path->bytecodes;
  for (auto& [line, bytecodes] : *lines) bytecodes = 0;
}

void PathTranslator::add_end(const FlowPath& flow, Path* path) const {
  BlockId last = flow.blocks.back();
  switch (flow.finish) {
    case PathFinish::Exit:
      path->end = PathEnd::Return;
      if (last == shape_.graph.exit() && flow.blocks.size() >= 2) last = flow.blocks[flow.blocks.size() - 2];
      path->end_line = last == shape_.graph.exit() ? record_.last_line_defined : shape_.last_line(last);
      path->key += ":X";
      return;
    case PathFinish::Backedge:
      path->end = is_truncation(flow.finish_loop) ? PathEnd::Cut : PathEnd::Loop;
      path->end_line = loop_line(flow.finish_loop);
      path->end_column = loop_column(flow.finish_loop);
      path->key += ":" + loop_key(flow.finish_loop);
      return;
    case PathFinish::InFlight:
      path->end = PathEnd::InFlight;
      path->end_line = last == shape_.graph.exit() ? record_.last_line_defined : shape_.last_line(last);
      path->key += ":?";
      return;
  }
}

}  // namespace mangata
