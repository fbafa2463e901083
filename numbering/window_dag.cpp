#include "numbering/window_dag.h"

namespace mangata::numbering {

PathCount leave_pieces(const WindowLoop& window, const PrefixRanks& ranks, bool restarted) {
  const PathCount ways = restarted ? window.combinations(window.k - 1) : window.combinations_below(window.k);
  PathCount pieces = 0;
  if (__builtin_mul_overflow(ways, ranks.count, &pieces)) return kMaxPathCount + 1;
  return pieces;
}

namespace {

void add_stay(const FlowGraph& graph, const LoopForest& forest, const WindowLoop& window, DagNodeId from,
              bool restarted, PathDagBuilder& builder) {
  if (!restarted) {
    builder.add_edge({from, PathDag::end(), DagEdgeKind::Window, {}, {}, window.combinations(window.k)});
  }
  for (const WindowExit& exit : window.exits) {
    const LoopId cut = forest.cut_by(exit.edge);
    const DagNodeId to = cut.is_none() ? builder.node_of(graph.target(exit.edge)) : PathDag::end();
    builder.add_edge({from, to, DagEdgeKind::LoopExit, exit.edge, cut,
                      leave_pieces(window, window.ranks[exit.ranks], restarted)});
  }
}

}  // namespace

Result<PathDag> build_window_dag(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops,
                                 const std::vector<WindowLoop>& windows) {
  if (windows.empty()) return build_path_dag(graph, forest);
  PathDagBuilder builder(graph.block_count());
  std::vector<DagNodeId> entered(windows.size()), restarted(windows.size());
  for (size_t i = 0; i < windows.size(); ++i) {
    DagNode node{.kind = DagNodeKind::Block, .block = windows[i].head, .loop = windows[i].loop};
    entered[i] = builder.add_node(node);
    node.restarted = true;
    if (!windows[i].exits.empty()) restarted[i] = builder.add_node(node);  // else nobody leaves: windows only
    for (BlockId block : k_loops[i].body) builder.name_node(block, entered[i]);
  }
  for (BlockId block : graph.blocks()) {
    if (graph.is_reachable(block) && k_loops.around(block) == KLoops::kOutside) {
      builder.name_node(block, builder.add_node({.kind = DagNodeKind::Block, .block = block, .loop = {}}));
    }
  }
  builder.add_edge({PathDag::start(), builder.node_of(graph.entry()), DagEdgeKind::Entry, {}, {}});
  for (LoopId loop : forest.ids()) {
    if (!is_live(graph, forest[loop])) continue;
    const size_t k_loop = k_loops.index_of(loop);
    const DagNodeId to = k_loop == KLoops::kOutside ? builder.node_of(forest[loop].head) : restarted[k_loop];
    if (!to.is_none()) builder.add_edge({PathDag::start(), to, DagEdgeKind::LoopStart, {}, loop});
  }
  for (size_t i = 0; i < windows.size(); ++i) {
    add_stay(graph, forest, windows[i], entered[i], false, builder);
    if (!restarted[i].is_none()) add_stay(graph, forest, windows[i], restarted[i], true, builder);
  }
  std::vector<BlockId> ended_at(forest.size());
  for (BlockId block : graph.blocks()) {
    if (!graph.is_reachable(block) || k_loops.around(block) != KLoops::kOutside) continue;
    add_block_edges(graph, forest, block, ended_at, builder);
  }
  return std::move(builder).finish();
}

}  // namespace mangata::numbering
