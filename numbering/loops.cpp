#include "numbering/loops.h"

#include <algorithm>
#include <unordered_set>

#include "numbering/dominators.h"

namespace mangata::numbering {
namespace {

// Blocks of finished loops collapse into the head of the loop, so that each block is walked once however deep
// it lies.
class Collapsed {
 public:
  explicit Collapsed(size_t count) : into_(count) {
    for (size_t i = 0; i < count; ++i) into_[i] = BlockId(i);
  }
  BlockId find(BlockId block) {
    while (into_[block.index()] != block) {
      into_[block.index()] = into_[into_[block.index()].index()];
      block = into_[block.index()];
    }
    return block;
  }
  void merge(BlockId block, BlockId head) { into_[block.index()] = head; }

 private:
  std::vector<BlockId> into_;
};

}  // namespace

LoopForest LoopForest::find(const FlowGraph& graph) {
  const DepthFirstOrder order = walk_depth_first(graph);
  LoopForest forest;
  if (order.retreating.empty()) {  // most functions have no loop
    forest.complete(graph, order);
    return forest;
  }
  const DominatorTree dominators(graph, order);
  std::vector<EdgeId> retreating = order.retreating;
  std::sort(retreating.begin(), retreating.end());
  // Two possible rows per head: natural and irreducible.
  std::vector<std::vector<EdgeId>> natural(graph.block_count()), irreducible(graph.block_count());
  for (EdgeId edge : retreating) {
    const BlockId head = graph.target(edge);
    auto& rows = dominators.dominates(head, graph.source(edge)) ? natural : irreducible;
    rows[head.index()].push_back(edge);
  }
  for (BlockId head : order.preorder) {
    if (auto& edges = natural[head.index()]; !edges.empty()) {
      forest.loops_.push_back({.head = head, .backedges = std::move(edges), .kind = LoopKind::Natural});
    }
    if (auto& edges = irreducible[head.index()]; !edges.empty()) {
      forest.loops_.push_back({.head = head, .backedges = std::move(edges), .kind = LoopKind::Irreducible});
    }
  }
  forest.complete(graph, order);
  return forest;
}

Result<LoopForest> LoopForest::from_table(const FlowGraph& graph, std::vector<Loop> rows) {
  const DepthFirstOrder order = walk_depth_first(graph);
  const DominatorTree dominators(graph, order);
  std::vector<char> taken(graph.edge_count(), 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    Loop& row = rows[i];
    const NumberingError error{ErrorKind::BadLoop, static_cast<uint32_t>(i)};
    if (row.head.index() >= graph.block_count() || row.backedges.empty()) return error;
    for (EdgeId edge : row.backedges) {
      if (edge.index() >= graph.edge_count() || graph.target(edge) != row.head) return error;
      if (taken[edge.index()]++) return error;
      if (row.kind == LoopKind::Natural && graph.is_live(edge) &&
          !dominators.dominates(row.head, graph.source(edge))) {
        return error;
      }
    }
    std::sort(row.backedges.begin(), row.backedges.end());
  }
  LoopForest forest;
  forest.loops_ = std::move(rows);
  forest.complete(graph, order);
  return forest;
}

LoopForest LoopForest::with_truncation(const FlowGraph& graph, std::span<const EdgeId> cuts) const {
  LoopForest forest;
  forest.loops_ = loops_;
  std::vector<EdgeId> sorted(cuts.begin(), cuts.end());
  std::sort(sorted.begin(), sorted.end(), [&](EdgeId a, EdgeId b) {
    return std::pair(graph.target(a), a) < std::pair(graph.target(b), b);
  });
  for (EdgeId edge : sorted) {
    auto& rows = forest.loops_;
    if (rows.size() == loops_.size() || rows.back().head != graph.target(edge)) {
      rows.push_back({.head = graph.target(edge), .backedges = {}, .kind = LoopKind::Truncation});
    }
    rows.back().backedges.push_back(edge);
  }
  forest.complete(graph, walk_depth_first(graph));
  return forest;
}

void LoopForest::complete(const FlowGraph& graph, const DepthFirstOrder& order) {
  cut_by_.assign(graph.edge_count(), LoopId::none());
  innermost_at_.assign(graph.block_count(), LoopId::none());
  for (LoopId id : ids()) {
    Loop& loop = loops_[id.index()];
    loop.parent = LoopId::none();
    loop.depth = 0;
    for (EdgeId edge : loop.backedges) cut_by_[edge.index()] = id;
  }
  if (loops_.empty()) return;
  find_nesting(graph, order);
  mark_innermost(graph);
}

// Inner loops first: a head is dominated by the heads around it, so it has a larger preorder index. Of two
// rows with one head the smaller body is the inner one.
void LoopForest::find_nesting(const FlowGraph& graph, const DepthFirstOrder& order) {
  struct Candidate {
    uint32_t preorder;
    size_t body_size;
    LoopId loop;
  };
  std::vector<LoopId> row_at_head(graph.block_count(), LoopId::none());
  std::vector<Candidate> candidates;
  for (LoopId id : ids()) {
    const Loop& loop = loops_[id.index()];
    const uint32_t preorder = order.preorder_index[loop.head.index()];
    if (loop.kind != LoopKind::Natural || preorder == DepthFirstOrder::kUnreached) continue;
    candidates.push_back({preorder, 0, id});
    LoopId& first = row_at_head[loop.head.index()];
    if (!first.is_none()) {  // only shared heads pay for their bodies
      for (Candidate& other : candidates) {
        if (other.preorder == preorder) other.body_size = body(graph, other.loop).size();
      }
    }
    first = id;
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.preorder != b.preorder ? a.preorder > b.preorder : a.body_size < b.body_size;
  });

