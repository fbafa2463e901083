// Algorithms 1 and 2. The automaton is in kpath_automaton.cpp.
#include "numbering/kpath_numbering.h"

#include <algorithm>

namespace mangata::numbering {

namespace {
constexpr uint32_t kStart = 0, kEnd = 1;
uint32_t node_of(BlockId block) { return block.value + 2; }
}  // namespace

class KPathNumberingBuilder {
 public:
  KPathNumberingBuilder(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops)
      : graph_(graph), forest_(forest), k_loops_(k_loops), nodes_(graph.block_count() + 2) {
    result_.k_loops_ = &k_loops;
    result_.forest_ = &forest;
  }

  Result<KPathNumbering> run(PathCount limit) {
    add_edges();
    if (!order_nodes()) return NumberingError{ErrorKind::UncutCycle};
    uint32_t exceeded = 0;
    if (!number(std::clamp<PathCount>(limit, 1, kMaxPathCount), &exceeded)) {
      return NumberingError{ErrorKind::PathLimit, exceeded};
    }
    return std::move(result_);
  }

 private:
  size_t loop_at(uint32_t node) const {
    return node < 2 ? KLoops::kOutside : k_loops_.around(BlockId(size_t{node} - 2));
  }
  unsigned k_at(uint32_t node) const {
    const size_t loop = loop_at(node);
    return loop == KLoops::kOutside ? 1 : k_loops_[loop].k;
  }
  void add(uint32_t from, uint32_t to, DagEdgeKind kind, EdgeId edge, LoopId loop) {
    result_.first_slot_.push_back(result_.val_.size());
    result_.val_.resize(result_.val_.size() + k_at(from), 0);
    result_.edges_.push_back({from, to, kind, edge, loop});
  }
  void add_edges();
  void add_edges_of(BlockId block);
  bool order_nodes();
  bool number(PathCount limit, uint32_t* exceeded);
  bool number_node(uint32_t u, unsigned i, PathCount limit);
  bool is_own_backedge(const DeltaEdge& edge) const {
    const size_t loop = loop_at(edge.from);
    return edge.kind == DagEdgeKind::Flow && loop != KLoops::kOutside &&
           forest_.cut_by(edge.edge) == k_loops_[loop].loop;
  }
  bool leaves(const DeltaEdge& edge) const {
    const size_t loop = loop_at(edge.from);
    if (edge.kind == DagEdgeKind::LoopEnd) return edge.loop != k_loops_[loop].loop;  // E9
    return loop_at(edge.to) != loop;
  }
  // E7: only three rules are left, none about entry edges; E8: only the loop's own end waits for iteration k.
  bool ignored(const DeltaEdge& edge, unsigned i) const {
    const size_t loop = loop_at(edge.from);
    if (loop == KLoops::kOutside) return false;
    if (is_own_backedge(edge)) return i == k_loops_[loop].k;
    return edge.kind == DagEdgeKind::LoopEnd && edge.loop == k_loops_[loop].loop && i < k_loops_[loop].k;
  }

