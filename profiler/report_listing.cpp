#include "profiler/report_listing.h"

#include <algorithm>
#include <cstdio>

#include "profiler/glob.h"
#include "profiler/report.h"
#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kListedPaths = 5;
constexpr size_t kWidth = 100;
constexpr size_t kExcerptsPerLine = 20;

/// The branch outcomes in `line`, in the order of the path: "T", "T F", "loop"; "T|F" in two rounds of a loop.
std::string margin_of(const Path& path, int32_t line) {
  std::string margin;
  size_t round = 0;
  for (size_t i = 0; i < path.steps.size(); ++i) {
    const size_t previous_round = round;
    while (round < path.iteration_ends.size() && path.iteration_ends[round] <= i) ++round;
    if (path.steps[i].line != line) {
      round = previous_round;
      continue;
    }
    if (!margin.empty()) margin += round != previous_round ? '|' : ' ';
    margin += outcome_name(path.steps[i].outcome);
  }
  return margin;
}

std::string row(const std::string& margin, const std::string& line, std::string_view text) {
  char prefix[96];
  std::snprintf(prefix, sizeof prefix, "  %8s %6s | ", margin.c_str(), line.c_str());
  return prefix + printable(text, kWidth) + "\n";
}

/// Of a line that is too long to be shown: the conditions on the path, each with its text.
std::string excerpts(const Path& path, int32_t line, std::string_view text) {
  std::string rows;
  size_t listed = 0, all = 0;
  for (const PathStep& step : path.steps) {
    if (step.line != line || step.column <= 0 || static_cast<size_t>(step.column) > text.size()) continue;
    if (++all > kExcerptsPerLine) continue;
    ++listed;
    rows += row(outcome_name(step.outcome), std::to_string(line) + ":" + std::to_string(step.column),
                text.substr(static_cast<size_t>(step.column) - 1, static_cast<size_t>(std::max(step.length, 1))));
  }
  if (all > listed) rows += "                 ... and " + plural(all - listed, "condition") + " more\n";
  return rows;
}

/// Of a line that is too long to be shown and that the path begins in: from its loop or function on.
std::string from_the_start(const SelectedPath& selected, int32_t line, std::string_view text) {
  const Path& path = selected.path->path;
  const FunctionProfile& function = *selected.function;
  int32_t column = function.line_defined == line ? function.column_defined : 0;
  if (path.start == PathStart::Loop && path.start_line == line) column = path.start_column;
  if (text.size() <= kWidth || column <= 1 || static_cast<size_t>(column) > text.size()) return std::string(text);
  return "..." + std::string(text.substr(static_cast<size_t>(column) - 1));
}

std::string listing(const SelectedPath& selected, SourceLines& sources) {
  const FunctionProfile& function = *selected.function;
  const Path& path = selected.path->path;
  std::string text;
  int32_t previous = 0;
  for (const int32_t line : path.lines) {
    if (previous != 0 && line > previous + 1) text += "                 ...\n";
    previous = line;
    const std::string_view source = sources.line(function.source, line);
    const std::string parts = source.size() > kWidth ? excerpts(path, line, source) : "";
    text += parts.empty() ? row(margin_of(path, line), std::to_string(line), from_the_start(selected, line, source)) : parts;
  }
  return text;
}

std::string where(const SelectedPath& selected) {
  const auto& crowded = selected.function->crowded_lines;
  return printable(selected.function->name) + " (" + printable(describe_place(*selected.function)) + "), " +
         describe_start(selected.path->path, crowded) + " to " + describe_end(selected.path->path, crowded);
}

/// What a listing shows of a line: that of a function that begins far behind in it begins there.
std::string shown_line(const FunctionProfile& function, int32_t line, std::string_view text) {
  const auto column = static_cast<size_t>(std::max(function.column_defined, 1));
  if (line != function.line_defined || column == 1 || column > text.size() || text.size() <= kWidth) return printable(text, kWidth);
  return "..." + printable(text.substr(column - 1), kWidth);
}

std::string line_value(uint64_t value) { return value == 0 ? "." : std::to_string(value); }

std::string listing(const FunctionScreen& screen, const FunctionProfile& function, SourceLines& sources) {
  const std::map<int32_t, LineRow> lines = by_line(screen.profile, function);
  const bool has_time = screen.has_time();
  std::vector<std::string> headings = {"bytecodes", "flat%", "paths"};
  if (has_time) headings.insert(headings.end(), {"time", "cum"});
  headings.push_back("line");
  const size_t numbers = headings.size();
  headings.push_back("source");
  TextTable table(headings, numbers);
  if (lines.empty()) return "  nothing of it is known by line\n";
  const int32_t first = std::max(function.line_defined, 1), last = std::max(lines.rbegin()->first, function.last_line_defined);
  for (int32_t line = std::min(first, lines.begin()->first); line <= last; ++line) {
    const auto found = lines.find(line);
    const bool is_near = found != lines.end() || lines.contains(line - 1) || lines.contains(line + 1);
    if (line <= 0 || (!is_near && last - first > 200)) continue;
    const LineRow cost = found != lines.end() ? found->second : LineRow{};
    std::vector<std::string> cells = {line_value(cost.self.bytecodes),
                                      percent_text(100.0 * static_cast<double>(cost.self.bytecodes) /
                                                   static_cast<double>(std::max<uint64_t>(screen.sum.bytecodes, 1))),
                                      line_value(cost.self.count)};
    if (has_time) cells.insert(cells.end(), {milliseconds_text(cost.self.nanoseconds), milliseconds_text(cost.total_ns)});
    cells.insert(cells.end(), {std::to_string(line), shown_line(function, line, sources.line(function.source, line))});
    table.add(std::move(cells));
  }
  return table.text();
}

}  // namespace

std::string path_listings(const Selection& selection, SourceLines& sources) {
  std::string text;
  for (size_t i = 0; i < std::min(kListedPaths, selection.paths.size()); ++i) {
    const SelectedPath& selected = selection.paths[i];
    if (selected.path->path.lines.empty()) continue;
    const std::string heading = "\nNumber " + std::to_string(i + 1) + " of all paths: " + percent_text(selected.percent) + ", " +
                                plural(selected.path->count, "time") + " through " + where(selected) + "\n";
    const std::string_view problem = sources.problem(selected.function->source);
    text += heading + (problem.empty() ? listing(selected, sources) : "  (no source: " + std::string(problem) + ")\n");
  }
  return text;
}

std::string function_listings(const FunctionScreen& screen, SourceLines& sources) {
  if (screen.options.listed_glob.empty()) return {};
  std::string text;
  for (const FunctionRow& row : screen.rows) {
    if (row.function == nullptr || !glob_matches(screen.options.listed_glob, row.function->name)) continue;
    const std::string_view problem = sources.problem(row.function->source);
    text += "\nLines of " + printable(row.name) + " (" + printable(row.place) + "), " + plural(row.self.count, "call") + ", " +
            percent_text(screen.percent(value_of(row, screen.options.weight))) + " of all" +
            (problem.empty() ? "" : " (no source: " + std::string(problem) + ")") + ":\n" + listing(screen, *row.function, sources);
  }
  return text.empty() ? "\nNo function that ran matches '" + printable(screen.options.listed_glob) + "'.\n" : text;
}

}  // namespace mangata
