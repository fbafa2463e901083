#include "profiler/sampled_function.h"

#include <algorithm>

namespace mangata {
namespace {

/// Calls `visit(key, count in a, count in b)` for each key of either list.
template <typename Visit>
void merge(const CounterList& a, const CounterList& b, Visit visit) {
  auto in_a = a.begin();
  auto in_b = b.begin();
  while (in_a != a.end() || in_b != b.end()) {
    const bool has_a = in_a != a.end() && (in_b == b.end() || in_a->first <= in_b->first);
    const bool has_b = in_b != b.end() && (in_a == a.end() || in_b->first <= in_a->first);
    visit(has_a ? in_a->first : in_b->first, has_a ? in_a->second : 0, has_b ? in_b->second : 0);
    if (has_a) ++in_a;
    if (has_b) ++in_b;
  }
}

const CounterList& window(const CounterLists& lists, size_t index) {
  static const CounterList kEmpty;
  return index < lists.windows.size() ? lists.windows[index] : kEmpty;
}

CounterList difference(const CounterList& later, const CounterList& earlier) {
  CounterList result;
  merge(later, earlier, [&](uint64_t key, uint64_t after, uint64_t before) {
    if (after > before) result.emplace_back(key, after - before);
  });
  return result;
}

uint64_t sum_of(const CounterList& list) {
  uint64_t sum = 0;
  for (const auto& [key, count] : list) sum += count;
  return sum;
}

constexpr double kResolution = 1024;  ///< of estimates

/// Rounded, but not to 0.
CounterList rounded(const std::map<uint64_t, double>& weights) {
  CounterList list;
  for (const auto& [key, weight] : weights) list.emplace_back(key, static_cast<uint64_t>(weight * kResolution + 1));
  return list;
}

/// The estimate of a layer with the phase that is not over, `counted` by then.
WeightedCounts with_phase(WeightedCounts estimate, const SampledFunction& function, const CounterLists& counted) {
  const uint64_t sum = sum_of(counted);
  if (sum != 0) estimate.add(counted, static_cast<double>(function.so_far.events - function.phase_start) / static_cast<double>(sum));
  return estimate;
}

/// Whether there is more than one way through an iteration. From every block of the body some way leads on to a backedge.
bool has_choice(const numbering::FlowGraph& graph, const std::vector<numbering::BlockId>& body) {
  return std::any_of(body.begin(), body.end(), [&](numbering::BlockId block) {
    const auto edges = graph.out_edges(block);
    return std::count_if(edges.begin(), edges.end(), [&](numbering::EdgeId edge) {
             return std::binary_search(body.begin(), body.end(), graph.target(edge));
           }) > 1;
  });
}

}  // namespace

void WeightedCounts::add(const CounterLists& counted, double weight) {
  for (const auto& [key, count] : counted.paths) paths[key] += weight * static_cast<double>(count);
  windows.resize(std::max(windows.size(), counted.windows.size()));
  for (size_t i = 0; i < counted.windows.size(); ++i) {
    for (const auto& [slot, count] : counted.windows[i]) windows[i][slot] += weight * static_cast<double>(count);
  }
}

void forget(SampledFunction& function) {
  for (const auto& layer : function.layers) {
    CounterLists now = counters_of(layer->record.counters);
    layer->estimate = with_phase(std::move(layer->estimate), function, difference(now, layer->baseline));
    layer->baseline = std::move(now);
  }
  function.phase_start = function.so_far.events;
}

CounterLists estimate(const SampledFunction& function, const SampledLayer& layer) {
  const CounterLists counted = difference(counters_of(layer.record.counters), layer.baseline);
  const WeightedCounts weights = with_phase(layer.estimate, function, counted);
  CounterLists lists{.paths = rounded(weights.paths), .windows = {}};
  for (const auto& window : weights.windows) lists.windows.push_back(rounded(window));
  return lists;
}

SampledFunction::SampledFunction(FunctionIdentity of_function, FunctionShape function_shape)
    : identity(std::move(of_function)), shape(std::move(function_shape)), loops(numbering::LoopForest::find(shape.graph)) {
  is_straight = true;
  for (const numbering::LoopId id : loops.ids()) {
    if (can_iterate(*this, id) && has_choice(shape.graph, loops.body(shape.graph, id))) is_straight = false;
  }
}

bool can_iterate(const SampledFunction& function, numbering::LoopId loop) {
  return function.loops[loop].innermost && numbering::can_iterate(function.shape.graph, function.loops, loop);
}

CounterLists difference(const CounterLists& later, const CounterLists& earlier) {
  CounterLists result{.paths = difference(later.paths, earlier.paths), .windows = {}};
  for (size_t i = 0; i < later.windows.size(); ++i) {
    result.windows.push_back(difference(later.windows[i], window(earlier, i)));
  }
  return result;
}

uint64_t sum_of(const CounterLists& counters) {
  uint64_t sum = sum_of(counters.paths);
  for (const CounterList& list : counters.windows) sum += sum_of(list);
  return sum;
}

double overlap(const CounterLists& a, const CounterLists& b) {
  const auto total_a = static_cast<double>(sum_of(a)), total_b = static_cast<double>(sum_of(b));
  if (total_a == 0 || total_b == 0) return 1;
  double sum = 0;
  const auto add = [&](uint64_t, uint64_t in_a, uint64_t in_b) {
    sum += std::min(static_cast<double>(in_a) / total_a, static_cast<double>(in_b) / total_b);
  };
  merge(a.paths, b.paths, add);
  for (size_t i = 0; i < a.windows.size(); ++i) merge(a.windows[i], window(b, i), add);
  return sum;
}

}  // namespace mangata
