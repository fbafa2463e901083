#include "profiler/report_diff.h"

#include <algorithm>
#include <cstdio>

#include "profiler/model/views.h"
#include "profiler/report.h"
#include "profiler/selection.h"
#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kFunctions = 20;
constexpr size_t kPaths = 5;

double share(uint64_t value, uint64_t total) { return 100.0 * static_cast<double>(value) / static_cast<double>(std::max<uint64_t>(total, 1)); }

std::string signed_text(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string value_text(uint64_t value, ReportWeight weight) {
  return weight == ReportWeight::Time ? milliseconds_text(value) : std::to_string(value);
}

std::string change_text(uint64_t before, uint64_t after, ReportWeight weight) {
  const std::string digits = value_text(after >= before ? after - before : before - after, weight);
  return after == before ? "0" : (after > before ? "+" : "-") + digits;
}

/// Count before and after, cost before and after, and how its share has changed.
std::vector<std::string> cells(const Cost& before, const Cost& after, const RunDifference& all, ReportWeight weight) {
  const double was = share(value_of(before, weight), value_of(all.before, weight));
  const double is = share(value_of(after, weight), value_of(all.after, weight));
  return {change_text(value_of(before, weight), value_of(after, weight), weight), percent_text(was), percent_text(is),
          signed_text(is - was, "%+.2f"), std::to_string(before.count), std::to_string(after.count)};
}

std::string paths_of(const FunctionDifference& function, const RunDifference& all, ReportWeight weight, size_t most) {
  std::vector<PathDifference> paths = function.paths;
  std::stable_sort(paths.begin(), paths.end(), [weight](const PathDifference& a, const PathDifference& b) {
    return size_of_change(a.before, a.after, weight) > size_of_change(b.before, b.after, weight);
  });
  TextTable table({"change", "before", "after", "points", "count before", "after", "", "path"}, 6);
  for (size_t i = 0; i < std::min(most, paths.size()); ++i) {
    std::vector<std::string> row = cells(paths[i].before, paths[i].after, all, weight);
    row.push_back(fate_text(paths[i].fate));
    row.push_back(describe(paths[i].path->path, paths[i].function->crowded_lines));
    table.add(std::move(row));
  }
  std::string text = "\n" + printable(function.name) + " (" + printable(function.place) + ")\n" + table.text();
  if (paths.size() > most) text += "  ... and " + plural(paths.size() - most, "other") + "\n";
  return text;
}

std::string function_rows(const std::vector<FunctionDifference>& functions, const RunDifference& all, ReportWeight weight, size_t most) {
  TextTable table({"change", "before", "after", "points", "calls before", "after", "", "function", "file:line"}, 6);
  for (size_t i = 0; i < std::min(most, functions.size()); ++i) {
    std::vector<std::string> row = cells(functions[i].before, functions[i].after, all, weight);
    row.insert(row.end(), {fate_text(functions[i].fate), functions[i].name, functions[i].place});
    table.add(std::move(row));
  }
  return table.text() + (functions.size() > most ? "  ... and " + plural(functions.size() - most, "other") + "\n" : "");
}

}  // namespace

const char* fate_text(Fate fate) {
  switch (fate) {
    case Fate::Common: return "";
    case Fate::Changed: return "code changed";
    case Fate::New: return "new";
    case Fate::Vanished: return "vanished";
  }
  return "";
}

uint64_t size_of_change(const Cost& before, const Cost& after, ReportWeight weight) {
  const uint64_t a = value_of(before, weight), b = value_of(after, weight);
  return a > b ? a - b : b - a;
}

ReportWeight diff_weight(const RunProfile& before, const RunProfile& after, const ReportOptions& options) {
  const bool has_times = before.time && after.time && effective_weight(options.weight, before) == ReportWeight::Time;
  const ReportWeight wanted = has_times ? effective_weight(options.weight, after) : options.weight;
  return wanted == ReportWeight::Automatic ? ReportWeight::Bytecodes : wanted;
}

RunDifference shown_difference(const RunProfile& before, const RunProfile& after, const ReportOptions& options) {
  const ReportWeight weight = diff_weight(before, after, options);
  RunDifference found = difference(before, after);
  std::erase_if(found.functions, [&](const FunctionDifference& function) {
    // Where it is not about time, that of a function of C is no difference.
    const bool is_of_time = weight != ReportWeight::Time && function.fate == Fate::Common && function.paths.empty() &&
                            function.before.count == function.after.count && size_of_change(function.before, function.after, weight) == 0;
    return is_of_time || !passes_filters(function.name, function.place.substr(0, function.place.rfind(':')), options);
  });
  std::stable_sort(found.functions.begin(), found.functions.end(), [weight](const FunctionDifference& a, const FunctionDifference& b) {
    return size_of_change(a.before, a.after, weight) > size_of_change(b.before, b.after, weight);
  });
  return found;
}

std::string write_diff_report(const RunProfile& before, const RunProfile& after, const ReportOptions& options) {
  const ReportWeight weight = diff_weight(before, after, options);
  const RunDifference found = shown_difference(before, after, options);
  std::string text = "Difference of two path profiles, by " + std::string(name_of(weight)) + ": " +
                     value_text(value_of(found.before, weight), weight) + " before, " + value_text(value_of(found.after, weight), weight) + " after (" +
                     change_text(value_of(found.before, weight), value_of(found.after, weight), weight) + ").\n";
  if (found.is_empty()) return text + "Nothing differs.\n";
  text += plural(found.functions.size(), "function") +
          " differ. before and after are shares of their runs, points by how much a share has grown. Functions are the same when their\n"
          "code is, and are compared path by path.\n\n" +
          function_rows(found.functions, found, weight, options.top != 0 ? options.top : kFunctions);
  size_t listed = 0;
  for (const FunctionDifference& function : found.functions) {
    if (function.fate != Fate::Common || function.paths.empty()) continue;
    if (listed++ == (options.top != 0 ? options.top : kPaths)) break;
    text += paths_of(function, found, weight, options.top != 0 ? options.top : kPaths);
  }
  return text;
}

}  // namespace mangata
