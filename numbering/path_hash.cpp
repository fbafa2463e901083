#include "numbering/path_hash.h"

#include <algorithm>
#include <unordered_map>

namespace mangata::numbering {
namespace {

// SplitMix64, reduced to 1..modulus-1 by rejection.
class Constants {
 public:
  explicit Constants(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    for (;;) {
      uint64_t z = (state_ += kHashMultiplier);
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
      z = (z ^ (z >> 31)) >> 3;
      if (z != 0 && z < kHashModulus) return z;
    }
  }

 private:
  uint64_t state_;
};

}  // namespace

uint64_t hash_step(uint64_t hash, uint64_t multiplier, uint64_t constant) {
  const unsigned __int128 product = static_cast<unsigned __int128>(hash) * multiplier + constant;
  uint64_t sum = static_cast<uint64_t>(product & kHashModulus) + static_cast<uint64_t>(product >> 61);
  if (sum >= kHashModulus) sum -= kHashModulus;
  return sum;
}

FlowPath to_flow_path(const FlowGraph& graph, const LoopForest& forest, const PathWitness& witness) {
  FlowPath path{.begin = witness.begin_loop.is_none() ? PathBegin::Entry : PathBegin::Backedge,
                .begin_loop = witness.begin_loop,
                .blocks = {witness.begin_loop.is_none() ? graph.entry() : forest[witness.begin_loop].head},
                .edges = witness.edges,
                .finish = witness.finish_loop.is_none() ? PathFinish::Exit : PathFinish::Backedge,
                .finish_loop = witness.finish_loop};
  for (EdgeId edge : witness.edges) path.blocks.push_back(graph.target(edge));
  return path;
}

EventPlan plan_hashed_paths(const FlowGraph& graph, const LoopForest& forest, uint64_t seed) {
  Constants constants(seed);
  EventPlan plan;
  plan.paths = {TableKind::Hash, kHashModulus};
  plan.hash_multiplier = constants.next();
  const auto entry = static_cast<int64_t>(constants.next()), exit = static_cast<int64_t>(constants.next());
  std::vector<int64_t> start, edge_constant;
  for (size_t i = 0; i < forest.size(); ++i) start.push_back(static_cast<int64_t>(constants.next()));
  for (size_t i = 0; i < graph.edge_count(); ++i)
    edge_constant.push_back(static_cast<int64_t>(constants.next()));
  const Event finish{.kind = EventKind::HashCount, .value = exit, .index = Event::kNoLoop};
  plan.at_entry.push_back({.kind = EventKind::Start, .start = entry});
  if (graph.entry() == graph.exit()) plan.at_entry.push_back(finish);
  std::unordered_map<uint64_t, int64_t>
      end_constant;  // per (tail, row): parallel backedges end a path in one way
  plan.first.push_back(0);
  for (EdgeId edge : graph.edges()) {
    const LoopId cut = forest.cut_by(edge);
    const BlockId from = graph.source(edge);
    if (!graph.is_live(edge)) {
      // Never taken.
    } else if (!cut.is_none()) {
      const auto [end, is_new] =
          end_constant.try_emplace(uint64_t{from.value} << 32 | cut.value, edge_constant[edge.index()]);
      plan.events.push_back({.kind = EventKind::HashCount,
                             .value = end->second,
                             .start = start[cut.index()],
                             .index = cut.value});
    } else if (graph.out_edges(from).size() > 1) {
      plan.events.push_back({.kind = EventKind::HashStep, .value = edge_constant[edge.index()]});
    }
    if (graph.is_live(edge) && graph.target(edge) == graph.exit()) plan.events.push_back(finish);
    plan.first.push_back(static_cast<uint32_t>(plan.events.size()));
  }
  return plan;
}

double collision_bound(uint64_t paths, uint64_t steps) {
  const auto n = static_cast<double>(paths);
  const double bound =
      n * std::max(n - 1, 0.0) / 2 * static_cast<double>(steps) / static_cast<double>(kHashModulus);
  return std::min(bound, 1.0);
}

}  // namespace mangata::numbering
