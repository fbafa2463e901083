#include "numbering/split_dag.h"

namespace mangata::numbering {
namespace {

// Names the copies of a block. Copy 0 is the block itself outside of k-loops, or P1; then P2..Pk, then
// D1..D(k-1).
class Copies {
 public:
  Copies(const FlowGraph& graph, const KLoops& k_loops, PathDagBuilder& builder)
      : k_loops_(k_loops), first_(graph.block_count()) {
    for (BlockId block : graph.blocks()) {
      if (!graph.is_reachable(block)) continue;
      const size_t around = k_loops.around(block);
      if (around == KLoops::kOutside) {
        first_[block.index()] = builder.add_node({.kind = DagNodeKind::Block, .block = block, .loop = {}});
      } else {
        const KLoop& loop = k_loops[around];
        for (unsigned i = 1; i <= 2 * loop.k - 1; ++i) {
          const bool restarted = i > loop.k;
          const DagNodeId node = builder.add_node({.kind = DagNodeKind::Block,
                                                   .block = block,
                                                   .loop = loop.loop,
                                                   .iteration = restarted ? i - loop.k : i,
                                                   .restarted = restarted});
          if (i == 1) first_[block.index()] = node;
        }
      }
      builder.name_node(block, first_[block.index()]);
    }
  }
  /// iteration counts from 1; the k-th is common to both kinds.
  DagNodeId of(BlockId block, unsigned iteration, bool restarted) const {
    const unsigned k = k_loops_[k_loops_.around(block)].k;
    const unsigned offset = restarted && iteration < k ? k + iteration - 1 : iteration - 1;
    return DagNodeId(first_[block.index()].index() + offset);
  }

