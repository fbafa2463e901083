#include "profiler/edge_record.h"

#include <algorithm>
#include <set>

namespace mangata {

using numbering::BlockId;
using numbering::EdgeId;

EdgeRecord::EdgeRecord(FunctionIdentity identity, FunctionShape function_shape)
    : ProfiledFunction(std::move(identity), std::move(function_shape)),
      plan(numbering::plan_edge_profile(shape.graph, event_costs(shape, numbering::LoopForest::find(shape.graph)))) {
  counters.paths.array = LowArray<uint64_t>(plan.counted.size());
}

bool EdgeRecord::has_run() const {
  const auto counted = [](uint64_t count) { return count != 0; };
  return !left_at.empty() || std::any_of(counters.paths.array.begin(), counters.paths.array.end(), counted);
}

std::vector<uint64_t> EdgeRecord::left() const {
  std::vector<uint64_t> left(shape.graph.block_count(), 0);
  for (const auto& [pc, count] : left_at) left[shape.block_at(pc).index()] += count;
  return left;
}

EdgeCode edge_code(const EdgeRecord& record) {
  EdgeCode code;
  code.on_edge.resize(record.shape.graph.edge_count());
  for (size_t i = 0; i < record.plan.counted.size(); ++i) {
    PathEventRecord event;
    event.kind = PathEventKind::CountEdge;
    event.value = static_cast<int64_t>(i);
    code.on_edge[record.plan.counted[i].index()].push_back(event);
  }
  return code;
}

void record_left(EdgeRecord& record, FramePlace place) {
  const BlockId block = record.shape.block_at(place.pc);
  ++record.left_at[place.pc];
  if (!place.is_leaving) return;
  for (size_t i = 0; i < record.plan.counted.size(); ++i) {
    const EdgeId edge = record.plan.counted[i];
    if (record.shape.graph.source(edge) == block && record.shape.arms[edge.index()] == Arm::Exit) {
      --record.counters.paths.array[i];
    }
  }
}

numbering::Result<numbering::EdgeCounts> edge_counts(const EdgeRecord& record) {
  return numbering::derive_edge_counts(record.shape.graph, record.plan, record.counters.paths.array,
                                       record.left());
}

namespace {

BlockCount block_count(const EdgeRecord& record, BlockId id, const numbering::EdgeCounts& counts, uint64_t left) {
  const BlockShape& shape = record.shape.blocks[id.index()];
  BlockCount block;
  block.first_line = record.shape.first_line(id);
  block.last_line = record.shape.last_line(id);
  if (shape.branch != BranchKind::None) block.column = shape.column;
  block.bytecodes = record.shape.bytecodes_in(id);
  block.left = left;
  block.count = block.left;
  for (const EdgeId edge : record.shape.graph.out_edges(id)) block.count += counts.edge[edge.index()];
  if (record.shape.lines.empty() || !record.shape.graph.is_reachable(id)) return block;
  std::set<int32_t> lines;
  for (int32_t pc = shape.first_pc; pc < shape.end_pc; ++pc) lines.insert(record.shape.line_at(pc));
  block.lines.assign(lines.begin(), lines.end());
  return block;
}

EdgeCount edge_count(const EdgeRecord& record, EdgeId id, uint64_t count) {
  const numbering::FlowEdge& flow = record.shape.graph.edge(id);
  EdgeCount edge{.from = flow.from.value,
                 .to = flow.to.value,
                 .outcome = {},
                 .count = count,
                 .is_counted = record.plan.is_counted[id.index()] != 0};
  const BranchKind branch = record.shape.blocks[flow.from.index()].branch;
  if (branch != BranchKind::None)
    edge.outcome = outcome_of(branch, record.shape.arms[id.index()] == Arm::Taken);
  return edge;
}

}  // namespace

FunctionEdgeProfile decode(const EdgeRecord& record) {
  FunctionEdgeProfile profile;
  set_identity(record, &profile);
  profile.last_line_defined = record.last_line_defined;
  profile.crowded_lines = crowded_lines(record.shape);
  const auto counts = edge_counts(record);
  if (!counts) return profile;
  profile.calls = counts->entries;
  const std::vector<uint64_t> left = record.left();
  for (size_t block = 0; block < record.shape.blocks.size(); ++block) {
    profile.blocks.push_back(block_count(record, BlockId(block), *counts, left[block]));
    profile.left += profile.blocks.back().left;
  }
  for (const EdgeId edge : record.shape.graph.edges()) {
    profile.edges.push_back(edge_count(record, edge, counts->edge[edge.index()]));
  }
  return profile;
}

}  // namespace mangata
