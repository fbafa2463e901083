#include "profiler/path_times.h"

#include <vector>

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::PathBegin;

/// Blocks of a path that the path before it does not have as well: of one that begins at a loop over k iterations, all behind the
/// first k-1.
size_t first_new_block(const FunctionRecord& record, const numbering::FlowPath& path) {
  if (path.begin != PathBegin::Backedge) return 0;
  unsigned shared = record.numbering.iterations(path.begin_loop) - 1;
  if (shared == 0) return 0;
  for (size_t i = 0; i < path.edges.size(); ++i) {
    if (!record.numbering.loops().cut_by(path.edges[i]).is_none() && --shared == 0) return i + 1;
  }
  return 0;
}

/// Calls visit(flow, block) for each block that an execution of each path runs through.
template <typename Visit>
void for_each_block(const FunctionRecord& record, CountedFlows* flows, const Visit& visit) {
  const auto visit_all = [&](std::vector<CountedFlow>& list) {
    for (CountedFlow& flow : list) {
      for (size_t i = first_new_block(record, flow.path); i < flow.path.blocks.size(); ++i) visit(flow, flow.path.blocks[i].index());
    }
  };
  visit_all(flows->paths);
  for (std::vector<CountedFlow>& windows : flows->windows) visit_all(windows);
}

}  // namespace

void share_times(const FunctionRecord& record, const PlaceTimes& times, CountedFlows* flows) {
  const size_t blocks = record.shape.blocks.size();
  std::vector<double> nanoseconds(blocks + 1), executions(blocks + 1);
  for (const auto& [pc, time] : times) {
    const BlockId block = record.shape.block_at(pc);
    if (block.index() < blocks) nanoseconds[block.index()] += static_cast<double>(time);
  }
  for_each_block(record, flows, [&](const CountedFlow& flow, size_t block) {
    if (block < blocks) executions[block] += static_cast<double>(flow.count);
  });
  for_each_block(record, flows, [&](CountedFlow& flow, size_t block) {
    if (block < blocks && executions[block] > 0) flow.nanoseconds += nanoseconds[block] * static_cast<double>(flow.count) / executions[block];
  });
}

}  // namespace mangata
