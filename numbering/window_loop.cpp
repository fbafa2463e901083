#include "numbering/window_loop.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace mangata::numbering {
namespace {

constexpr PathCount kTooMany = kMaxPathCount + 1;
constexpr size_t kMostRanksPerBlock = 4096, kMostRanksPerLoop = 65536;

PathCount saturating_multiply_add(PathCount a, PathCount b, PathCount c) {
  PathCount result = 0;
  if (__builtin_mul_overflow(a, b, &result) || __builtin_add_overflow(result, c, &result)) return kTooMany;
  return std::min(result, kTooMany);
}

// Nodes are named by their place in the sorted list of blocks: a table per block of the whole graph would
// make many small loops quadratic.
DagNodeId body_node(const std::vector<BlockId>& blocks, BlockId block) {
  const auto at = std::lower_bound(blocks.begin(), blocks.end(), block);
  if (at == blocks.end() || *at != block) return DagNodeId::none();
  return DagNodeId(static_cast<size_t>(at - blocks.begin()) + 2);
}

// The most frequent arm of a branch comes first, so it has the value 0 and the hottest iteration is digit 0.
Result<PathDag> build_body(const FlowGraph& graph, const LoopForest& forest, const KLoop& loop,
                           std::span<const double> flow_weights) {
  PathDagBuilder builder(0);
  for (BlockId block : loop.body) builder.add_node({.kind = DagNodeKind::Block, .block = block, .loop = {}});
  builder.add_edge({PathDag::start(), body_node(loop.body, loop.head), DagEdgeKind::Entry, {}, {}});
  std::vector<EdgeId> arms;
  for (BlockId block : loop.body) {
    const DagNodeId from = body_node(loop.body, block);
    arms.assign(graph.out_edges(block).begin(), graph.out_edges(block).end());
    std::stable_sort(arms.begin(), arms.end(),
                     [&](EdgeId a, EdgeId b) { return flow_weights[a.index()] > flow_weights[b.index()]; });
    for (EdgeId edge : arms) {
      const DagNodeId to = body_node(loop.body, graph.target(edge));
      if (forest.cut_by(edge) == loop.loop) {
        builder.add_edge({from, PathDag::end(), DagEdgeKind::LoopEnd, edge, loop.loop});
      } else if (forest.cut_by(edge).is_none() && !to.is_none()) {
        builder.add_edge({from, to, DagEdgeKind::Flow, edge, {}});
      }
    }
  }
  return std::move(builder).finish();
}

// No flow edge carries the dummy edge into the head, so it must be in the tree.
std::vector<double> body_weights(const PathDag& body, std::span<const double> flow_weights) {
  std::vector<double> weights(body.edge_count(), 0);
  for (DagEdgeId id : body.edge_ids()) {
    const DagEdge& edge = body.edge(id);
    weights[id.index()] =
        edge.edge.is_none() ? std::numeric_limits<double>::max() : flow_weights[edge.edge.index()];
  }
  return weights;
}

// Values in this order need an addition on all but the heaviest arm of each branch. A spanning tree may do
// better or worse: unlike at a function's own backedges, no constant is free here, because the window
// register is not restarted.
Chords cheapest_increments(const WindowLoop& window, const std::vector<double>& weights, bool use_chords) {
  Chords plain = values_as_increments(window.body, window.numbering);
  if (!use_chords) return plain;
  Chords moved = chord_increments(window.body, window.numbering, maximum_spanning_tree(window.body, weights));
  const auto cost = [&](const Chords& chords) {
    double sum = 0;
    for (DagEdgeId id : window.body.edge_ids()) {
      if (chords.increment[id.index()] != 0) sum += weights[id.index()];
    }
    return sum;
  };
  return cost(moved) < cost(plain) ? moved : plain;
}

class PrefixEnumerator {
 public:
  explicit PrefixEnumerator(const WindowLoop& window) : window_(window), in_(window.body.node_count()) {
    for (DagEdgeId id : window.body.edge_ids()) in_[window.body.edge(id).to.index()].push_back(id);
    ways_.assign(window.body.node_count(), 0);
    ways_[PathDag::start().index()] = 1;
    for (DagNodeId node : window.body.topological_order()) {
      for (DagEdgeId id : in_[node.index()]) {
        ways_[node.index()] =
            saturating_multiply_add(1, ways_[window.body.edge(id).from.index()], ways_[node.index()]);
      }
    }
  }
  PathCount ways(DagNodeId node) const { return ways_[node.index()]; }
  // Backwards every walk ends at Start, so the work is the number of ways times their length.
  std::vector<uint64_t> sums(DagNodeId node) const {
    std::vector<uint64_t> sums;
    std::vector<std::pair<DagNodeId, uint64_t>> work{{node, 0}};
    while (!work.empty()) {
      const auto [at, sum] = work.back();
      work.pop_back();
      if (at == PathDag::start()) sums.push_back(sum);
      for (DagEdgeId id : in_[at.index()]) {
        work.emplace_back(window_.body.edge(id).from, sum + window_.numbering.edge_value[id.index()]);
      }
    }
    std::sort(sums.begin(), sums.end());
    return sums;
  }