  Collapsed collapsed(graph.block_count());
  std::vector<LoopId> loop_of_head(graph.block_count(),
                                   LoopId::none());  // outermost finished loop with this head
  std::vector<BlockId> work;
  for (const Candidate& candidate : candidates) {
    const LoopId id = candidate.loop;
    const BlockId head = loops_[id.index()].head;
    LoopId& at_head = loop_of_head[head.index()];
    if (!at_head.is_none()) loops_[at_head.index()].parent = id;
    if (innermost_at_[head.index()].is_none()) innermost_at_[head.index()] = id;
    const auto visit = [&](BlockId block) {
      const BlockId inner = collapsed.find(block);
      if (inner == head || order.preorder_index[inner.index()] == DepthFirstOrder::kUnreached) return;
      if (!loop_of_head[inner.index()].is_none()) loops_[loop_of_head[inner.index()].index()].parent = id;
      if (innermost_at_[inner.index()].is_none()) innermost_at_[inner.index()] = id;
      collapsed.merge(inner, head);
      work.push_back(inner);
    };
    for (EdgeId edge : loops_[id.index()].backedges) visit(graph.source(edge));
    while (!work.empty()) {
      const BlockId block = work.back();
      work.pop_back();
      for (EdgeId edge : graph.in_edges(block)) visit(graph.source(edge));
    }
    at_head = id;
  }
  for (size_t i = candidates.size(); i-- > 0;) {  // outer loops first
    Loop& loop = loops_[candidates[i].loop.index()];
    loop.depth = loop.parent.is_none() ? 1 : loops_[loop.parent.index()].depth + 1;
  }
  for (Loop& loop : loops_) {
    if (loop.kind == LoopKind::Natural) continue;
    loop.parent = innermost_at_[loop.head.index()];
    loop.depth = loop.parent.is_none() ? 0 : loops_[loop.parent.index()].depth;
  }
}

void LoopForest::mark_innermost(const FlowGraph& graph) {
  for (Loop& loop : loops_) loop.innermost = loop.kind == LoopKind::Natural && graph.is_reachable(loop.head);
  for (LoopId id : ids()) {
    const Loop& loop = loops_[id.index()];
    if (loop.parent.is_none()) continue;
    Loop& around = loops_[loop.parent.index()];
    if (loop.kind == LoopKind::Natural) {
      around.innermost = false;
    } else if (loop.head != around.head) {
      // A cut strictly inside the body. A truncated entry edge ends at the head, so it does not come here; a
      // cut whose source lies outside would have to enter at the head too.
      around.innermost = false;
    }
  }
}

std::vector<BlockId> LoopForest::body(const FlowGraph& graph, LoopId id) const {
  const Loop& loop = loops_[id.index()];
  std::vector<BlockId> blocks{loop.head};
  if (loop.kind != LoopKind::Natural) return blocks;
  std::unordered_set<BlockId> seen{loop.head};  // not one flag per block: many small loops must stay linear
  const auto visit = [&](BlockId block) {
    if (graph.is_reachable(block) && seen.insert(block).second) blocks.push_back(block);
  };
  for (EdgeId edge : loop.backedges) visit(graph.source(edge));
  for (size_t i = 1; i < blocks.size(); ++i) {
    for (EdgeId edge : graph.in_edges(blocks[i])) visit(graph.source(edge));
  }
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

}  // namespace mangata::numbering
