#include "profiler/selection.h"

#include <algorithm>

#include "profiler/glob.h"
#include "profiler/model/views.h"

namespace mangata {
namespace {

/// A stable order, so that equal programs give equal reports.
bool is_heavier(const SelectedPath& a, const SelectedPath& b) { return a.weight > b.weight; }

}  // namespace

bool passes_filters(std::string_view function, std::string_view file, const ReportOptions& options) {
  return (options.function_glob.empty() || glob_matches(options.function_glob, function)) &&
         (options.file_glob.empty() || glob_matches(options.file_glob, file));
}

Selection select_paths(const PathProfile& profile, const ReportOptions& options, size_t default_top, uint64_t whole) {
  Selection selection;
  selection.completed = profile.left_out.executions;
  if (options.weight == ReportWeight::Count) selection.total_weight = profile.left_out.executions;
  for (const FunctionProfile& function : profile.functions) {
    for_each_path(function, [&](const PathCount& path, const LoopProfile*) {
      ++selection.distinct;
      selection.completed += path.count;
      selection.bytecodes += path.count * path.path.new_bytecodes();
      selection.total_weight += value_of(cost_of(path), options.weight);
    });
    for (const CutPath& path : function.cut_paths) selection.cut += path.count;
  }
  if (whole != 0) selection.total_weight = whole;
  for (const FunctionProfile& function : profile.functions) {
    if (!passes_filters(function.name, function.file, options)) continue;
    if (profile.baseline && !function.in_baseline) selection.new_functions.push_back(&function);
    for_each_path(function, [&](const PathCount& path, const LoopProfile* loop) {
      const uint64_t weight = value_of(cost_of(path), options.weight);
      const double percent = 100.0 * static_cast<double>(weight) / static_cast<double>(std::max<uint64_t>(selection.total_weight, 1));
      if (path.is_residual) selection.residual.push_back({&function, &path, loop, path.count, percent});
      if (percent >= options.minimum_percent) selection.paths.push_back({&function, &path, loop, weight, percent});
    });
    for (const CutPath& path : function.cut_paths) selection.cut_paths.push_back({&function, &path, nullptr, path.count, 0});
    for (const LoopProfile& loop : function.loops) {
      if (loop.backedges != 0) selection.loops.push_back({&function, &loop});
    }
  }
  std::stable_sort(selection.loops.begin(), selection.loops.end(),
                   [](const SelectedLoop& a, const SelectedLoop& b) { return a.loop->runs > b.loop->runs; });
  std::stable_sort(selection.paths.begin(), selection.paths.end(), is_heavier);
  std::stable_sort(selection.cut_paths.begin(), selection.cut_paths.end(), is_heavier);
  std::stable_sort(selection.residual.begin(), selection.residual.end(), is_heavier);
  selection.matching = selection.paths.size();
  const size_t top = options.top != 0 ? options.top : default_top;
  if (top != 0 && selection.paths.size() > top) selection.paths.resize(top);
  for (const SelectedPath& path : selection.paths) selection.shown_percent += path.percent;
  return selection;
}

}  // namespace mangata
