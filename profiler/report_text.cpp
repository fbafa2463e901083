// The report for people: a summary, a table of paths, and the source lines of the hottest few.
#include <algorithm>
#include <cstdio>
#include <set>

#include "profiler/report.h"
#include "profiler/selection.h"
#include "profiler/source_lines.h"
#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kDefaultTop = 20;
constexpr size_t kListedPaths = 5;
constexpr size_t kListedCuts = 10;
constexpr size_t kMaxPathText = 120;
constexpr size_t kMaxFunctionText = 32;

/// "loop 31 > 33:T 35:F > loop 31"; steps in the middle are left out when there are very many.
std::string path_text(const Path& path) {
  const std::string end = " > " + describe_end(path);
  std::string text = describe_start(path);
  if (path.steps.empty()) return text + end;
  text += " >";
  size_t shown = 0;
  while (shown < path.steps.size() && text.size() < kMaxPathText) text += " " + describe(path.steps[shown++]);
  if (shown + 1 < path.steps.size()) text += " (+" + std::to_string(path.steps.size() - shown - 1) + ")";
  if (shown < path.steps.size()) text += " " + describe(path.steps.back());
  return text + end;
}

std::string place_text(const FunctionProfile& function) {
  return function.file + ":" + std::to_string(std::max(function.line_defined, 1));
}

std::string name_text(const FunctionProfile& function) {
  if (function.name.size() <= kMaxFunctionText) return function.name;
  return function.name.substr(0, kMaxFunctionText - 3) + "...";
}

std::string header(const Selection& selection, const PathProfile& profile, const ReportOptions& options) {
  std::string text = "Path profile: " + plural(selection.completed, "path") + " completed, " +
                     std::to_string(selection.distinct) + " distinct, in " +
                     plural(profile.functions.size(), "function") + ".";
  if (selection.cut != 0) text += " " + std::to_string(selection.cut) + " more cut off (listed last).";
  text += "\n";
  if (selection.paths.empty()) return text;
  const bool by_bytecodes = options.weight == ReportWeight::Bytecodes;
  text += "Shown: the hottest " + std::to_string(selection.paths.size()) + ", " +
          percent_text(selection.shown_percent) + " of all " + (by_bytecodes ? "bytecodes executed" : "completed paths") +
          ".\n"
          "A path is one way through a function: from its entry, or the start of a loop's next round, to its return or the next\n"
          "round. 33:T says that the condition in line 33 held, 33:F that it did not; loop, done, enter and skip are the\n"
          "outcomes of `for`. flat% is the path's share, sum% that of it and all above, length its number of bytecodes.\n";
  return text;
}

std::string path_table(const Selection& selection, const ReportOptions& options) {
  const bool by_bytecodes = options.weight == ReportWeight::Bytecodes;
  std::vector<std::string> headings = {"flat%", "sum%", "count", "length"};
  if (by_bytecodes) headings.push_back("bytecodes");
  const size_t number_columns = headings.size();
  for (const char* heading : {"function", "file:line", "path"}) headings.push_back(heading);
  TextTable table(headings, number_columns);
  double sum = 0;
  for (const SelectedPath& selected : selection.paths) {
    sum += selected.percent;
    std::vector<std::string> row = {percent_text(selected.percent), percent_text(sum),
                                    std::to_string(selected.path->count), std::to_string(selected.path->path.bytecodes)};
    if (by_bytecodes) row.push_back(std::to_string(selected.weight));
    row.push_back(name_text(*selected.function));
    row.push_back(place_text(*selected.function));
    row.push_back(path_text(selected.path->path));
    table.add(std::move(row));
  }
  return table.text();
}

/// The branch outcomes in `line`, in the order of the path: "T", "TF", "loop".
std::string margin_of(const Path& path, int32_t line) {
  std::string margin;
  for (const PathStep& step : path.steps) {
    if (step.line != line) continue;
    const std::string text = describe(step);
    if (margin.size() > 1) margin += ' ';
    margin += text.substr(text.find(':') + 1);
  }
  return margin;
}

std::string listing(const SelectedPath& selected, SourceLines& sources) {
  const FunctionProfile& function = *selected.function;
  const Path& path = selected.path->path;
  std::string text;
  int32_t previous = 0;
  for (const int32_t line : path.lines) {
    if (previous != 0 && line > previous + 1) text += "                 ...\n";
    previous = line;
    char prefix[64];
    std::snprintf(prefix, sizeof prefix, "  %8s %6d | ", margin_of(path, line).c_str(), static_cast<int>(line));
    text += prefix;
    text += sources.line(function.source, line);
    text += '\n';
  }
  return text;
}

std::string listings(const Selection& selection) {
  SourceLines sources;
  std::string text;
  for (size_t i = 0; i < std::min(kListedPaths, selection.paths.size()); ++i) {
    const SelectedPath& selected = selection.paths[i];
    if (selected.path->path.lines.empty()) continue;
    text += "\nNumber " + std::to_string(i + 1) + ": " + percent_text(selected.percent) + ", " +
            std::to_string(selected.path->count) + (selected.path->count == 1 ? " time" : " times") + " through " +
            selected.function->name + " (" + place_text(*selected.function) + "), " +
            describe_start(selected.path->path) + " to " + describe_end(selected.path->path) + "\n" +
            listing(selected, sources);
  }
  return text;
}

std::string cut_table(const Selection& selection) {
  if (selection.cut_paths.empty()) return {};
  TextTable table({"count", "function", "file:line", "path"}, 1);
  for (size_t i = 0; i < std::min(kListedCuts, selection.cut_paths.size()); ++i) {
    const SelectedPath& cut = selection.cut_paths[i];
    table.add({std::to_string(cut.path->count), name_text(*cut.function), place_text(*cut.function),
               path_text(cut.path->path)});
  }
  std::string text =
      "\nCut off before their end, by an error, a coroutine that was not finished, or the end of the program:\n" +
      table.text();
  if (selection.cut_paths.size() > kListedCuts) {
    text += "  ... and " + plural(selection.cut_paths.size() - kListedCuts, "other") + "\n";
  }
  return text;
}

/// Functions whose numbers need a remark.
std::string remarks(const Selection& selection) {
  std::set<const FunctionProfile*> truncated;
  for (const SelectedPath& selected : selection.paths) {
    if (selected.function->is_truncated) truncated.insert(selected.function);
  }
  std::string text;
  for (const FunctionProfile* function : truncated) {
    text += "\n" + function->name + " (" + place_text(*function) +
            ") has too many possible paths: they are also cut where it says `cut`.\n";
  }
  return text;
}

}  // namespace

std::string write_text_report(const PathProfile& profile, const ReportOptions& options) {
  const Selection selection = select_paths(profile, options, kDefaultTop);
  std::string text = header(selection, profile, options);
  if (!selection.paths.empty()) text += "\n" + path_table(selection, options) + listings(selection) + remarks(selection);
  return text + cut_table(selection);
}

}  // namespace mangata
