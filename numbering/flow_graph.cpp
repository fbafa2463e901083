#include "numbering/flow_graph.h"

namespace mangata::numbering {

Result<FlowGraph> FlowGraph::build(size_t block_count, BlockId entry, BlockId exit,
                                   std::vector<FlowEdge> edges) {
  constexpr size_t kMost = size_t{1} << 28;  // leaves room for k copies of every block in an Id
  if (block_count > kMost || edges.size() > kMost) return NumberingError{ErrorKind::TooLarge};
  if (entry.index() >= block_count) return NumberingError{ErrorKind::BadBlock, entry.value};
  if (exit.index() >= block_count) return NumberingError{ErrorKind::BadBlock, exit.value};
  for (size_t i = 0; i < edges.size(); ++i) {
    const auto where = static_cast<uint32_t>(i);
    if (edges[i].from.index() >= block_count || edges[i].to.index() >= block_count) {
      return NumberingError{ErrorKind::BadBlock, where};
    }
    if (edges[i].from == exit) return NumberingError{ErrorKind::ExitHasSuccessor, where};
  }
  FlowGraph graph;
  graph.entry_ = entry;
  graph.exit_ = exit;
  graph.edges_ = std::move(edges);
  graph.index_edges(block_count);
  graph.mark_reachable();
  for (BlockId block : graph.blocks()) {
    if (graph.is_reachable(block) && block != exit && graph.out_edges(block).empty()) {
      return NumberingError{ErrorKind::DeadEnd, block.value};
    }
  }
  return graph;
}

// A counting sort by source and one by target; both are stable, so the arms of a branch keep their order.
void FlowGraph::index_edges(size_t block_count) {
  first_out_.assign(block_count + 1, 0);
  first_in_.assign(block_count + 1, 0);
  for (const FlowEdge& edge : edges_) {
    ++first_out_[edge.from.index() + 1];
    ++first_in_[edge.to.index() + 1];
  }
  for (size_t i = 0; i < block_count; ++i) {
    first_out_[i + 1] += first_out_[i];
    first_in_[i + 1] += first_in_[i];
  }
  out_.resize(edges_.size());
  in_.resize(edges_.size());
  std::vector<uint32_t> next_out(first_out_.begin(), first_out_.end() - 1);
  std::vector<uint32_t> next_in(first_in_.begin(), first_in_.end() - 1);
  for (size_t i = 0; i < edges_.size(); ++i) {
    out_[next_out[edges_[i].from.index()]++] = EdgeId(i);
    in_[next_in[edges_[i].to.index()]++] = EdgeId(i);
  }
}

void FlowGraph::mark_reachable() {
  reachable_.assign(block_count(), 0);
  std::vector<BlockId> work{entry_};
  reachable_[entry_.index()] = 1;
  while (!work.empty()) {
    const BlockId block = work.back();
    work.pop_back();
    for (EdgeId id : out_edges(block)) {
      char& seen = reachable_[target(id).index()];
      if (!seen) {
        seen = 1;
        work.push_back(target(id));
      }
    }
  }
}

}  // namespace mangata::numbering
