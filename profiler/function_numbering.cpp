#include "profiler/function_numbering.h"

#include <algorithm>

namespace mangata {
namespace {

using numbering::ActivationState;
using numbering::BlockId;
using numbering::FlowGraph;
using numbering::KLoops;
using numbering::LoopForest;

/// w and `remaining` share the lower half of the path register: k up to 16 takes five bits of it.
constexpr unsigned kWindowBits = 27;
/// Windows and the paths around them are many, but few are taken, and an array takes only the pages that are.
constexpr numbering::PathCount kPackedArrayLimit = kMostArrayPaths;
constexpr uint64_t kMostPreferredSlots = uint64_t{1} << 16;
/// Fixed, so that ids of two runs of a program are the same.
constexpr uint64_t kHashSeed = 0x6d616e67617461;

}  // namespace

std::vector<uint8_t> iterations_of_loops(const FlowGraph& graph, const LoopForest& forest, unsigned k) {
  std::vector<uint8_t> iterations(forest.size(), 1);
  for (const numbering::LoopId loop : forest.ids()) {
    if (forest[loop].innermost && numbering::can_iterate(graph, forest, loop)) {
      iterations[loop.index()] = static_cast<uint8_t>(k);
    }
  }
  return iterations;
}

numbering::Result<FunctionNumbering> number_function(const FunctionShape& shape, const ProfileOptions& options,
                                                     std::span<const numbering::PathNumber> interesting) {
  const std::vector<uint8_t> iterations = iterations_of_loops(shape.graph, LoopForest::find(shape.graph), options.iterations);
  return number_function(shape, options, iterations, interesting);
}

numbering::Result<FunctionNumbering> number_function(const FunctionShape& shape, const ProfileOptions& options,
                                                     std::span<const uint8_t> iterations,
                                                     std::span<const numbering::PathNumber> interesting) {
  const FlowGraph& graph = shape.graph;
  LoopForest forest = LoopForest::find(graph);
  // Cutting every edge leaves one path per edge and a few more, so this limit can be kept.
  const numbering::PathCount limit =
      std::max<numbering::PathCount>(options.path_limit, 2 * graph.edge_count());
  const std::vector<double> costs = event_costs(shape, forest);
  const bool is_iterated = std::any_of(iterations.begin(), iterations.end(), [](uint8_t k) { return k > 1; });
  auto plan = numbering::plan_paths(graph, forest,
                                    {.path_limit = limit,
                                     .window_path_limit = limit,
                                     .window_bits = kWindowBits,
                                     .array_limit = options.array_limit.value_or(is_iterated ? kPackedArrayLimit : numbering::kDefaultArrayLimit),
                                     .edge_weights = costs,
                                     .iterations = iterations,
                                     .interesting = interesting});
  if (!plan) return plan.error();
  // The largest number is a mark of free slots.
  if (plan->preferential && (plan->preferential->table_size > kMostPreferredSlots || plan->path_count() > UINT32_MAX)) {
    return numbering::NumberingError{numbering::ErrorKind::PathLimit};
  }
  if (plan->truncated && options.many_paths == ManyPaths::Refuse) return numbering::NumberingError{numbering::ErrorKind::PathLimit};
  FunctionNumbering result{std::move(*plan), {}, {iterations.begin(), iterations.end()}};
  if (result.plan.truncated && options.many_paths == ManyPaths::Hash) {
    numbering::EventPlan events = numbering::plan_hashed_paths(graph, forest, kHashSeed);
    result.hashed = HashedPaths{std::move(forest), std::move(events)};
  }
  return result;
}

ActivationState FunctionNumbering::unpack(BlockId block, uint64_t word) const {
  if (!is_packed()) return {.path = static_cast<int64_t>(word)};
  // The word is whole again once the potentials have been added; what the state holds is without them.
  const size_t around = plan.k_loops.around(block);
  ActivationState state;
  if (around != KLoops::kOutside) {
    const numbering::WindowLoop& loop = plan.windows[around];
    const unsigned bits = loop.k * loop.digit_bits;
    const auto potential = static_cast<uint64_t>(loop.chords.potential[loop.node_of(block).index()])
                           << (bits - loop.digit_bits);
    word += potential;
    state.window = static_cast<int64_t>((word & ((uint64_t{1} << bits) - 1)) - potential);
    state.completed = loop.k - static_cast<uint32_t>((word & UINT32_MAX) >> bits);
    if (state.completed == loop.k) return state;
    word >>= 32;
  }
  const auto potential = static_cast<uint64_t>(plan.chords.potential[plan.dag.node_of(block).index()]);
  state.path = static_cast<int64_t>(((word + potential) & UINT32_MAX) - potential);
  return state;
}

}  // namespace mangata
