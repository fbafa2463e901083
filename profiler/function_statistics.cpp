#include "profiler/function_statistics.h"

#include <algorithm>
#include <map>
#include <set>

#include "profiler/iteration_runs.h"
#include "profiler/path_translator.h"

namespace mangata {
namespace {

using numbering::LoopId;

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// How often each way through an iteration ran, going by the last iteration of each run.
void add_shares(const numbering::WindowCounts& runs, LoopStatistics* loop) {
  std::map<uint64_t, uint64_t> by_way;
  for (const auto& [iterations, count] : runs.windows) by_way[iterations.back()] += count;
  std::vector<uint64_t> counts;
  for (const auto& [way, count] : by_way) counts.push_back(count);
  std::sort(counts.rbegin(), counts.rend());
  if (!counts.empty()) loop->top_share = share(counts[0], loop->iterations);
  if (counts.size() > 1) loop->second_share = share(counts[1], loop->iterations);
}

LoopStatistics loop_statistics(const SampledFunction& function, const SampledLayer& layer, const FlowsByLoop& flows,
                               LoopId id, const PathTranslator& translator) {
  const FunctionRecord& record = layer.record;
  LoopStatistics loop;
  loop.line = translator.loop_line(id);
  loop.can_iterate = can_iterate(function, id);
  // A truncated numbering has rows behind those of the loops.
  loop.k = id.index() < record.numbering.loops().size() ? record.numbering.iterations(id) : 1;
  const RunsOfIterations runs(record, id, flows);
  loop.iterations = runs.total();
  loop.distinct = static_cast<uint32_t>(runs.distinct());
  loop.accuracy = runs.accuracy();
  add_shares(runs.counts(), &loop);
  return loop;
}

/// Executions of paths that have no slot in the compact table.
uint64_t residual_of(const PathCounters& counters, const CounterLists& counted) {
  const std::set<uint64_t> preferred(counters.preferred.begin(), counters.preferred.end());
  uint64_t residual = 0;
  for (const auto& [number, count] : counted.paths) {
    if (!preferred.contains(number)) residual += count;
  }
  return residual;
}

}  // namespace

FunctionStatistics take_statistics(SampledFunction& function, size_t hottest) {
  FunctionStatistics result;
  if (function.current == nullptr || hottest == 0) {
    for (const LoopId id : function.loops.ids()) {
      LoopStatistics& loop = result.loops.emplace_back();
      loop.line = line_of_loop(function.shape, function.loops[id]);
      loop.can_iterate = can_iterate(function, id);
    }
  }
  if (function.current == nullptr) return result;
  SampledLayer& layer = *function.current;
  const FunctionRecord& record = layer.record;
  CounterLists now = counters_of(record.counters);
  const CounterLists since = difference(now, layer.before);
  const CounterLists counted = difference(now, layer.baseline);
  result.possible_paths = record.numbering.hashed ? 0 : record.numbering.plan.path_count();
  result.is_hashed = record.numbering.events().paths.kind == numbering::TableKind::Hash;
  result.distinct = static_cast<uint32_t>(counted.paths.size());
  for (const CounterList& window : counted.windows) result.distinct += static_cast<uint32_t>(window.size());
  result.executions = sum_of(counted);
  result.executions_since = sum_of(since);
  if (!record.counters.preferred.empty()) result.residual = residual_of(record.counters, since);
  result.stability = overlap(since, difference(layer.before, layer.baseline));
  layer.before = std::move(now);
  if (hottest == 0) return result;

  const CountedFlows flows = flows_of(record, counted);
  const PathTranslator translator(record);
  const FlowsByLoop by_loop(flows);
  for (const LoopId id : function.loops.ids()) result.loops.push_back(loop_statistics(function, layer, by_loop, id, translator));
  std::vector<const CountedFlow*> hot;
  for (const CountedFlow& flow : flows.paths) hot.push_back(&flow);
  for (const auto& window : flows.windows) {
    for (const CountedFlow& flow : window) hot.push_back(&flow);
  }
  const size_t shown = std::min(hottest, hot.size());
  std::partial_sort(hot.begin(), hot.begin() + static_cast<ptrdiff_t>(shown), hot.end(),
                    [](const CountedFlow* a, const CountedFlow* b) { return a->count > b->count; });
  for (size_t i = 0; i < shown; ++i) {
    const Path path = translator.translate(hot[i]->path);
    result.hottest.push_back({hot[i]->count, path.bytecodes, path.key});
  }
  if (!result.hottest.empty()) result.top_share = share(result.hottest.front().count, result.executions);
  return result;
}

}  // namespace mangata
