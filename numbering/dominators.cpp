// Lengauer & Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), the simple variant.
// Blocks are named by their preorder index here, so comparing two names compares their places in the
// depth-first tree.
#include "numbering/dominators.h"

namespace mangata::numbering {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// A forest of already processed blocks. best(v) is the block with the smallest semidominator on the way from
// v up to, but without, the root of v's tree.
class CompressedForest {
 public:
  explicit CompressedForest(size_t count) : ancestor_(count, kNone), best_(count), semi_(count) {
    for (uint32_t i = 0; i < count; ++i) best_[i] = semi_[i] = i;
  }
  uint32_t semi(uint32_t v) const { return semi_[v]; }
  void lower_semi(uint32_t v, uint32_t candidate) {
    if (candidate < semi_[v]) semi_[v] = candidate;
  }
  void link(uint32_t parent, uint32_t v) { ancestor_[v] = parent; }
  uint32_t best(uint32_t v) {
    if (ancestor_[v] == kNone) return v;
    compress(v);
    return best_[v];
  }

 private:
  void compress(uint32_t v) {
    way_.clear();
    for (uint32_t at = v; ancestor_[ancestor_[at]] != kNone; at = ancestor_[at]) way_.push_back(at);
    while (!way_.empty()) {
      const uint32_t at = way_.back(), above = ancestor_[at];
      way_.pop_back();
      if (semi_[best_[above]] < semi_[best_[at]]) best_[at] = best_[above];
      ancestor_[at] = ancestor_[above];
    }
  }

  std::vector<uint32_t> ancestor_, best_, semi_, way_;
};

}  // namespace

DominatorTree::DominatorTree(const FlowGraph& graph, const DepthFirstOrder& order)
    : immediate_(graph.block_count(), BlockId::none()),
      enter_(graph.block_count(), 0),
      leave_(graph.block_count(), 0) {
  const auto count = static_cast<uint32_t>(order.preorder.size());
  CompressedForest forest(count);
  std::vector<uint32_t> dominator(count, kNone);
  // Blocks waiting for their semidominator's subtree to be known, as linked lists: one slot per block is
  // enough.
  std::vector<uint32_t> waiting_first(count, kNone), waiting_next(count, kNone);
  for (uint32_t w = count; w-- > 1;) {
    const BlockId block = order.preorder[w];
    for (EdgeId edge : graph.in_edges(block)) {
      const uint32_t v = order.preorder_index[graph.source(edge).index()];
      if (v != DepthFirstOrder::kUnreached) forest.lower_semi(w, forest.semi(forest.best(v)));
    }
    const uint32_t semi = forest.semi(w);
    waiting_next[w] = waiting_first[semi];
    waiting_first[semi] = w;
    const uint32_t parent = order.preorder_index[order.parent[block.index()].index()];
    forest.link(parent, w);
    for (uint32_t v = waiting_first[parent]; v != kNone; v = waiting_next[v]) {
      const uint32_t u = forest.best(v);
      dominator[v] = forest.semi(u) < forest.semi(v) ? u : parent;
    }
    waiting_first[parent] = kNone;
  }
  for (uint32_t w = 1; w < count; ++w) {
    if (dominator[w] != forest.semi(w)) dominator[w] = dominator[dominator[w]];
    immediate_[order.preorder[w].index()] = order.preorder[dominator[w]];
  }
  number_intervals(order);
}

// A block's dominator precedes it in preorder, so subtree sizes add up in one backward pass and places are
// handed out in one forward pass.
void DominatorTree::number_intervals(const DepthFirstOrder& order) {
  std::vector<uint32_t> size(immediate_.size(), 1);
  for (size_t i = order.preorder.size(); i-- > 1;) {
    const BlockId block = order.preorder[i];
    size[immediate_[block.index()].index()] += size[block.index()];
  }
  std::vector<uint32_t> next_free(immediate_.size(), 0);
  for (BlockId block : order.preorder) {
    const BlockId above = immediate_[block.index()];
    uint32_t place = 1;
    if (!above.is_none()) {
      place = next_free[above.index()];
      next_free[above.index()] += size[block.index()];
    }
    enter_[block.index()] = place;
    leave_[block.index()] = place + size[block.index()] - 1;
    next_free[block.index()] = place + 1;
  }
}

}  // namespace mangata::numbering
