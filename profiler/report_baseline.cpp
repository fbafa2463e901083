#include "profiler/report_baseline.h"

#include <algorithm>

#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kListedResiduals = 20;
constexpr size_t kListedFunctions = 10;

std::string and_others(size_t count, size_t listed) {
  return count > listed ? "  ... and " + plural(count - listed, "other") + "\n" : "";
}

std::string residual_table(const Selection& selection, size_t top) {
  const size_t listed = std::min(top, selection.residual.size());
  TextTable table({"count", "length", "function", "file:line", "path"}, 2);
  for (size_t i = 0; i < listed; ++i) {
    const SelectedPath& selected = selection.residual[i];
    table.add({std::to_string(selected.path->count), std::to_string(selected.path->path.bytecodes),
               short_name(*selected.function), describe_place(*selected.function), describe(selected.path->path, selected.function->crowded_lines)});
  }
  return table.text() + and_others(selection.residual.size(), listed);
}

/// Functions that ran and that the baseline does not have: all of their paths are new.
std::string new_functions(const Selection& selection) {
  const auto& functions = selection.new_functions;
  if (functions.empty()) return {};
  std::string text = "\nIt does not have " + plural(functions.size(), "function") + " that ran:\n";
  const size_t listed = std::min(kListedFunctions, functions.size());
  for (size_t i = 0; i < listed; ++i) {
    text += "  " + functions[i]->name + " (" + describe_place(*functions[i]) + "), " +
            plural(functions[i]->paths.size(), "path") + "\n";
  }
  return text + and_others(functions.size(), listed);
}

std::string stale_functions(const BaselineComparison& comparison) {
  if (comparison.stale.empty()) return {};
  std::string text = "\nStale in it, because the code has changed or was not loaded:\n";
  const size_t listed = std::min(kListedFunctions, comparison.stale.size());
  for (size_t i = 0; i < listed; ++i) {
    const StaleFunction& stale = comparison.stale[i];
    text += "  " + stale.name + " (line " + std::to_string(std::max(stale.line, 1)) + " of " + stale.source + "): " +
            plural(stale.keys.size(), "path") + (stale.is_gone ? ", no such function" : " that it does not have") + "\n";
  }
  return text + and_others(comparison.stale.size(), listed);
}

}  // namespace

std::string baseline_section(const PathProfile& profile, const Selection& selection, const ReportOptions& options) {
  if (!profile.baseline) return {};
  const BaselineComparison& comparison = *profile.baseline;
  uint64_t executions = 0;
  for (const SelectedPath& selected : selection.residual) executions += selected.path->count;
  std::string text = "\nCompared with " + comparison.file + ", which has " + plural(comparison.paths, "path") + " (" +
                     std::to_string(comparison.taken) + " of them taken again): ";
  text += selection.residual.empty() ? "no new paths in its functions.\n"
                                     : plural(selection.residual.size(), "new path") + " in its functions, taken " +
                                           plural(executions, "time") + ":\n" +
                                           residual_table(selection, options.top != 0 ? options.top : kListedResiduals);
  if (comparison.shown_percent < 100) {
    text += "It was written with filters and shows only " + percent_text(comparison.shown_percent) +
            " of what ran, so some of these may not be new.\n";
  }
  return text + new_functions(selection) + stale_functions(comparison);
}

}  // namespace mangata
