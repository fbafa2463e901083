// The acyclic graph whose Start-to-End paths are the paths to be numbered.
// Invariant: acyclic, every node is reachable from Start and reaches End; out-edges of a node have
// consecutive ids in the order in which they are numbered. Read next: path_numbering.h.
#pragma once

#include <span>
#include <vector>

#include "numbering/loops.h"

namespace mangata::numbering {

enum class DagNodeKind : uint8_t {
  Start,
  End,
  Block
};

/// A node is a block, or one of the copies of a block that lies in a loop profiled over several iterations.
struct DagNode {
  DagNodeKind kind = DagNodeKind::Block;
  BlockId block;           ///< none for Start and End
  LoopId loop;             ///< the k-loop (k >= 2) that this copy belongs to, else none
  uint32_t iteration = 1;  ///< which iteration of it, from 1
  bool restarted =
      false;  ///< a copy for paths that began by `loop`'s own backedge (they may not leave early)
};

enum class DagEdgeKind : uint8_t {
  Entry,      ///< Start -> entry block: the path begins with the procedure
  LoopStart,  ///< Start -> head of `loop`: the path begins after a backedge of it [Ball & Larus 1996, §4]
  Flow,       ///< block -> block, the flow edge `edge`
  LoopEnd,    ///< tail -> End: the path ends by a backedge of `loop`
  Exit,       ///< exit block -> End: the path ends with the procedure
  Window,    ///< k-loop -> End: k iterations are complete; stands for `multiplicity` paths (see window_dag.h)
  LoopExit,  ///< k-loop -> what follows, by the flow edge `edge`; stands for `multiplicity` ways to leave
};

struct DagEdge {
  DagNodeId from, to;  ///< never equal
  DagEdgeKind kind = DagEdgeKind::Flow;
  EdgeId edge;                 ///< Flow, LoopExit; for LoopEnd the first backedge that ends a path here
  LoopId loop;                 ///< LoopStart, LoopEnd; LoopExit to End: the loop whose backedge also cuts
  PathCount multiplicity = 1;  ///< number of different path pieces this edge stands for
};

class PathDag {
 public:
  static constexpr DagNodeId start() { return DagNodeId(0); }
  static constexpr DagNodeId end() { return DagNodeId(1); }

  size_t node_count() const { return nodes_.size(); }
  size_t edge_count() const { return edges_.size(); }
  IdRange<DagNodeId> node_ids() const { return IdRange<DagNodeId>(node_count()); }
  IdRange<DagEdgeId> edge_ids() const { return IdRange<DagEdgeId>(edge_count()); }
  const DagNode& node(DagNodeId id) const { return nodes_[id.index()]; }
  const DagEdge& edge(DagEdgeId id) const { return edges_[id.index()]; }

  /// Edges first_edge(n) .. first_edge(n+1) - 1 leave node n.
  DagEdgeId first_edge(DagNodeId node) const { return DagEdgeId(first_out_[node.index()]); }
  std::span<const DagEdge> out_edges(DagNodeId node) const {
    return {edges_.data() + first_out_[node.index()], edges_.data() + first_out_[node.index() + 1]};
  }
  /// Start first, End last.
  std::span<const DagNodeId> topological_order() const { return topological_; }
  /// The node of a block outside of k-loops, or its first prologue copy; none for an unreachable block.
  DagNodeId node_of(BlockId block) const { return node_of_[block.index()]; }

 private:
  friend class PathDagBuilder;
  std::vector<DagNode> nodes_;
  std::vector<DagEdge> edges_;
  std::vector<uint32_t> first_out_;
  std::vector<DagNodeId> topological_;
  std::vector<DagNodeId> node_of_;
};

/// Collects nodes and edges in any order; out-edges of a node keep the order in which they were added.
class PathDagBuilder {
 public:
  explicit PathDagBuilder(size_t block_count);
  /// The id is the number of nodes before it.
  DagNodeId add_node(const DagNode& node);
  /// Both nodes must have been added.
  void add_edge(const DagEdge& edge) { dag_.edges_.push_back(edge); }
  /// What node_of(block) will answer; the first call for a block wins.
  void name_node(BlockId block, DagNodeId node);
  DagNodeId node_of(BlockId block) const { return dag_.node_of_[block.index()]; }
  /// errors  UncutCycle (where = a block on a cycle), TooLarge
  Result<PathDag> finish() &&;

 private:
  PathDag dag_;
};

/// Some edge of the row can be taken.
bool is_live(const FlowGraph& graph, const Loop& loop);

/// Adds the out-edges of a block that lies in no k-loop: flow edges in order, then one LoopEnd per row that
/// cuts here, then Exit. `ended_at` remembers per row the last block that a path was made to end at; start
/// with none().
void add_block_edges(const FlowGraph& graph, const LoopForest& forest, BlockId block,
                     std::vector<BlockId>& ended_at, PathDagBuilder& builder);

/// The DAG of acyclic paths [Ball & Larus 1996, §4]: retreating edges cut, with a dummy edge Start -> head
/// per row of the forest and one dummy edge tail -> End per (tail, row). Start and End are nodes of their
/// own, because the entry may be a loop head. Order of numbering: from Start the entry, then the rows of the
/// table in order; from a block its flow edges in order, then its path ends in the order of their first
/// edges. Blocks that cannot reach the exit need no care: each has a successor, so each reaches a cut. cost
/// O(V + E)
Result<PathDag> build_path_dag(const FlowGraph& graph, const LoopForest& forest);

}  // namespace mangata::numbering
