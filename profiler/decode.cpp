// From counters to paths in the terms of the source.
#include <algorithm>
#include <map>
#include <set>

#include "profiler/function_record.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::LoopKind;
using numbering::PathBegin;
using numbering::PathFinish;

Outcome outcome_of(BranchKind branch, bool taken) {
  switch (branch) {
    case BranchKind::FalseIfTaken: return taken ? Outcome::False : Outcome::True;
    case BranchKind::LoopIfTaken: return taken ? Outcome::Loop : Outcome::Done;
    case BranchKind::SkipIfTaken: return taken ? Outcome::Skip : Outcome::Enter;
    default: return taken ? Outcome::True : Outcome::False;
  }
}

class Decoder {
 public:
  explicit Decoder(const FunctionRecord& record) : record_(record), shape_(record.shape) { name_loops(); }

  Path translate(const FlowPath& flow) const {
    Path path;
    path.start = start_of(flow);
    path.start_line = flow.begin == PathBegin::Entry ? record_.line_defined : loop_line(flow.begin_loop);
    path.key = flow.begin == PathBegin::Entry ? "E:" : loop_key(flow.begin_loop) + ":";
    std::set<int32_t> lines;
    for (size_t i = 0; i < flow.blocks.size(); ++i) {
      const BlockId block = flow.blocks[i];
      if (block == shape_.graph.exit()) continue;
      visit(block, &path, &lines);
      add_step(block, i < flow.edges.size() ? flow.edges[i] : final_edge(flow), i >= flow.edges.size(), &path);
    }
    path.lines.assign(lines.begin(), lines.end());
    add_end(flow, &path);
    return path;
  }

 private:
  /// A loop is called by the line of its `for`, or of the first thing in it.
  void name_loops() {
    for (const LoopId id : record_.plan.loops.ids()) {
      const numbering::Loop& loop = record_.plan.loops[id];
      int32_t line = loop.head == shape_.graph.exit() ? record_.last_line_defined : shape_.first_line(loop.head);
      for (const EdgeId edge : loop.backedges) {
        const BlockId tail = shape_.graph.source(edge);
        if (shape_.blocks[tail.index()].branch == BranchKind::LoopIfTaken) line = shape_.last_line(tail);
      }
      loop_lines_.push_back(line);
    }
  }
  int32_t loop_line(LoopId loop) const { return loop_lines_[loop.index()]; }
  bool is_truncation(LoopId loop) const { return record_.plan.loops[loop].kind == LoopKind::Truncation; }
  std::string loop_key(LoopId loop) const { return "L" + std::to_string(loop.value); }

  PathStart start_of(const FlowPath& flow) const {
    if (flow.begin == PathBegin::Entry) return PathStart::Entry;
    return is_truncation(flow.begin_loop) ? PathStart::Cut : PathStart::Loop;
  }

  void visit(BlockId block, Path* path, std::set<int32_t>* lines) const {
    const BlockShape& shape = shape_.blocks[block.index()];
    path->bytecodes += static_cast<uint64_t>(shape.end_pc - shape.first_pc);
    if (shape_.lines.empty()) return;
    for (int32_t pc = shape.first_pc; pc < shape.end_pc; ++pc) lines->insert(shape_.line_at(pc));
  }

  /// The edge that ends the path, when it can only be one; none for a path in flight.
  EdgeId final_edge(const FlowPath& flow) const {
    if (flow.finish != PathFinish::Backedge) return EdgeId::none();
    EdgeId found;
    for (const EdgeId edge : shape_.graph.out_edges(flow.blocks.back())) {
      if (record_.plan.loops.cut_by(edge) != flow.finish_loop) continue;
      if (!found.is_none()) return EdgeId::none();  // both arms lead back to the same head
      found = edge;
    }
    return found;
  }

  void add_step(BlockId block, EdgeId edge, bool is_last, Path* path) const {
    const BranchKind branch = shape_.blocks[block.index()].branch;
    if (branch == BranchKind::None || edge.is_none()) return;
    const bool taken = shape_.arms[edge.index()] == Arm::Taken;
    path->key += taken ? '1' : '0';
    const Outcome outcome = outcome_of(branch, taken);
    if (is_last && outcome == Outcome::Loop) return;  // "back to the loop" says it
    path->steps.push_back({shape_.last_line(block), outcome});
  }

