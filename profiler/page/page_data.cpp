#include "profiler/page/page_data.h"

#include <algorithm>

#include "profiler/model/profile_words.h"
#include "profiler/page/page_cut.h"
#include "profiler/page/page_function.h"
#include "profiler/report.h"
#include "profiler/selection.h"

namespace mangata {
namespace {

PageJson runs_of(const std::vector<RunInfo>& runs) {
  constexpr size_t kListed = 20;
  PageJson list = PageJson::array();
  for (const RunInfo& run : runs) {
    if (list.size() == kListed) break;
    std::string command;
    for (const std::string& word : run.command_line) command += (command.empty() ? "" : " ") + word;
    list.push_back({{"command", cut_text(command, kLongestCommand)}, {"date", run.date}, {"version", run.version}, {"policy", run.policy}});
    if (run.exit_status) list.back()["exit_status"] = *run.exit_status;
  }
  return list;
}

PageJson time_of(const TimeProfile& time) {
  return {{"samples", time.samples}, {"period", time.mean_period_ns}, {"thread", time.thread_ns}, {"wall", time.wall_ns}, {"waiting", time.waiting_ns}, {"compile", time.compile_thread_ns}, {"invalid", time.invalid_samples}};
}

PageJson cost_json(const Cost& cost) {
  return {cost.count, cost.bytecodes, cost.nanoseconds, cost.samples, cost.allocated_bytes, cost.allocated_objects};
}

PageJson function_json(const FunctionScreen& screen, const PageRow& page_row) {
  const FunctionRow& row = page_row.row;
  PageJson json = {{"name", cut_text(row.name, kLongestName)}, {"place", cut_text(row.place, kLongestName)}, {"kind", kFrameWords.of(row.kind)}, {"value", value_of(row, screen.options.weight)}, {"self", cost_json(row.self)}, {"total", row.total.nanoseconds}};
  if (screen.by_time()) json["error"] = standard_error_percent(row.self.samples, screen.sum.samples);
  if (!page_row.is_listed) json["unlisted"] = true;
  return json;
}

PageJson difference_json(const PageDifference& difference, const PageLimits& limits) {
  const auto value = [&](const Cost& cost) { return value_of(cost, difference.weight); };
  PageJson functions = PageJson::array();
  for (const FunctionDifference& function : difference.found.functions) {
    if (functions.size() == limits.changes) break;
    PageJson paths = PageJson::array();
    std::vector<PathDifference> sorted = function.paths;
    std::stable_sort(sorted.begin(), sorted.end(), [&](const PathDifference& a, const PathDifference& b) {
      return size_of_change(a.before, a.after, difference.weight) > size_of_change(b.before, b.after, difference.weight);
    });
    for (size_t i = 0; i < std::min(limits.paths, sorted.size()); ++i) {
      const PathDifference& path = sorted[i];
      paths.push_back({fate_text(path.fate), value(path.before), value(path.after), path.before.count, path.after.count,
                       describe(path.path->path, path.function->crowded_lines)});
    }
    functions.push_back({{"name", cut_text(function.name, kLongestName)},
                         {"place", cut_text(function.place, kLongestName)},
                         {"fate", fate_text(function.fate)},
                         {"before", value(function.before)},
                         {"after", value(function.after)},
                         {"calls", {function.before.count, function.after.count}},
                         {"paths", std::move(paths)}});
    if (sorted.size() > limits.paths) functions.back()["more"] = sorted.size() - limits.paths;
  }
  return {{"weight", name_of(difference.weight)},
          {"base", runs_of(difference.before.runs)},
          {"before", value(difference.found.before)},
          {"after", value(difference.found.after)},
          {"differing", difference.found.functions.size()},
          {"functions", std::move(functions)}};
}

}  // namespace

std::string page_data(const PageInput& input, const PageLimits& limits) {
  const RunProfile& profile = input.profile;
  const FunctionScreen screen(profile, input.options);
  ReportOptions of_paths = screen.options;
  of_paths.weight = screen.path_weight;
  const Selection selection = select_paths(profile.paths, of_paths, /*default_top=*/0);
  const PageRows rows(screen, limits);
  PageSource source(profile.paths.chunks, limits);
  PageJson functions = PageJson::array();
  for (const PageRow& row : rows.rows()) {
    functions.push_back(function_json(screen, row));
    if (row.row.function != nullptr && row.is_listed) add_function_details(screen, *row.row.function, limits, &source, &functions.back());
  }
  PageJson data = {{"weight", name_of(screen.options.weight)},
                   {"path_weight", name_of(screen.path_weight)},
                   {"order", cost_text(screen)},
                   {"k", profile.paths.iterations},
                   {"allocations", profile.has_allocations},
                   {"runs", runs_of(profile.runs)},
                   {"run_count", profile.runs.size()},
                   {"totals",
                    {{"value", screen.total},
                     {"path_value", screen.path_total},
                     {"completed", selection.completed},
                     {"distinct", selection.distinct},
                     {"cut", selection.cut},
                     {"functions", profile.paths.functions.size()},
                     {"bytecodes", selection.bytecodes},
                     {"bytes", screen.sum.allocated_bytes},
                     {"objects", screen.sum.allocated_objects}}},
                   {"left_out", {{"functions", rows.unlisted()}, {"value", rows.unlisted_value()}, {"undrawn", rows.undrawn_ns()}, {"sources", source.left_out()}}},
                   {"functions", std::move(functions)},
                   {"calls", rows.calls()},
                   {"files", source.json()}};
  if (profile.paths.is_estimate) data["estimate"] = true;
  if (const LeftOutPaths& left_out = profile.paths.left_out; left_out.paths != 0) data["rarest"] = {left_out.paths, left_out.executions};
  if (screen.has_time()) data["time"] = time_of(*profile.time);
  if (input.difference != nullptr) data["difference"] = difference_json(*input.difference, limits);
  return data.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

}  // namespace mangata
