#include "numbering/edge_profile.h"

#include <algorithm>
#include <numeric>

namespace mangata::numbering {
namespace {

uint32_t find(std::vector<uint32_t>& parent, uint32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

}  // namespace

// The imaginary edge exit -> entry is in the tree first: its count is the number of finished activations,
// derived too.
EdgeProfilePlan plan_edge_profile(const FlowGraph& graph, std::span<const double> weights) {
  std::vector<EdgeId> order;
  for (EdgeId edge : graph.edges()) {
    if (graph.is_live(edge)) order.push_back(edge);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](EdgeId a, EdgeId b) { return weights[a.index()] > weights[b.index()]; });
  std::vector<uint32_t> parent(graph.block_count());
  std::iota(parent.begin(), parent.end(), 0u);
  parent[graph.exit().index()] = graph.entry().value;
  EdgeProfilePlan plan;
  plan.is_counted.assign(graph.edge_count(), 0);
  for (EdgeId edge : order) {
    const uint32_t from = find(parent, graph.source(edge).value), to = find(parent, graph.target(edge).value);
    if (from != to) {
      parent[from] = to;
    } else {
      plan.is_counted[edge.index()] = 1;
    }
  }
  for (EdgeId edge : graph.edges()) {
    if (plan.is_counted[edge.index()]) plan.counted.push_back(edge);
  }
  return plan;
}

namespace {

// Leaves of the spanning tree are solved first: a block with one unknown edge left determines it. The
// imaginary edge is number edge_count; activations that were cut off are finished ones that went from their
// block to the exit by magic.
class FlowSolver {
 public:
  FlowSolver(const FlowGraph& graph, const EdgeProfilePlan& plan, std::span<const uint64_t> chord_counts,
             std::span<const uint64_t> cut_off)
      : graph_(graph),
        count_(graph.edge_count() + 1, 0),
        known_(graph.edge_count() + 1, 1),
        surplus_(graph.block_count(), 0),
        unknown_(graph.block_count()) {
    for (EdgeId edge : graph.edges()) {
      if (graph.is_live(edge) && !plan.is_counted[edge.index()]) add_unknown(edge.value);
    }
    if (graph.entry() != graph.exit()) add_unknown(static_cast<uint32_t>(graph.edge_count()));
    for (size_t i = 0; i < plan.counted.size(); ++i) {
      settle(plan.counted[i].value, static_cast<__int128>(chord_counts[i]));
    }
    for (size_t block = 0; block < cut_off.size() && block < graph.block_count(); ++block) {
      surplus_[block] -= cut_off[block];
      surplus_[graph.exit().index()] += cut_off[block];
    }
  }

  bool solve() {
    std::vector<uint32_t> work;
    for (size_t block = 0; block < unknown_.size(); ++block) {
      if (degree(block) == 1) work.push_back(static_cast<uint32_t>(block));
    }
    while (!work.empty()) {
      const uint32_t block = work.back();
      work.pop_back();
      auto& list = unknown_[block];
      while (!list.empty() && known_[list.back()]) list.pop_back();
      if (list.empty()) continue;
      const uint32_t edge = list.back();
      const bool leaves = from(edge) == block;
      const uint32_t other = leaves ? to(edge) : from(edge);
      known_[edge] = 1;
      --degree_[block];
      --degree_[other];
      settle(edge, leaves ? surplus_[block] : -surplus_[block]);
      if (degree(other) == 1) work.push_back(other);
    }
    return std::all_of(count_.begin(), count_.end(), [](__int128 n) { return n >= 0 && n <= UINT64_MAX; }) &&
           std::all_of(surplus_.begin(), surplus_.end(), [](__int128 n) { return n == 0; });
  }
  uint64_t count(size_t edge) const { return static_cast<uint64_t>(count_[edge]); }

 private:
  uint32_t from(uint32_t edge) const {
    return edge == graph_.edge_count() ? graph_.exit().value : graph_.source(EdgeId(edge)).value;
  }
  uint32_t to(uint32_t edge) const {
    return edge == graph_.edge_count() ? graph_.entry().value : graph_.target(EdgeId(edge)).value;
  }
  uint32_t degree(size_t block) const { return degree_.empty() ? 0 : degree_[block]; }
  void add_unknown(uint32_t edge) {
    if (degree_.empty()) degree_.assign(graph_.block_count(), 0);
    known_[edge] = 0;
    for (uint32_t block : {from(edge), to(edge)}) {
      unknown_[block].push_back(edge);
      ++degree_[block];
    }
  }
  void settle(uint32_t edge, __int128 amount) {
    count_[edge] = amount;
    surplus_[to(edge)] += amount;
    surplus_[from(edge)] -= amount;
  }