 private:
  const KLoops& k_loops_;
  std::vector<DagNodeId> first_;
};

// The out-edges of one copy of a block in a k-loop.
void add_copy(const FlowGraph& graph, const LoopForest& forest, const KLoop& loop, const KLoops& k_loops,
              const Copies& copies, BlockId block, unsigned iteration, bool restarted,
              PathDagBuilder& builder) {
  const DagNodeId from = copies.of(block, iteration, restarted);
  const size_t self = k_loops.index_of(loop.loop);
  std::vector<EdgeId> ends;
  const auto end_once = [&](EdgeId edge) {
    for (EdgeId other : ends) {
      if (forest.cut_by(other) == forest.cut_by(edge)) return;
    }
    ends.push_back(edge);
  };
  for (EdgeId edge : graph.out_edges(block)) {
    const LoopId cut = forest.cut_by(edge);
    const BlockId to = graph.target(edge);
    if (cut == loop.loop) {
      if (iteration == loop.k) {
        end_once(edge);
      } else {
        builder.add_edge({from, copies.of(loop.head, iteration + 1, restarted), DagEdgeKind::Flow, edge, {}});
      }
    } else if (cut.is_none() && k_loops.around(to) == self) {
      builder.add_edge({from, copies.of(to, iteration, restarted), DagEdgeKind::Flow, edge, {}});
    } else if (restarted) {
      // A path that began by this loop's backedge may not leave before iteration k.
    } else if (cut.is_none()) {
      builder.add_edge({from, builder.node_of(to), DagEdgeKind::Flow, edge, {}});
    } else {
      end_once(edge);
    }
  }
  for (EdgeId edge : ends) {
    builder.add_edge({from, PathDag::end(), DagEdgeKind::LoopEnd, edge, forest.cut_by(edge)});
  }
}

}  // namespace

Result<PathDag> build_split_dag(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops) {
  if (k_loops.size() == 0) return build_path_dag(graph, forest);
  PathDagBuilder builder(graph.block_count());
  const Copies copies(graph, k_loops, builder);
  builder.add_edge({PathDag::start(), builder.node_of(graph.entry()), DagEdgeKind::Entry, {}, {}});
  for (LoopId loop : forest.ids()) {
    if (!is_live(graph, forest[loop])) continue;
    const BlockId head = forest[loop].head;
    const DagNodeId to =
        k_loops.index_of(loop) == KLoops::kOutside ? builder.node_of(head) : copies.of(head, 1, true);
    builder.add_edge({PathDag::start(), to, DagEdgeKind::LoopStart, {}, loop});
  }
  std::vector<BlockId> ended_at(forest.size());
  for (BlockId block : graph.blocks()) {
    if (!graph.is_reachable(block)) continue;
    const size_t around = k_loops.around(block);
    if (around == KLoops::kOutside) {
      add_block_edges(graph, forest, block, ended_at, builder);
      continue;
    }
    const KLoop& loop = k_loops[around];
    for (unsigned i = 1; i <= loop.k; ++i)
      add_copy(graph, forest, loop, k_loops, copies, block, i, false, builder);
    for (unsigned i = 1; i < loop.k; ++i)
      add_copy(graph, forest, loop, k_loops, copies, block, i, true, builder);
  }
  return std::move(builder).finish();
}

Result<PathNumber> number_of_path(const PathDag& dag, const PathNumbering& numbering, const FlowPath& path) {
  const NumberingError error{ErrorKind::BadPathNumber};
  PathNumber number;
  DagNodeId node = PathDag::start();
  const auto step = [&](auto&& matches) {
    for (size_t i = 0; i < dag.out_edges(node).size(); ++i) {
      if (!matches(dag.out_edges(node)[i])) continue;
      number.value += numbering.edge_value[dag.first_edge(node).index() + i];
      node = dag.out_edges(node)[i].to;
      return true;
    }
    return false;
  };
  const bool begun = step([&](const DagEdge& edge) {
    return path.begin == PathBegin::Entry
               ? edge.kind == DagEdgeKind::Entry
               : edge.kind == DagEdgeKind::LoopStart && edge.loop == path.begin_loop;
  });
  if (!begun) return error;
  for (EdgeId wanted : path.edges) {
    if (!step([&](const DagEdge& edge) { return edge.kind == DagEdgeKind::Flow && edge.edge == wanted; }))
      return error;
  }
  const bool finished = step([&](const DagEdge& edge) {
    return path.finish == PathFinish::Exit
               ? edge.kind == DagEdgeKind::Exit
               : edge.kind == DagEdgeKind::LoopEnd && edge.loop == path.finish_loop;
  });
  if (!finished || path.finish == PathFinish::InFlight) return error;
  return number;
}

SplitDagTracker::SplitDagTracker(const FlowGraph& graph, const LoopForest& forest, const PathDag& dag,
                                 const PathNumbering& numbering)
    : graph_(graph), forest_(forest), dag_(dag), numbering_(numbering) {
  begin(DagEdgeKind::Entry, LoopId::none());
  finish_at_exit();
}

void SplitDagTracker::begin(DagEdgeKind kind, LoopId loop) {
  size_t index = dag_.first_edge(PathDag::start()).index();
  for (const DagEdge& edge : dag_.out_edges(PathDag::start())) {
    if (edge.kind == kind && edge.loop == loop) in_flight_.push_back({edge.to, numbering_.edge_value[index]});
    ++index;
  }
}

void SplitDagTracker::take(EdgeId taken) {
  const LoopId cut = forest_.cut_by(taken);
  std::vector<InFlight> alive;
  for (const InFlight& path : in_flight_) {
    size_t index = dag_.first_edge(path.node).index();
    for (const DagEdge& edge : dag_.out_edges(path.node)) {
      const uint64_t sum = path.sum + numbering_.edge_value[index++];
      if (edge.kind == DagEdgeKind::Flow && edge.edge == taken) alive.push_back({edge.to, sum});
      if (edge.kind == DagEdgeKind::LoopEnd && edge.loop == cut) ++counts_[sum];
    }
  }
  in_flight_ = std::move(alive);
  if (!cut.is_none()) begin(DagEdgeKind::LoopStart, cut);
  if (graph_.target(taken) == graph_.exit()) finish_at_exit();
}

void SplitDagTracker::finish_at_exit() {
  for (const InFlight& path : in_flight_) {
    size_t index = dag_.first_edge(path.node).index();
    for (const DagEdge& edge : dag_.out_edges(path.node)) {
      if (edge.kind == DagEdgeKind::Exit) ++counts_[path.sum + numbering_.edge_value[index]];
      ++index;
    }
  }
}

}  // namespace mangata::numbering
