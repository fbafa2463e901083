#include "profiler/edge_report.h"

#include <algorithm>

#include "profiler/glob.h"
#include "profiler/report_format.h"

namespace mangata {
namespace {

bool passes(const FunctionEdgeProfile& function, const ReportOptions& options) {
  return (options.function_glob.empty() || glob_matches(options.function_glob, function.name)) &&
         (options.file_glob.empty() || glob_matches(options.file_glob, function.file));
}

double percent_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

EdgeSelection select_edges(const EdgeProfile& profile, const ReportOptions& options, bool branches_only,
                           size_t default_top) {
  EdgeSelection selection;
  for (const FunctionEdgeProfile& function : profile.functions) {
    selection.calls += function.calls;
    selection.left += function.left;
    selection.all_edges += function.edges.size();
    for (const EdgeCount& edge : function.edges) {
      selection.total += edge.count;
      selection.counted_edges += edge.is_counted;
    }
  }
  for (const FunctionEdgeProfile& function : profile.functions) {
    if (!passes(function, options)) continue;
    selection.functions.push_back(&function);
    for (const EdgeCount& edge : function.edges) {
      const double percent = percent_of(edge.count, selection.total);
      if (edge.count == 0 || (branches_only && !edge.outcome) || percent < options.minimum_percent) continue;
      const BlockCount& block = function.blocks[edge.from];
      selection.edges.push_back(
          {&function, &edge, percent, percent_of(edge.count, block.count - block.left)});
    }
  }
  // Stable, so that equal programs give equal reports.
  std::stable_sort(selection.functions.begin(), selection.functions.end(),
                   [](const auto* a, const auto* b) { return a->bytecodes() > b->bytecodes(); });
  std::stable_sort(selection.edges.begin(), selection.edges.end(),
                   [](const auto& a, const auto& b) { return a.edge->count > b.edge->count; });
  const size_t top = options.top != 0 ? options.top : default_top;
  if (top != 0 && selection.edges.size() > top) selection.edges.resize(top);
  for (const SelectedEdge& edge : selection.edges) selection.shown_percent += edge.percent;
  return selection;
}

std::string write_edge_report(const EdgeProfile& profile, const ReportOptions& options) {
  return (options.format != nullptr ? *options.format : report_formats().front()).write_edges(profile, options);
}

}  // namespace mangata