 private:
  const WindowLoop& window_;
  std::vector<std::vector<DagEdgeId>> in_;
  std::vector<PathCount> ways_;
};

void rank_exits(const FlowGraph& graph, const KLoop& loop, WindowLoop& window) {
  if (loop.exits.empty()) return;
  const PrefixEnumerator prefixes(window);
  std::vector<size_t> ranks_of(window.body.node_count(), SIZE_MAX);
  size_t total = 0;
  for (EdgeId edge : loop.exits) {
    const DagNodeId node = window.node_of(graph.source(edge));
    size_t& index = ranks_of[node.index()];
    if (index == SIZE_MAX) {
      index = window.ranks.size();
      PrefixRanks ranks{.node = node, .sums = {}, .count = window.body_paths};
      const PathCount ways = prefixes.ways(node);
      if (ways <= kMostRanksPerBlock && total + ways <= kMostRanksPerLoop) {
        ranks.sums = prefixes.sums(node);
        ranks.count = ways;
        total += ways;
      }
      window.ranks.push_back(std::move(ranks));
    }
    window.exits.push_back({edge, index});
  }
}

}  // namespace

DagNodeId WindowLoop::node_of(BlockId block) const { return body_node(blocks, block); }

PathCount WindowLoop::combinations(unsigned exponent) const {
  PathCount product = 1;
  for (unsigned i = 0; i < exponent; ++i) product = saturating_multiply_add(product, body_paths, 0);
  return product;
}

PathCount WindowLoop::combinations_below(unsigned completed) const {
  PathCount sum = 0;
  for (unsigned i = 0; i < completed; ++i) sum = saturating_multiply_add(sum, body_paths, 1);
  return sum;
}

Result<WindowLoop> make_window_loop(const FlowGraph& graph, const LoopForest& forest, const KLoop& loop,
                                    std::span<const double> flow_weights, bool use_chords,
                                    unsigned most_bits) {
  auto body = build_body(graph, forest, loop, flow_weights);
  if (!body) return body.error();
  auto numbering = number_paths(*body, kMaxPathCount);
  if (!numbering) return numbering.error();
  WindowLoop window{.loop = loop.loop,
                    .k = loop.k,
                    .head = loop.head,
                    .blocks = loop.body,
                    .body = std::move(*body),
                    .numbering = std::move(*numbering),
                    .chords = {},
                    .ranks = {},
                    .exits = {}};
  window.body_paths = window.numbering.path_count;
  window.digit_bits = static_cast<unsigned>(std::bit_width(window.body_paths - 1));
  if (window.digit_bits * window.k > std::min(most_bits, kMostWindowBits)) {
    return NumberingError{ErrorKind::PathLimit, loop.loop.value};
  }
  window.chords = cheapest_increments(window, body_weights(window.body, flow_weights), use_chords);
  rank_exits(graph, loop, window);
  return window;
}

Result<bool> append_iterations(const FlowGraph& graph, const WindowLoop& window,
                               std::span<const uint64_t> digits, bool last_backedge, FlowPath& path) {
  for (size_t i = 0; i < digits.size(); ++i) {
    const auto steps = decode_steps(window.body, window.numbering, PathNumber{digits[i]});
    if (!steps) return steps.error();
    for (const DagStep& step : *steps) {
      const DagEdge& edge = window.body.edge(step.edge);
      if (edge.kind == DagEdgeKind::Flow) append_step(graph, edge, path);
      if (edge.kind == DagEdgeKind::LoopEnd && (last_backedge || i + 1 < digits.size())) {
        path.edges.push_back(edge.edge);
        path.blocks.push_back(window.head);
      }
    }
  }
  return true;
}

Result<bool> append_partial_iteration(const FlowGraph& graph, const WindowLoop& window, DagNodeId node,
                                      uint64_t sum, FlowPath& path) {
  const auto steps = decode_steps_to(window.body, window.numbering, PathNumber{sum}, node);
  if (!steps) return steps.error();
  for (const DagStep& step : *steps) {
    const DagEdge& edge = window.body.edge(step.edge);
    if (edge.kind == DagEdgeKind::Flow) append_step(graph, edge, path);
  }
  return true;
}

}  // namespace mangata::numbering
