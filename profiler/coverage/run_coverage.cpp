#include "profiler/coverage/run_coverage.h"

#include <algorithm>
#include <tuple>

namespace mangata::coverage {
namespace {

bool goes_before(const CoveredFunction& a, const CoveredFunction& b) {
  return std::tie(a.line_defined, a.last_line_defined, a.key) < std::tie(b.line_defined, b.last_line_defined, b.key);
}

void merge(CoveredFunction& into, const CoveredFunction& other) {
  into.calls += other.calls;
  for (const auto& [line, hits] : other.lines) into.lines[line] += hits;
  if (into.conditions.size() < other.conditions.size()) into.conditions.resize(other.conditions.size());
  for (size_t i = 0; i < other.conditions.size(); ++i) {
    const std::array<uint64_t, 2> before = into.conditions[i].counts;
    into.conditions[i] = other.conditions[i];
    for (size_t arm = 0; arm < 2; ++arm) into.conditions[i].counts[arm] += before[arm];
  }
  merge_paths(into.paths, other.paths);
}

void merge(CoveredChunk& into, const CoveredChunk& other) {
  for (const CoveredFunction& function : other.functions) {
    const auto place = std::lower_bound(into.functions.begin(), into.functions.end(), function, goes_before);
    if (place != into.functions.end() && !goes_before(function, *place)) {
      merge(*place, function);
    } else {
      into.functions.insert(place, function);
    }
  }
}

}  // namespace

void merge_paths(std::optional<FunctionPaths>& into, const std::optional<FunctionPaths>& other) {
  if (!other) return;
  if (!into) {
    into = other;
  } else {
    add_run(&*into, *other);
  }
}

void merge(RunCoverage& into, const RunCoverage& other) {
  for (const CoveredChunk& chunk : other.chunks) {
    const auto place = std::lower_bound(into.chunks.begin(), into.chunks.end(), chunk,
                                        [](const CoveredChunk& a, const CoveredChunk& b) { return a.source < b.source; });
    if (place != into.chunks.end() && place->source == chunk.source) {
      merge(*place, chunk);
    } else {
      into.chunks.insert(place, chunk);
    }
  }
}

std::string stats_name(const std::string& source) {
  std::string name = is_file(source) ? source.substr(1) : source;
  if (name.starts_with("./")) name.erase(0, 2);
  return name;
}

Stats stats_of(const RunCoverage& run) {
  Stats stats;
  for (const CoveredChunk& chunk : run.chunks) {
    LineHits hits;
    for (const CoveredFunction& function : chunk.functions) {
      for (const auto& [line, count] : function.lines) {
        if (count != 0 && line > 0) hits[line] += count;
      }
    }
    if (!hits.empty()) add_stats(stats, {{stats_name(chunk.source), hits}});
  }
  return stats;
}

}  // namespace mangata::coverage
