#include "profiler/page/page_function.h"

#include <algorithm>

#include "profiler/page/page_conditions.h"
#include "profiler/report.h"

namespace mangata {
namespace {

constexpr size_t kExcerptBytes = 80;
constexpr size_t kLines = 2000;

struct WeighedPath {
  const PathCount* path;
  uint64_t value;
};

std::vector<WeighedPath> paths_of(const FunctionProfile& function, ReportWeight weight) {
  std::vector<WeighedPath> paths;
  for_each_path(function, [&](const PathCount& path, const LoopProfile*) { paths.push_back({&path, value_of(cost_of(path), weight)}); });
  std::stable_sort(paths.begin(), paths.end(), [](const WeighedPath& a, const WeighedPath& b) { return a.value > b.value; });
  return paths;
}

/// Index of the condition times the number of outcomes, plus the outcome; those in front of the first that has no place on the page.
PageJson steps_json(const Path& path, const PageConditions& conditions, const PageLimits& limits) {
  PageJson steps = PageJson::array();
  for (const PathStep& step : path.steps) {
    const size_t index = conditions.index_of(step);
    if (steps.size() == limits.steps || index >= limits.conditions) break;
    steps.push_back(index * kOutcomes + static_cast<size_t>(step.outcome));
  }
  return steps;
}

PageJson path_json(const FunctionProfile& function, const WeighedPath& weighed, const PageConditions& conditions, const PageLimits& limits) {
  const PathCount& counted = *weighed.path;
  const Path& path = counted.path;
  PageJson steps = steps_json(path, conditions, limits);
  PageJson json = {{"value", weighed.value},
                   {"count", counted.count},
                   {"length", path.bytecodes},
                   {"start", describe_start(path, function.crowded_lines)},
                   {"end", describe_end(path, function.crowded_lines)},
                   {"from", std::max(path.start_line, 0)},
                   {"to", std::max(path.end_line, 0)},
                   {"steps", std::move(steps)}};
  if (json["steps"].size() < path.steps.size()) json["more"] = path.steps.size() - json["steps"].size();
  if (!path.iteration_ends.empty()) json["rounds"] = path.iteration_ends;
  json["lines"] = std::vector<int32_t>(path.lines.begin(), path.lines.begin() + static_cast<ptrdiff_t>(std::min(path.lines.size(), limits.steps)));
  if (path.repeated_bytecodes != 0) json["repeated"] = path.repeated_bytecodes;
  if (counted.allocated_bytes) json["bytes"] = *counted.allocated_bytes;
  if (counted.is_residual) json["new"] = true;
  return json;
}

PageJson conditions_json(const FunctionProfile& function, const PageConditions& conditions, const PageLimits& limits, PageSource* source) {
  PageJson list = PageJson::array();
  std::map<int32_t, size_t> of_line;
  for (const PageCondition& condition : conditions.all()) ++of_line[condition.where.line];
  for (const PageCondition& condition : conditions.all()) {
    if (list.size() == limits.conditions) break;
    const PathStep& where = condition.where;
    const std::string label = describe(where, function.crowded_lines);
    PageJson json = {where.line, where.column, where.length, label.substr(0, label.rfind(':')), condition.counts};
    if (where.column > 0 && where.length > 0 && of_line[where.line] > 1) {
      json.push_back(source->excerpt(function, where.line, where.column, static_cast<size_t>(where.length), kExcerptBytes));
    }
    list.push_back(std::move(json));
  }
  return list;
}

PageJson lines_json(const std::map<int32_t, LineRow>& lines) {
  PageJson list = PageJson::array();
  for (const auto& [line, row] : lines) {
    if (line > 0 && list.size() < kLines) list.push_back({line, row.self.count, row.self.bytecodes, row.self.nanoseconds, row.total_ns});
  }
  return list;
}

/// Windows are [count, steps, rounds], most frequent first; they may be more than those of the function's hottest paths.
PageJson loop_json(const LoopCost& cost, const PageConditions& conditions, const PageLimits& limits) {
  const FunctionProfile& function = *cost.function;
  PageJson json = {{"name", describe_start(*cost.path, function.crowded_lines)}, {"line", std::max(cost.path->start_line, 0)}, {"value", cost.value}, {"rounds", cost.rounds}};
  const auto loop = std::find_if(function.loops.begin(), function.loops.end(), [&](const LoopProfile& loop_profile) { return loop_profile.key == cost.key; });
  if (loop == function.loops.end()) return json;
  json["k"] = loop->iterations;
  json["runs"] = loop->runs;
  json["distinct"] = loop->distinct_runs;
  if (loop->runs != 0) {
    json["accuracy"] = loop->accuracy;
    json["best_k"] = loop->chosen;
  }
  json["windows"] = PageJson::array();
  std::vector<const PathCount*> windows;
  for (const PathCount& window : loop->windows) windows.push_back(&window);
  std::stable_sort(windows.begin(), windows.end(), [](const PathCount* a, const PathCount* b) { return a->count > b->count; });
  for (size_t i = 0; i < std::min(limits.windows, windows.size()); ++i) {
    const Path& path = windows[i]->path;
    PageJson steps = steps_json(path, conditions, limits);
    if (steps.size() < path.steps.size()) continue;
    json["windows"].push_back({windows[i]->count, std::move(steps), path.iteration_ends});
  }
  return json;
}

}  // namespace

void add_function_details(const FunctionScreen& screen, const FunctionProfile& function, const PageLimits& limits, PageSource* source, PageJson* json) {
  const std::map<int32_t, LineRow> lines = by_line(screen.profile, function);
  const PageConditions conditions(function);
  (*json)["file"] = source->add(function, lines);
  (*json)["line"] = function.line_defined;
  (*json)["last"] = function.last_line_defined;
  if (function.column_defined > 1 && source->is_cut(function, function.line_defined)) {
    (*json)["head"] = source->excerpt(function, function.line_defined, function.column_defined, std::string::npos, limits.line_bytes);
    (*json)["column"] = function.column_defined;
  }
  (*json)["lines"] = lines_json(lines);
  (*json)["conditions"] = conditions_json(function, conditions, limits, source);
  if (conditions.all().size() > limits.conditions) (*json)["more_conditions"] = conditions.all().size() - limits.conditions;
  PageJson& list = (*json)["paths"] = PageJson::array();
  const std::vector<WeighedPath> paths = paths_of(function, screen.path_weight);
  uint64_t left = 0;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (i < limits.paths) {
      list.push_back(path_json(function, paths[i], conditions, limits));
    } else {
      left += paths[i].value;
    }
  }
  if (paths.size() > limits.paths) (*json)["more_paths"] = {paths.size() - limits.paths, left};
  for (const LoopCost& loop : loops_of(function, screen.path_weight)) (*json)["loops"].push_back(loop_json(loop, conditions, limits));
}

}  // namespace mangata
