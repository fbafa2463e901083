#include "profiler/report_functions.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "profiler/report.h"
#include "profiler/selection.h"
#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kFunctions = 20;
constexpr size_t kFunctionsWithPaths = 10;
constexpr size_t kPaths = 20;  ///< shared among the functions that are hot, but at least the next for each
constexpr size_t kPathsOfFunction = 5;
constexpr size_t kLoops = 10;
constexpr size_t kFiles = 10;
/// Functions below this share have no paths on the first screen.
constexpr double kWorthPaths = 1;

/// "12.3 ms", or the number.
std::string value_text(uint64_t value, ReportWeight weight) {
  return weight == ReportWeight::Time ? milliseconds_text(value) : std::to_string(value);
}

uint64_t weight_of(const PathCount& path, ReportWeight weight) {
  return value_of(cost_of(path), weight);
}

std::string others(size_t count, size_t listed, const char* noun) {
  return count > listed ? "  ... and " + plural(count - listed, noun) + "\n" : "";
}

struct WeighedPath {
  const PathCount* path;
  uint64_t value;
};

std::vector<WeighedPath> paths_of(const FunctionProfile& function, ReportWeight weight) {
  std::vector<WeighedPath> paths;
  for_each_path(function, [&](const PathCount& path, const LoopProfile*) { paths.push_back({&path, weight_of(path, weight)}); });
  std::stable_sort(paths.begin(), paths.end(), [](const WeighedPath& a, const WeighedPath& b) { return a.value > b.value; });
  return paths;
}

/// In front of estimates.
const char* mark_of(const FunctionScreen& screen) { return screen.path_weight == ReportWeight::Time ? "~" : ""; }

/// What a path of a function cost, in the columns of its table.
std::vector<std::string> path_row(const FunctionScreen& screen, const FunctionProfile& function, const WeighedPath& weighed) {
  const PathCount& path = *weighed.path;
  const char* const about = mark_of(screen);
  std::vector<std::string> row = {about + value_text(weighed.value, screen.path_weight), about + percent_text(screen.path_percent(weighed.value)),
                                  std::to_string(path.count), std::to_string(path.path.bytecodes)};
  if (screen.profile.has_allocations) {
    row.push_back(std::to_string(path.allocated_bytes.value_or(0)));
    row.push_back(std::to_string(path.allocated_objects.value_or(0)));
  }
  row.push_back(describe(path.path, function.crowded_lines));
  return row;
}

std::string paths_of_function(const FunctionScreen& screen, const FunctionRow& row, size_t most) {
  std::vector<std::string> headings = {"flat", "flat%", "count", "length"};
  if (screen.profile.has_allocations) headings.insert(headings.end(), {"bytes", "objects"});
  const size_t numbers = headings.size();
  headings.push_back("path");
  TextTable table(headings, numbers);
  const std::vector<WeighedPath> paths = paths_of(*row.function, screen.path_weight);
  size_t shown = 0;
  uint64_t left = 0;
  for (const WeighedPath& path : paths) {
    if (shown < most && screen.path_percent(path.value) >= screen.options.minimum_percent) {
      table.add(path_row(screen, *row.function, path));
      ++shown;
    } else {
      left += path.value;
    }
  }
  if (shown == 0) return {};
  std::string text = "\n" + printable(row.name) + " (" + printable(row.place) + ")\n" + table.text();
  if (paths.size() > shown) {
    text += "  ... and " + plural(paths.size() - shown, "other path") + ", " + percent_text(screen.path_percent(left)) + "\n";
  }
  if (row.function->left_out != 0) text += "  ... and rarer paths that are left out, which ran " + plural(row.function->left_out, "time") + "\n";
  return text;
}

}  // namespace

std::vector<LoopCost> loops_of(const FunctionProfile& function, ReportWeight weight) {
  std::map<std::string, LoopCost> loops;
  for_each_path(function, [&](const PathCount& counted, const LoopProfile*) {
    const Path& path = counted.path;
    if (path.start != PathStart::Loop) return;
    LoopCost& loop = loops.try_emplace(path.key.substr(0, path.key.find(':')), LoopCost{&function, &path}).first->second;
    loop.value += weight_of(counted, weight);
    loop.rounds += counted.count;
  });
  std::vector<LoopCost> list;
  for (const auto& [key, loop] : loops) {
    list.push_back(loop);
    list.back().key = key;
  }
  return list;
}

namespace {

/// Where much of the time elapsed is neither the thread's nor waiting: other processes had the processors.
std::string ready_text(const TimeProfile& time) {
  const uint64_t known = time.thread_ns + time.waiting_ns;
  const uint64_t rest = time.wall_ns > known ? time.wall_ns - known : 0;
  return rest > time.wall_ns / 20 ? ", ready while others ran " + milliseconds_text(rest) : "";
}

}  // namespace

