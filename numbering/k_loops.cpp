#include "numbering/k_loops.h"

#include <algorithm>
#include <unordered_set>

namespace mangata::numbering {
namespace {

bool is_cut_free(const FlowGraph& graph, const LoopForest& forest, LoopId loop,
                 const std::vector<BlockId>& body) {
  const BlockId head = forest[loop].head;
  const std::unordered_set<BlockId> inside(body.begin(), body.end());
  for (BlockId block : body) {
    for (EdgeId edge : graph.out_edges(block)) {
      const BlockId to = graph.target(edge);
      const LoopId cut = forest.cut_by(edge);
      if (!cut.is_none() && cut != loop && to != head && inside.contains(to)) return false;
    }
  }
  return true;
}

}  // namespace

bool can_iterate(const FlowGraph& graph, const LoopForest& forest, LoopId loop) {
  const Loop& row = forest[loop];
  return row.kind == LoopKind::Natural && graph.is_reachable(row.head) &&
         is_cut_free(graph, forest, loop, forest.body(graph, loop));
}

Result<KLoops> KLoops::make(const FlowGraph& graph, const LoopForest& forest,
                            std::span<const uint8_t> iterations) {
  KLoops result;
  result.around_.assign(graph.block_count(), kOutside);
  result.index_of_.assign(forest.size(), kOutside);
  for (LoopId loop : forest.ids()) {
    const NumberingError error{ErrorKind::BadIterations, loop.value};
    const unsigned k = loop.index() < iterations.size() ? iterations[loop.index()] : 1;
    if (k < 1 || k > kMaxIterations) return error;
    const Loop& row = forest[loop];
    if (k == 1) continue;
    if (row.kind != LoopKind::Natural) return error;
    if (!graph.is_reachable(row.head)) continue;
    KLoop k_loop{.loop = loop, .k = k, .head = row.head, .body = forest.body(graph, loop), .exits = {}};
    if (!is_cut_free(graph, forest, loop, k_loop.body)) return error;
    const size_t index = result.loops_.size();
    for (BlockId block : k_loop.body) {
      if (result.around_[block.index()] != kOutside) return error;
      result.around_[block.index()] = index;
    }
    for (BlockId block : k_loop.body) {
      for (EdgeId edge : graph.out_edges(block)) {
        const LoopId cut = forest.cut_by(edge);
        if (cut == loop) continue;
        if (!cut.is_none() || result.around_[graph.target(edge).index()] != index)
          k_loop.exits.push_back(edge);
      }
    }
    std::sort(k_loop.exits.begin(), k_loop.exits.end());
    result.index_of_[loop.index()] = index;
    result.loops_.push_back(std::move(k_loop));
  }
  return result;
}

}  // namespace mangata::numbering