  const FlowGraph& graph_;
  std::vector<__int128> count_;
  std::vector<char> known_;
  std::vector<__int128> surplus_;  ///< per block: known flow in minus known flow out
  std::vector<std::vector<uint32_t>> unknown_;
  std::vector<uint32_t> degree_;
};

}  // namespace

Result<EdgeCounts> derive_edge_counts(const FlowGraph& graph, const EdgeProfilePlan& plan,
                                      std::span<const uint64_t> chord_counts,
                                      std::span<const uint64_t> cut_off) {
  const NumberingError error{ErrorKind::BadPathNumber};
  if (chord_counts.size() != plan.counted.size()) return error;
  FlowSolver solver(graph, plan, chord_counts, cut_off);
  if (!solver.solve()) return error;
  EdgeCounts counts;
  for (EdgeId edge : graph.edges()) counts.edge.push_back(solver.count(edge.index()));
  counts.entries = solver.count(graph.edge_count());
  return counts;
}

std::vector<uint64_t> edge_counts_of_paths(const FlowGraph& graph, const LoopForest& forest,
                                           std::span<const CountedPath> paths) {
  std::vector<uint64_t> counts(graph.edge_count(), 0);
  const auto add = [&](EdgeId edge, uint64_t amount) {
    uint64_t& counter = counts[edge.index()];
    if (__builtin_add_overflow(counter, amount, &counter)) counter = UINT64_MAX;
  };
  for (const CountedPath& counted : paths) {
    for (EdgeId edge : counted.path.edges) add(edge, counted.count);
    if (counted.path.finish != PathFinish::Backedge) continue;
    for (EdgeId edge : graph.out_edges(counted.path.blocks.back())) {
      if (forest.cut_by(edge) == counted.path.finish_loop) {
        add(edge, counted.count);
        break;
      }
    }
  }
  return counts;
}

EdgeId expected_edge(const FlowGraph& graph, std::span<const uint64_t> edge_counts, BlockId block) {
  EdgeId best;
  for (EdgeId edge : graph.out_edges(block)) {
    if (best.is_none() || edge_counts[edge.index()] > edge_counts[best.index()]) best = edge;
  }
  return best;
}

size_t expected_edges(const FlowGraph& graph, const LoopForest& forest, std::span<const uint64_t> edge_counts,
                      const FlowPath& path) {
  for (size_t i = 0; i < path.edges.size(); ++i) {
    if (expected_edge(graph, edge_counts, path.blocks[i]) != path.edges[i]) return i;
  }
  if (path.finish != PathFinish::Backedge) return path.edges.size();
  const EdgeId last = expected_edge(graph, edge_counts, path.blocks.back());
  return path.edges.size() + (forest.cut_by(last) == path.finish_loop ? 1 : 0);
}

namespace {

FlowPath follow_edges(const FlowGraph& graph, const LoopForest& forest, std::span<const uint64_t> edge_counts,
                      FlowPath path) {
  for (BlockId at = path.blocks.back(); at != graph.exit(); at = path.blocks.back()) {
    const EdgeId best = expected_edge(graph, edge_counts, at);
    if (const LoopId cut = forest.cut_by(best); !cut.is_none()) {
      path.finish = PathFinish::Backedge;
      path.finish_loop = cut;
      return path;
    }
    path.edges.push_back(best);
    path.blocks.push_back(graph.target(best));
  }
  path.finish = PathFinish::Exit;
  return path;
}

}  // namespace

EdgePrediction predict_paths(const FlowGraph& graph, const LoopForest& forest,
                             std::span<const uint64_t> edge_counts, uint64_t entries,
                             std::span<const CountedPath> paths) {
  EdgePrediction result;
  FlowPath hottest{.begin_loop = {}, .blocks = {graph.entry()}, .edges = {}, .finish_loop = {}};
  uint64_t most_begun = entries;
  for (LoopId loop : forest.ids()) {
    uint64_t taken = 0;
    for (EdgeId edge : forest[loop].backedges) taken += edge_counts[edge.index()];
    if (taken <= most_begun) continue;
    most_begun = taken;
    hottest.begin = PathBegin::Backedge;
    hottest.begin_loop = loop;
    hottest.blocks = {forest[loop].head};
  }
  if (most_begun > 0) result.named = follow_edges(graph, forest, edge_counts, std::move(hottest));

  uint64_t most = 0, named = 0;
  for (const CountedPath& counted : paths) {
    const FlowPath& path = counted.path;
    result.executions += counted.count;
    most = std::max(most, counted.count);
    const size_t edges = path.edges.size() + (path.finish == PathFinish::Backedge ? 1 : 0);
    if (expected_edges(graph, forest, edge_counts, path) != edges) continue;
    result.predicted_executions += counted.count;
    if (result.named == path) named = counted.count;
  }
  result.misleads = most > named;
  return result;
}

}  // namespace mangata::numbering