  const FlowGraph& graph_;
  const LoopForest& forest_;
  const KLoops& k_loops_;
  size_t nodes_;
  KPathNumbering result_;
  std::vector<uint32_t> list_;  ///< reverse topological, the nodes of a k-loop contiguous (E11)
  std::vector<PathCount> num_paths_, invalid_paths_;
};

void KPathNumberingBuilder::add_edges() {
  result_.flow_edge_.assign(graph_.edge_count(), SIZE_MAX);
  result_.start_edge_.assign(forest_.size(), SIZE_MAX);
  result_.first_edge_.push_back(0);
  add(kStart, node_of(graph_.entry()), DagEdgeKind::Entry, {}, {});
  for (LoopId loop : forest_.ids()) {  // E15: one dummy start per row, also when rows share a head
    if (!is_live(graph_, forest_[loop])) continue;
    result_.start_edge_[loop.index()] = result_.edges_.size();
    add(kStart, node_of(forest_[loop].head), DagEdgeKind::LoopStart, {}, loop);
  }
  result_.first_edge_.push_back(static_cast<uint32_t>(result_.edges_.size()));
  result_.first_edge_.push_back(static_cast<uint32_t>(result_.edges_.size()));
  for (BlockId block : graph_.blocks()) {
    if (graph_.is_reachable(block)) add_edges_of(block);
    result_.first_edge_.push_back(static_cast<uint32_t>(result_.edges_.size()));
  }
  result_.cval_.assign(result_.val_.size(), 0);
}

void KPathNumberingBuilder::add_edges_of(BlockId block) {
  const size_t around = k_loops_.around(block);
  std::vector<LoopId> ends;
  for (EdgeId edge : graph_.out_edges(block)) {
    const LoopId cut = forest_.cut_by(edge);
    const bool own = around != KLoops::kOutside && cut == k_loops_[around].loop;
    if (cut.is_none() || own) {
      result_.flow_edge_[edge.index()] = result_.edges_.size();
      add(node_of(block), node_of(graph_.target(edge)), DagEdgeKind::Flow, edge, {});
    }
    if (!cut.is_none() && std::find(ends.begin(), ends.end(), cut) == ends.end()) ends.push_back(cut);
  }
  for (LoopId loop : ends) add(node_of(block), kEnd, DagEdgeKind::LoopEnd, {}, loop);
  if (block == graph_.exit()) {
    result_.exit_edge_ = result_.edges_.size();
    add(node_of(block), kEnd, DagEdgeKind::Exit, {}, {});
  }
}

// A depth-first postorder is reverse topological, but may scatter a loop's nodes (E11). So each k-loop is
// collapsed into its head for the outer order, and ordered by itself inside.
bool KPathNumberingBuilder::order_nodes() {
  const auto leader = [&](uint32_t node) {
    const size_t loop = loop_at(node);
    return loop == KLoops::kOutside ? node : node_of(k_loops_[loop].head);
  };
  std::vector<std::vector<uint32_t>> successors(nodes_), inner(nodes_);
  std::vector<uint32_t> waits(nodes_, 0), inner_waits(nodes_, 0);
  for (const DeltaEdge& edge : result_.edges_) {
    const bool inside = loop_at(edge.from) != KLoops::kOutside && loop_at(edge.from) == loop_at(edge.to);
    if (is_own_backedge(edge)) continue;
    if (inside) {
      inner[edge.from].push_back(edge.to);
      ++inner_waits[edge.to];
    } else {
      successors[leader(edge.from)].push_back(leader(edge.to));
      ++waits[leader(edge.to)];
    }
  }
  std::vector<uint32_t> order{kStart};
  std::vector<uint32_t> expanded;
  for (size_t i = 0; i < order.size(); ++i) {
    const size_t begin = expanded.size();
    expanded.push_back(order[i]);
    for (size_t j = begin; j < expanded.size(); ++j) {
      for (uint32_t next : inner[expanded[j]]) {
        if (--inner_waits[next] == 0) expanded.push_back(next);
      }
    }
    for (uint32_t next : successors[order[i]]) {
      if (--waits[next] == 0) order.push_back(next);
    }
  }
  size_t expected = 2;
  for (BlockId block : graph_.blocks()) expected += graph_.is_reachable(block);
  list_.assign(expanded.rbegin(), expanded.rend());
  // End has no successors, so it may come first whatever its place in the order.
  const auto end = std::find(list_.begin(), list_.end(), kEnd);
  if (list_.size() != expected || end == list_.end()) return false;
  list_.erase(end);
  list_.insert(list_.begin(), kEnd);
  return true;
}

bool KPathNumberingBuilder::number(PathCount limit, uint32_t* exceeded) {
  num_paths_.assign(nodes_, 0);
  invalid_paths_.assign(nodes_, 0);
  num_paths_[kEnd] = 1;
  std::vector<unsigned> itr_num(k_loops_.size());
  for (size_t i = 0; i < k_loops_.size(); ++i) itr_num[i] = k_loops_[i].k;
  for (size_t at = 1; at < list_.size(); ++at) {
    const uint32_t u = list_[at];
    const size_t loop = loop_at(u);
    const unsigned i = loop == KLoops::kOutside ? 1 : itr_num[loop];
    if (!number_node(u, i, limit)) {
      *exceeded = u;
      return false;
    }
    if (loop != KLoops::kOutside && u == node_of(k_loops_[loop].head) && i > 1) {
      itr_num[loop] = i - 1;
      at -= k_loops_[loop].body.size();  // E12: back to the loop's first node in the list
    }
  }
  result_.path_count_ = num_paths_[kStart] - invalid_paths_[kStart];
  return true;
}

// E13: the old values of u itself are read (a self-loop) until both sums are complete.
bool KPathNumberingBuilder::number_node(uint32_t u, unsigned i, PathCount limit) {
  const size_t loop = loop_at(u);
  PathCount paths = 0, invalid = 0;
  for (size_t e = result_.first_edge_[u]; e < result_.first_edge_[u + 1]; ++e) {
    const DeltaEdge& edge = result_.edges_[e];
    if (ignored(edge, i)) continue;
    const size_t slot = result_.slot(e, i);
    result_.val_[slot] = paths;
    const bool compensated = u == kStart || (loop != KLoops::kOutside && i < k_loops_[loop].k);
    if (compensated) {
      result_.cval_[slot] = invalid;
      if (u ==
          kStart) {  // E2, E3: only dummy starts of k-loops lead to invalid paths, but all edges are shifted
        if (edge.kind == DagEdgeKind::LoopStart && k_loops_.index_of(edge.loop) != KLoops::kOutside) {
          invalid += invalid_paths_[edge.to];
        }
      } else {
        invalid += leaves(edge) ? num_paths_[edge.to] : invalid_paths_[edge.to];
      }
    }
    if (__builtin_add_overflow(paths, num_paths_[edge.to], &paths) || paths > kMaxPathCount) return false;
  }
  num_paths_[u] = paths;
  invalid_paths_[u] = invalid;
  return u != kStart || paths - invalid <= limit;
}

Result<KPathNumbering> KPathNumbering::make(const FlowGraph& graph, const LoopForest& forest,
                                            const KLoops& k_loops, PathCount limit) {
  return KPathNumberingBuilder(graph, forest, k_loops).run(limit);
}

size_t KPathNumbering::end_edge(BlockId tail, LoopId loop) const {
  for (size_t e = first_edge_[node_of(tail)]; e < first_edge_[node_of(tail) + 1]; ++e) {
    if (edges_[e].kind == DagEdgeKind::LoopEnd && edges_[e].loop == loop) return e;
  }
  return SIZE_MAX;
}

Result<FlowPath> KPathNumbering::identify(const FlowGraph& graph, PathNumber number) const {
  if (number.value >= path_count_) return NumberingError{ErrorKind::BadPathNumber};
  FlowPath path;
  uint64_t weight = 0;
  unsigned i = 1;
  size_t constrained = KLoops::kOutside;  // the k-loop whose dummy start began this path, until it is left
  for (uint32_t u = kStart; u != kEnd;) {
    const size_t loop = u < 2 ? KLoops::kOutside : k_loops_->around(BlockId(size_t{u} - 2));
    const unsigned k = loop == KLoops::kOutside ? 1 : (*k_loops_)[loop].k;
    if (loop != constrained) constrained = KLoops::kOutside;
    const bool compensate = u == kStart || (loop != KLoops::kOutside && constrained == loop && i < k);
    size_t chosen = SIZE_MAX;
    uint64_t chosen_weight = 0;
    const auto own = [&](const DeltaEdge& edge) {
      return loop != KLoops::kOutside && edge.kind == DagEdgeKind::Flow &&
             forest_->cut_by(edge.edge) == (*k_loops_)[loop].loop;
    };
    for (size_t e = first_edge_[u]; e < first_edge_[u + 1]; ++e) {  // later edges have larger val (E20)
      const DeltaEdge& edge = edges_[e];
      if (own(edge) && i == k) continue;
      if (edge.kind == DagEdgeKind::LoopEnd && loop != KLoops::kOutside &&
          edge.loop == (*k_loops_)[loop].loop && i < k) {
        continue;
      }
      const uint64_t w = val(e, i) - (compensate ? cval(e, i) : 0);
      if (weight + w <= number.value) {
        chosen = e;
        chosen_weight = w;
      }
    }
    if (chosen == SIZE_MAX) return NumberingError{ErrorKind::BadPathNumber};
    const DeltaEdge& edge = edges_[chosen];
    weight += chosen_weight;
    append_step(graph, {.from = {}, .to = {}, .kind = edge.kind, .edge = edge.edge, .loop = edge.loop}, path);
    if (edge.kind == DagEdgeKind::LoopStart) {
      path.blocks.push_back((*forest_)[edge.loop].head);
      constrained = k_loops_->index_of(edge.loop);
    }
    if (own(edge)) {
      ++i;  // E14: the iteration grows when the loop's own backedge is taken
    } else if (edge.to < 2 || k_loops_->around(BlockId(size_t{edge.to} - 2)) != loop) {
      i = 1;
    }
    u = edge.to;
  }
  if (weight != number.value) return NumberingError{ErrorKind::BadPathNumber};
  return path;
}

}  // namespace mangata::numbering
