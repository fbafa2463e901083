#include "tests/unit/numbering/random_graphs.h"

#include <stdexcept>

namespace mangata::numbering::testing {

FlowGraph make_graph(size_t blocks, size_t entry, size_t exit,
                     const std::vector<std::pair<int, int>>& edges) {
  std::vector<FlowEdge> list;
  for (auto [from, to] : edges) {
    list.push_back({BlockId(static_cast<size_t>(from)), BlockId(static_cast<size_t>(to))});
  }
  auto graph = FlowGraph::build(blocks, BlockId(entry), BlockId(exit), std::move(list));
  if (!graph) throw std::runtime_error(describe(graph.error()));
  return std::move(*graph);
}

FlowGraph random_graph(uint64_t seed, size_t most_blocks) {
  Random random(seed);
  const size_t blocks = 1 + random.below(most_blocks);
  const size_t exit = random.below(blocks);
  const size_t entry =
      blocks > 1 && random.chance(95) ? (exit + 1 + random.below(blocks - 1)) % blocks : exit;
  std::vector<std::pair<int, int>> edges;
  for (size_t from = 0; from < blocks; ++from) {
    if (from == exit) continue;
    size_t successors = 1 + random.below(2) + (random.chance(15) ? random.below(3) : 0);
    while (successors-- > 0) {
      // Mostly forwards, so that paths get long before they meet a loop.
      const size_t to = random.chance(60) && from + 1 < blocks ? from + 1 + random.below(blocks - from - 1)
                                                               : random.below(blocks);
      edges.emplace_back(static_cast<int>(from), static_cast<int>(to));
      if (random.chance(6)) edges.push_back(edges.back());
    }
  }
  for (size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random.below(i)]);
  return make_graph(blocks, entry, exit, edges);
}

// Grows by replacing a random edge. Only heads of enclosing loops may be the target of a jump backwards,
// which keeps the graph reducible: a block remembers the heads that dominate it because they were on the way
// when it was made.
FlowGraph random_structured_graph(uint64_t seed, size_t steps) {
  Random random(seed);
  struct Edge {
    int from, to;
  };
  std::vector<Edge> edges{{0, 1}};
  std::vector<std::vector<int>> heads(2);  // per block, loop heads that dominate it
  const auto add_block = [&](const std::vector<int>& around) {
    heads.push_back(around);
    return static_cast<int>(heads.size()) - 1;
  };
  for (size_t step = 0; step < steps; ++step) {
    const size_t at = random.below(edges.size());
    const auto [from, to] = edges[at];
    const std::vector<int> around = heads[static_cast<size_t>(from)];
    const int middle = add_block(around);
    edges[at].to = middle;
    const size_t shape = random.below(8);
    if (shape <= 1) {  // if-then
      const int arm = add_block(around);
      edges.push_back({middle, arm});
      edges.push_back({middle, to});
      edges.push_back({arm, to});
    } else if (shape <= 3) {  // if-then-else, at times a switch with equal targets
      const int left = add_block(around), right = add_block(around);
      edges.push_back({middle, left});
      edges.push_back({middle, right});
      if (random.chance(20)) edges.push_back({middle, right});
      edges.push_back({left, to});
      edges.push_back({right, to});
    } else if (shape <= 5) {  // a loop: while-like or repeat-like
      heads[static_cast<size_t>(middle)].push_back(middle);
      const int tail = add_block(heads[static_cast<size_t>(middle)]);
      edges.push_back({middle, tail});
      if (random.chance(50)) edges.push_back({middle, to});
      edges.push_back({tail, middle});
      if (random.chance(50) || edges[edges.size() - 2].to != to) edges.push_back({tail, to});
    } else {
      edges.push_back({middle, to});
      if (!around.empty() && random.chance(60)) {  // continue, of any enclosing loop
        edges.push_back({middle, around[random.below(around.size())]});
      } else if (random.chance(30)) {  // return from anywhere
        edges.push_back({middle, 1});
      }
      if (random.chance(5)) edges.push_back({middle, middle});
    }
  }
  std::vector<std::pair<int, int>> list;
  for (const Edge& edge : edges) list.emplace_back(edge.from, edge.to);
  for (size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
  return make_graph(heads.size(), 0, 1, list);
}

FlowGraph random_loop(uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<int, int>> edges;
  const int diamonds = 1 + static_cast<int>(random.below(4));
  int at = 0;
  for (int i = 0; i < diamonds; ++i) {
    if (random.chance(50)) {  // if-then-else
      edges.insert(edges.end(), {{at, at + 1}, {at, at + 2}, {at + 1, at + 3}, {at + 2, at + 3}});
      at += 3;
    } else {  // if-then
      edges.insert(edges.end(), {{at, at + 1}, {at, at + 2}, {at + 1, at + 2}});
      at += 2;
    }
  }
  edges.insert(edges.end(), {{at, 0}, {at, at + 1}});
  return make_graph(static_cast<size_t>(at) + 2, 0, static_cast<size_t>(at) + 1, edges);
}

std::vector<EdgeId> random_trace(const FlowGraph& graph, uint64_t seed, size_t most) {
  Random random(seed);
  std::vector<EdgeId> trace;
  for (BlockId at = graph.entry(); at != graph.exit() && trace.size() < most;
       at = graph.target(trace.back())) {
    const auto out = graph.out_edges(at);
    trace.push_back(out[random.below(out.size())]);
  }
  return trace;
}

}  // namespace mangata::numbering::testing
