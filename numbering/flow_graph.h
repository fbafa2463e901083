// The control-flow graph, stripped of everything but its shape: all that path numbering needs to know of a
// program. Invariant: checked when built (see FlowGraph::build), immutable afterwards. Read next:
// depth_first.h, loops.h.
#pragma once

#include <span>
#include <vector>

#include "numbering/ids.h"
#include "numbering/result.h"

namespace mangata::numbering {

struct FlowEdge {
  BlockId from;
  BlockId to;
  friend bool operator==(const FlowEdge&, const FlowEdge&) = default;
};

/// Blocks 0..n-1, one entry, one exit, and edges whose order at their block is kept (the arms of a branch).
/// Parallel edges and self-loops are allowed. Unreachable blocks are kept but ignored by every later stage.
/// The exit may be unreachable (a program that never returns).
class FlowGraph {
 public:
  /// errors  BadBlock, ExitHasSuccessor, DeadEnd (every reachable block but the exit needs a successor),
  /// TooLarge cost    O(V + E)
  static Result<FlowGraph> build(size_t block_count, BlockId entry, BlockId exit,
                                 std::vector<FlowEdge> edges);

  size_t block_count() const { return first_out_.size() - 1; }
  size_t edge_count() const { return edges_.size(); }
  BlockId entry() const { return entry_; }
  BlockId exit() const { return exit_; }
  IdRange<BlockId> blocks() const { return IdRange<BlockId>(block_count()); }
  IdRange<EdgeId> edges() const { return IdRange<EdgeId>(edge_count()); }

  const FlowEdge& edge(EdgeId id) const { return edges_[id.index()]; }
  BlockId source(EdgeId id) const { return edge(id).from; }
  BlockId target(EdgeId id) const { return edge(id).to; }
  /// In the order in which the edges were given, which is the order of the arms.
  std::span<const EdgeId> out_edges(BlockId block) const { return slice(out_, first_out_, block); }
  std::span<const EdgeId> in_edges(BlockId block) const { return slice(in_, first_in_, block); }

  bool is_reachable(BlockId block) const { return reachable_[block.index()]; }
  /// An edge can be taken iff its source can be reached.
  bool is_live(EdgeId id) const { return is_reachable(source(id)); }

 private:
  FlowGraph() = default;
  static std::span<const EdgeId> slice(const std::vector<EdgeId>& list, const std::vector<uint32_t>& first,
                                       BlockId block) {
    return {list.data() + first[block.index()], list.data() + first[block.index() + 1]};
  }
  void index_edges(size_t block_count);
  void mark_reachable();

  BlockId entry_, exit_;
  std::vector<FlowEdge> edges_;
  std::vector<EdgeId> out_, in_;                ///< edges grouped by source, by target
  std::vector<uint32_t> first_out_, first_in_;  ///< where a block's group begins; one entry more than blocks
  std::vector<char> reachable_;
};

}  // namespace mangata::numbering
