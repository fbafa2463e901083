// Which loops are profiled over several iterations, checked, and which blocks lie in them.
// Invariant: the bodies of k-loops are disjoint, have one entry (the head), and no path is cut inside one
// except by its own backedges or by backedges to its own head. Read next: split_dag.h (specification),
// path_plan.h (run time).
#pragma once

#include <vector>

#include "numbering/loops.h"

namespace mangata::numbering {

/// The largest k: paths may span up to 16 iterations.
constexpr unsigned kMaxIterations = 16;

struct KLoop {
  LoopId loop;
  unsigned k = 2;  ///< iterations in a window, 2..kMaxIterations
  BlockId head;  ///< of the loop; backedges lead to it
  std::vector<BlockId> body;  ///< ascending
  std::vector<EdgeId>
      exits;  ///< live edges that end a stay other than L's backedges: they leave the body, or another
              ///< row cuts them (a backedge of an outer loop, possibly to this very head)
};

class KLoops {
 public:
  /// iterations  k per row of the forest, missing entries are 1
  /// errors      BadIterations (where = row): k outside 1..16; k >= 2 for a row that is not natural, whose
  /// body overlaps
  ///             another k-loop's, or inside which another row cuts. An unreachable loop is ignored.
  static Result<KLoops> make(const FlowGraph& graph, const LoopForest& forest,
                             std::span<const uint8_t> iterations);

  /// Gives a k-loop a smaller k, at least 2.
  void reduce(size_t index, unsigned k) { loops_[index].k = k; }

  size_t size() const { return loops_.size(); }
  const std::vector<KLoop>& all() const { return loops_; }
  const KLoop& operator[](size_t index) const { return loops_[index]; }
  static constexpr size_t kOutside = SIZE_MAX;  ///< a block in no k-loop
  /// The index of the k-loop around a block, or kOutside.
  size_t around(BlockId block) const { return around_[block.index()]; }
  /// The index of the k-loop that is this row, or kOutside.
  size_t index_of(LoopId loop) const { return index_of_[loop.index()]; }
  unsigned k(LoopId loop) const { return index_of(loop) == kOutside ? 1 : loops_[index_of(loop)].k; }

 private:
  std::vector<KLoop> loops_;
  std::vector<size_t> around_;    ///< per block
  std::vector<size_t> index_of_;  ///< per row
};

/// True when the row may be given k >= 2.
bool can_iterate(const FlowGraph& graph, const LoopForest& forest, LoopId loop);

}  // namespace mangata::numbering
