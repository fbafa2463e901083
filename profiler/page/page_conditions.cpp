#include "profiler/page/page_conditions.h"

#include <algorithm>

#include "profiler/model/views.h"

namespace mangata {
namespace {

/// Steps in front of this one are in rounds that the path before has as well: of a path that begins at a loop over k rounds, the first k-1.
size_t first_new_step(const FunctionProfile& function, const Path& path) {
  if (path.start != PathStart::Loop || path.iteration_ends.empty()) return 0;
  const std::string loop_key = path.key.substr(0, path.key.find(':'));
  const auto loop = std::find_if(function.loops.begin(), function.loops.end(), [&](const LoopProfile& loop_profile) { return loop_profile.key == loop_key; });
  const size_t repeated = loop == function.loops.end() || loop->iterations < 2 ? 0 : loop->iterations - 1;
  return repeated == 0 ? 0 : path.iteration_ends[std::min(repeated, path.iteration_ends.size()) - 1];
}

}  // namespace

PageConditions::PageConditions(const FunctionProfile& function) {
  std::map<Key, PageCondition> found;
  const auto add = [&](const PathCount& counted, bool is_completed) {
    const size_t first = first_new_step(function, counted.path);
    for (size_t i = 0; i < counted.path.steps.size(); ++i) {
      const PathStep& step = counted.path.steps[i];
      PageCondition& condition = found[key_of(step)];
      condition.where = step;
      if (is_completed && i >= first) condition.counts[static_cast<size_t>(step.outcome)] += counted.count;
    }
  };
  for_each_path(function, [&](const PathCount& path, const LoopProfile*) { add(path, true); });
  for (const CutPath& path : function.cut_paths) add(path, false);
  for (const auto& [key, condition] : found) {
    places_.emplace(key, conditions_.size());
    conditions_.push_back(condition);
  }
}

}  // namespace mangata