FunctionScreen::FunctionScreen(const RunProfile& run, const ReportOptions& wanted) : profile(run), options(wanted), rows(by_function(run)) {
  options.weight = effective_weight(wanted.weight, run);
  sort_rows(rows, options.weight);
  total = total_of(rows, options.weight);
  sum = sum_of(rows);
  bool has_path_times = false;
  for (const FunctionProfile& function : run.paths.functions) {
    for_each_path(function, [&](const PathCount& path, const LoopProfile*) { has_path_times |= path.nanoseconds.has_value(); });
  }
  path_weight = options.weight == ReportWeight::Time && !has_path_times ? ReportWeight::Bytecodes : options.weight;
  if (path_weight == ReportWeight::Time) {
    path_total = total;  // of which paths are a part only: there are also the collector and functions of C
  } else {
    if (path_weight == ReportWeight::Count) path_total = run.paths.left_out.executions;
    for (const FunctionProfile& function : run.paths.functions) {
      for_each_path(function, [&](const PathCount& path, const LoopProfile*) { path_total += weight_of(path, path_weight); });
    }
  }
  for (const FunctionRow& row : rows) {
    const bool is_empty = row.function == nullptr && value_of(row, options.weight) == 0 && value_of(row.total, options.weight) == 0;
    if (!is_empty && passes_filters(row.name, row.file, options)) shown.push_back(row);
  }
}

double FunctionScreen::path_percent(uint64_t value) const {
  return 100.0 * static_cast<double>(value) / static_cast<double>(std::max<uint64_t>(path_total, 1));
}

double FunctionScreen::percent(uint64_t value) const {
  return 100.0 * static_cast<double>(value) / static_cast<double>(std::max<uint64_t>(total, 1));
}

std::string cost_text(const FunctionScreen& screen) {
  const auto& time = screen.profile.time;
  std::string text;
  if (screen.has_time()) {
    text = "Processor time: " + milliseconds_text(time->thread_ns) + ", in " + plural(time->samples, "sample") + ", one each " +
           milliseconds_text(time->mean_period_ns) + "; " + plural(time->invalid_samples, "sample") + " invalid. Elapsed: " +
           milliseconds_text(time->wall_ns) + ", waiting " + milliseconds_text(time->waiting_ns) + ready_text(*time) + "; compile thread " +
           milliseconds_text(time->compile_thread_ns) + ".\n";
  }
  const bool is_whole = screen.profile.paths.left_out.paths == 0;
  const std::string all = (is_whole ? "" : "at least ") + value_text(screen.total, screen.options.weight);
  const std::string exactly = is_whole ? ", exact" : "";
  switch (screen.options.weight) {
    case ReportWeight::Count: return text + "Ordered by completed paths (" + all + ").\n";
    case ReportWeight::Bytes: return text + "Ordered by bytes allocated (" + all + exactly + ").\n";
    case ReportWeight::Objects: return text + "Ordered by objects allocated (" + all + exactly + ").\n";
    case ReportWeight::Time:
      return text +
             "Ordered by processor time. ± is one standard error of flat%. Neighbours that differ by less than four of them, which is two standard\n"
             "errors of the difference between two runs, may change places in another run. ~ marks estimates: the time of a function split among\n"
             "its paths.\n";
    default: break;
  }
  text += "Ordered by bytecodes executed (" + all + exactly + ")";
  if (time && screen.profile.time->samples < kEnoughSamples) {
    text += ": " + std::to_string(kEnoughSamples) + " samples of processor time would order by that";
  }
  return text + ".\n";
}

