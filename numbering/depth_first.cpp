#include "numbering/depth_first.h"

namespace mangata::numbering {

DepthFirstOrder walk_depth_first(const FlowGraph& graph) {
  DepthFirstOrder order;
  order.preorder_index.assign(graph.block_count(), DepthFirstOrder::kUnreached);
  order.parent.assign(graph.block_count(), BlockId::none());
  std::vector<char> on_stack(graph.block_count(), 0);
  struct Frame {
    BlockId block;
    uint32_t next_edge;
  };
  std::vector<Frame> stack;
  const auto enter = [&](BlockId block) {
    order.preorder_index[block.index()] = static_cast<uint32_t>(order.preorder.size());
    order.preorder.push_back(block);
    on_stack[block.index()] = 1;
    stack.push_back({block, 0});
  };
  enter(graph.entry());
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const auto out = graph.out_edges(frame.block);
    if (frame.next_edge == out.size()) {
      on_stack[frame.block.index()] = 0;
      order.postorder.push_back(frame.block);
      stack.pop_back();
      continue;
    }
    const EdgeId edge = out[frame.next_edge++];
    const BlockId from = frame.block, to = graph.target(edge);
    if (order.preorder_index[to.index()] == DepthFirstOrder::kUnreached) {
      order.parent[to.index()] = from;
      enter(to);  // invalidates `frame`
    } else if (on_stack[to.index()]) {
      order.retreating.push_back(edge);
    }
  }
  return order;
}

}  // namespace mangata::numbering
