// One depth-first walk from the entry: the orders and the retreating edges that the later stages share.
// Invariant: every cycle of the graph contains a retreating edge, so cutting those leaves a DAG. Read next:
// loops.h.
#pragma once

#include <vector>

#include "numbering/flow_graph.h"

namespace mangata::numbering {

struct DepthFirstOrder {
  static constexpr uint32_t kUnreached = UINT32_MAX;  ///< `number` of a block that nothing reaches
  std::vector<BlockId> preorder;   ///< reachable blocks, parents before children
  std::vector<BlockId> postorder;  ///< reachable blocks; its reverse is topological for non-retreating edges
  std::vector<uint32_t> preorder_index;  ///< per block, kUnreached when unreachable
  std::vector<BlockId> parent;           ///< per block, in the depth-first tree; none for the entry
  std::vector<EdgeId> retreating;        ///< edges to a block that is still on the stack, self-loops included
};

/// Follows the out-edges of each block in order. O(V + E), no recursion.
DepthFirstOrder walk_depth_first(const FlowGraph& graph);

}  // namespace mangata::numbering
