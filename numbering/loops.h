// Which edges cut paths, and why: the loops of a flow graph as one table.
// Invariant: every retreating edge belongs to exactly one row, so the graph without the rows' edges is
// acyclic. Read next: path_dag.h.
#pragma once

#include <span>
#include <vector>

#include "numbering/depth_first.h"

namespace mangata::numbering {

enum class LoopKind : uint8_t {
  Natural,      ///< the head dominates the tails; a loop as one knows it
  Irreducible,  ///< retreating edges to a block that does not dominate them: they cut paths, nothing more
  Truncation,  ///< not a loop: forward edges cut because there were too many paths [Ball & Larus 1996, §5.3]
};

struct Loop {
  BlockId head;  ///< where the backedges lead
  std::vector<EdgeId> backedges;  ///< the edges that cut (all of them lead to the head), in edge order
  LoopKind kind = LoopKind::Natural;
  LoopId parent = LoopId::none();  ///< the smallest natural loop around this one
  uint32_t depth = 0;              ///< number of natural loops around the head, this one included if natural
  /// Natural, and no other row cuts inside it: such a loop may be profiled over k >= 2 iterations. Another
  /// row may share the head (an outer loop told apart by its backedges); the one with the smaller body is
  /// innermost.
  bool innermost = false;
};

class LoopForest {
 public:
  /// Finds the loops by dominance: backedges to one head form one natural loop; the other retreating edges of
  /// the depth-first walk form one irreducible row per target. Rows are ordered by the preorder of their
  /// heads. cost  O(E log V)
  static LoopForest find(const FlowGraph& graph);

  /// Takes a table made elsewhere (head, backedges and kind of each row are used, the rest is computed). Two
  /// natural rows may share a head. errors  BadLoop: an edge that does not lead to the head, a live edge in
  /// two rows, or a natural row whose head
  ///         does not dominate a tail. Uncut cycles are found later, by PathDag.
  static Result<LoopForest> from_table(const FlowGraph& graph, std::vector<Loop> rows);

  /// This forest with one more row per target for `cuts` (edges that no row has yet).
  LoopForest with_truncation(const FlowGraph& graph, std::span<const EdgeId> cuts) const;

  size_t size() const { return loops_.size(); }
  IdRange<LoopId> ids() const { return IdRange<LoopId>(size()); }
  const Loop& operator[](LoopId id) const { return loops_[id.index()]; }
  /// The row that this edge belongs to, none for an edge that does not cut.
  LoopId cut_by(EdgeId edge) const { return cut_by_[edge.index()]; }
  /// The smallest natural loop around the block, or none.
  LoopId innermost_at(BlockId block) const { return innermost_at_[block.index()]; }
  uint32_t depth_at(BlockId block) const {
    const LoopId loop = innermost_at(block);
    return loop.is_none() ? 0 : loops_[loop.index()].depth;
  }
  /// The blocks of a natural loop in ascending order: the head and what reaches a tail without passing the
  /// head (just the head for the other kinds). O(size of the body), computed anew at each call.
  std::vector<BlockId> body(const FlowGraph& graph, LoopId loop) const;

 private:
  void complete(const FlowGraph& graph, const DepthFirstOrder& order);
  void find_nesting(const FlowGraph& graph, const DepthFirstOrder& order);
  void mark_innermost(const FlowGraph& graph);

  std::vector<Loop> loops_;
  std::vector<LoopId> cut_by_;        ///< per edge
  std::vector<LoopId> innermost_at_;  ///< per block
};

}  // namespace mangata::numbering