std::string function_table(const FunctionScreen& screen) {
  const bool has_time = screen.has_time();
  std::vector<std::string> headings = {"flat", "flat%", "sum%"};
  if (screen.by_time()) headings.insert(headings.begin() + 2, "±");
  if (has_time) headings.insert(headings.end(), {screen.by_time() ? "cum" : "time", screen.by_time() ? "cum%" : "cum"});
  headings.push_back("calls");
  if (screen.profile.has_allocations) headings.insert(headings.end(), {"bytes", "objects"});
  const size_t numbers = headings.size();
  headings.insert(headings.end(), {"function", "file:line"});
  TextTable table(headings, numbers);
  const size_t most = screen.options.top != 0 ? screen.options.top : kFunctions;
  const auto at_least = [](const FunctionRow& row) { return std::string(row.function != nullptr && row.function->left_out != 0 ? "≥" : ""); };
  double sum = 0;
  size_t listed = 0;
  for (const FunctionRow& row : screen.shown) {
    const uint64_t value = value_of(row, screen.options.weight);
    const double percent = screen.percent(value);
    if (listed == most || percent < screen.options.minimum_percent) break;
    ++listed;
    sum += percent;
    std::vector<std::string> cells = {(screen.by_time() ? "" : at_least(row)) + value_text(value, screen.options.weight), percent_text(percent),
                                      percent_text(sum)};
    if (screen.by_time()) cells.insert(cells.begin() + 2, tenths_text(standard_error_percent(row.self.samples, screen.sum.samples)));
    if (has_time) {
      cells.push_back(milliseconds_text(screen.by_time() ? row.total.nanoseconds : row.self.nanoseconds));
      cells.push_back(screen.by_time() ? percent_text(screen.percent(row.total.nanoseconds)) : milliseconds_text(row.total.nanoseconds));
    }
    cells.push_back(row.kind == FrameKind::Lua ? at_least(row) + std::to_string(row.self.count) : "");
    if (screen.profile.has_allocations) {
      cells.insert(cells.end(), {std::to_string(row.self.allocated_bytes), std::to_string(row.self.allocated_objects)});
    }
    cells.insert(cells.end(), {row.function != nullptr ? short_name(*row.function) : row.name, row.place});
    table.add(std::move(cells));
  }
  return table.text() + others(screen.shown.size(), listed, "other");
}

std::string loop_costs(const FunctionScreen& screen) {
  std::vector<LoopCost> loops;
  for (const FunctionRow& row : screen.shown) {
    if (row.function == nullptr) continue;
    for (const LoopCost& loop : loops_of(*row.function, screen.path_weight)) loops.push_back(loop);
  }
  std::stable_sort(loops.begin(), loops.end(), [](const LoopCost& a, const LoopCost& b) { return a.value > b.value; });
  if (loops.empty()) return {};
  TextTable table({"flat", "flat%", "rounds", "function", "file:line", "loop"}, 3);
  const size_t listed = std::min(kLoops, loops.size());
  for (size_t i = 0; i < listed; ++i) {
    const LoopCost& loop = loops[i];
    const char* const about = mark_of(screen);
    table.add({about + value_text(loop.value, screen.path_weight), about + percent_text(screen.path_percent(loop.value)), std::to_string(loop.rounds),
               short_name(*loop.function), describe_place(*loop.function), describe_start(*loop.path, loop.function->crowded_lines)});
  }
  return "\nLoops. Of a stay of n rounds n-1 are counted here: the first belongs to the path that entered the loop.\n" + table.text() +
         others(loops.size(), listed, "other");
}

std::string paths_by_function(const FunctionScreen& screen) {
  const size_t most_functions = screen.options.top != 0 ? screen.options.top : kFunctionsWithPaths;
  const auto hot = static_cast<size_t>(std::count_if(screen.shown.begin(), screen.shown.end(), [&](const FunctionRow& row) {
    return row.function != nullptr && screen.percent(value_of(row, screen.options.weight)) >= kWorthPaths;
  }));
  const size_t most_paths = screen.options.top != 0 ? screen.options.top : std::max(kPathsOfFunction, kPaths / std::max<size_t>(hot, 1));
  std::string text;
  size_t functions = 0;
  for (const FunctionRow& row : screen.shown) {
    if (row.function == nullptr) continue;
    const double percent = screen.percent(value_of(row, screen.options.weight));
    if (functions == most_functions || (functions != 0 && screen.options.top == 0 && percent < kWorthPaths)) break;
    const std::string paths = paths_of_function(screen, row, most_paths);
    functions += !paths.empty();
    text += paths;
  }
  if (text.empty()) return {};
  const std::string order = screen.path_weight == screen.options.weight ? "" : " (by " + std::string(name_of(screen.path_weight)) + ")";
  return "\nThe hottest paths of the hottest functions" + order +
         ". A path is one way through a function: from its entry, or the start of a loop's next\n"
         "round, to its return or the next round. 33:T says that the condition in line 33 held, 33:F that it did not (33:14:F: that at\n"
         "column 14, where the line has several); loop, done, enter and skip are the outcomes of `for`. length is the number of bytecodes.\n" +
         text;
}

std::string file_table(const FunctionScreen& screen) {
  const std::vector<FileRow> files = by_file(screen.shown, screen.options.weight);
  if (files.size() < 2) return {};
  TextTable table({"flat", "flat%", "functions", "file"}, 3);
  const size_t listed = std::min(kFiles, files.size());
  for (size_t i = 0; i < listed; ++i) {
    table.add({value_text(files[i].value, screen.options.weight), percent_text(screen.percent(files[i].value)),
               std::to_string(files[i].functions), files[i].file});
  }
  return "\nBy file:\n" + table.text() + others(files.size(), listed, "other");
}

}  // namespace mangata