  void add_end(const FlowPath& flow, Path* path) const {
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
        path->key += ":" + loop_key(flow.finish_loop);
        return;
      case PathFinish::InFlight:
        path->end = PathEnd::InFlight;
        path->end_line = last == shape_.graph.exit() ? record_.last_line_defined : shape_.last_line(last);
        path->key += ":?";
        return;
    }
  }

  const FunctionRecord& record_;
  const FunctionShape& shape_;
  std::vector<int32_t> loop_lines_;
};

/// Every counter that is not zero, by path number.
std::vector<std::pair<uint64_t, uint64_t>> counted_paths(const PathCounters& counters) {
  std::vector<std::pair<uint64_t, uint64_t>> counted;
  for (size_t number = 0; number < counters.paths.array.size(); ++number) {
    if (counters.paths.array[number] != 0) counted.emplace_back(number, counters.paths.array[number]);
  }
  for (const auto& [number, count] : counters.paths.hash) counted.emplace_back(number, count);
  std::sort(counted.begin(), counted.end());
  return counted;
}

FlowPath flow_path(const FunctionRecord& record, uint64_t number) {
  const auto path = record.plan.decode(record.shape.graph, numbering::PathNumber{number});
  return path ? *path : FlowPath{};
}

}  // namespace

FunctionProfile decode(const FunctionRecord& record) {
  FunctionProfile profile;
  profile.id = record.id;
  profile.source = record.source;
  profile.file = chunk_id(record.source);
  profile.name = record.name;
  if (profile.name.empty()) profile.name = "function <" + profile.file + ":" + std::to_string(record.line_defined) + ">";
  profile.line_defined = record.line_defined;
  profile.last_line_defined = record.last_line_defined;
  profile.possible_paths = record.plan.path_count();
  profile.is_truncated = record.plan.truncated;
  profile.is_hashed = record.plan.events.paths.kind == numbering::TableKind::Hash;
  const Decoder decoder(record);
  for (const auto& [number, count] : counted_paths(record.counters)) {
    profile.paths.push_back({decoder.translate(flow_path(record, number)), count});
  }
  std::stable_sort(profile.paths.begin(), profile.paths.end(),
                   [](const PathCount& a, const PathCount& b) { return a.count > b.count; });
  for (const auto& [cut, count] : record.cuts) {
    const auto path = record.plan.decode_in_flight(record.shape.graph, BlockId(size_t{cut.block}), cut.path_register);
    if (!path) continue;
    profile.cut_paths.push_back({decoder.translate(*path), count});
    profile.cut_paths.back().path.end_line = record.shape.line_at(cut.pc);
  }
  return profile;
}

std::string check_flow(const FunctionRecord& record, bool all_ended) {
  std::vector<int64_t> balance(record.plan.loops.size(), 0);  // paths ended minus paths begun, per loop
  for (const auto& [number, count] : counted_paths(record.counters)) {
    const auto path = record.plan.decode(record.shape.graph, numbering::PathNumber{number});
    if (!path) return "counter " + std::to_string(number) + " is no path";
    if (path->begin == PathBegin::Backedge) balance[path->begin_loop.index()] -= static_cast<int64_t>(count);
    if (path->finish == PathFinish::Backedge) balance[path->finish_loop.index()] += static_cast<int64_t>(count);
  }
  for (const auto& [cut, count] : record.cuts) {
    const auto path = record.plan.decode_in_flight(record.shape.graph, BlockId(size_t{cut.block}), cut.path_register);
    if (!path) {
      return "register " + std::to_string(cut.path_register) + " in block " + std::to_string(cut.block) + " is on no path";
    }
    if (path->begin == PathBegin::Backedge) balance[path->begin_loop.index()] -= static_cast<int64_t>(count);
  }
  for (size_t loop = 0; loop < balance.size(); ++loop) {
    if (balance[loop] < 0 || (all_ended && balance[loop] != 0)) {
      return "loop " + std::to_string(loop) + ": paths ended there minus paths begun there = " + std::to_string(balance[loop]);
    }
  }
  return {};
}

}  // namespace mangata
