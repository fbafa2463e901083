// The edge report for people: a summary, the hottest outcomes of branches, and the source of the hottest
// functions with how often each line ran.
#include <algorithm>
#include <cstdio>
#include <map>

#include "profiler/edge_report.h"
#include "profiler/model/views.h"
#include "profiler/report.h"
#include "profiler/source_lines.h"
#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kDefaultTop = 20;
constexpr size_t kListedFunctions = 3;
constexpr size_t kListedLines = 60;
constexpr size_t kListedWidth = 100;

std::string place_text(const FunctionEdgeProfile& function) {
  return place_of(function.file, function.line_defined, function.column_defined);
}

std::string header(const EdgeSelection& selection, const EdgeProfile& profile) {
  std::string text = "Edge profile: " + plural(selection.calls, "call") + " of " +
                     plural(profile.functions.size(), "function") + ", " + plural(selection.total, "edge") +
                     " taken; " + std::to_string(selection.counted_edges) + " of " +
                     std::to_string(selection.all_edges) +
                     " edges carry a counter, the others follow from these.";
  if (selection.left != 0) {
    text += " " + plural(selection.left, "call") +
            " did not return (an error, an unfinished coroutine, the end of the program).";
  }
  text += "\n";
  if (selection.edges.empty()) return text;
  return text + "Shown: the " + std::to_string(selection.edges.size()) +
         " most frequent outcomes of branches. 33:T says that the condition in line 33 held, 33:F that it "
         "did not; loop,\n"
         "done, enter and skip are the outcomes of `for`. flat% is the share of all edges, taken% that of "
         "this branch.\n"
         "An edge profile does not tell which outcomes occur together: --profile-paths does.\n";
}

std::string edge_table(const EdgeSelection& selection) {
  TextTable table({"flat%", "count", "taken%", "function", "file:line", "outcome"}, 3);
  for (const SelectedEdge& selected : selection.edges) {
    const BlockCount& from = selected.function->blocks[selected.edge->from];
    table.add({percent_text(selected.percent), std::to_string(selected.edge->count),
               percent_text(selected.share_percent), selected.function->name, place_text(*selected.function),
               describe(PathStep{from.last_line, *selected.edge->outcome, from.column}, selected.function->crowded_lines)});
  }
  return table.text();
}

/// How often each line of a function ran: as often as the most frequent of the blocks it is in.
std::map<int32_t, uint64_t> line_counts(const FunctionEdgeProfile& function) {
  std::map<int32_t, uint64_t> counts;
  for (const BlockCount& block : function.blocks) {
    for (const int32_t line : block.lines) counts[line] = std::max(counts[line], block.count);
  }
  return counts;
}

std::string listing(const FunctionEdgeProfile& function, SourceLines& sources) {
  std::string text;
  int32_t previous = 0;
  size_t listed = 0;
  for (const auto& [line, count] : line_counts(function)) {
    if (++listed > kListedLines) return text + "                 ...\n";
    if (previous != 0 && line > previous + 1) text += "                 ...\n";
    previous = line;
    char prefix[64];
    std::snprintf(prefix, sizeof prefix, "  %12llu %6d | ", static_cast<unsigned long long>(count),
                  static_cast<int>(line));
    text += prefix + printable(sources.line(function.source, line), kListedWidth) + "\n";
  }
  return text;
}

std::string listings(const EdgeSelection& selection, const EdgeProfile& profile) {
  SourceLines sources(&profile.chunks);
  std::string text;
  for (size_t i = 0; i < std::min(kListedFunctions, selection.functions.size()); ++i) {
    const FunctionEdgeProfile& function = *selection.functions[i];
    const std::string lines = listing(function, sources);
    if (lines.empty()) continue;
    const std::string_view problem = sources.problem(function.source);
    text += "\n" + printable(function.name) + " (" + printable(place_text(function)) + "), " + plural(function.calls, "call") + ", " +
            plural(function.bytecodes(), "bytecode") + (problem.empty() ? "" : " (no source: " + std::string(problem) + ")") + "\n" + lines;
  }
  return text;
}

}  // namespace

std::string write_edge_text_report(const EdgeProfile& profile, const ReportOptions& options) {
  const EdgeSelection selection = select_edges(profile, options, /*branches_only=*/true, kDefaultTop);
  std::string text = header(selection, profile);
  if (!selection.edges.empty()) text += "\n" + edge_table(selection);
  return text + listings(selection, profile);
}

}  // namespace mangata
