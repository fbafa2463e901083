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

}  // namespace

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
