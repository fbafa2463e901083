#include "profiler/report_coverage.h"

#include <algorithm>

#include "profiler/model/views.h"
#include "profiler/report.h"
#include "profiler/selection.h"
#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kListedIdle = 20;

std::string place_of(const FunctionCoverage& function) {
  return printable(function.name) + " (" + printable(mangata::place_of(function.file, function.line_defined, function.column_defined)) + ")";
}

std::string describe(const FunctionCoverage& function) {
  std::string text = "\n" + place_of(function) + ": " + std::to_string(function.taken) + " of ";
  if (!function.possible) return text + "a number of paths that is not known\n";
  text += plural(*function.possible, "path") + " taken";
  if (!function.is_enumerated) return text + "; too many to list the others\n";
  text += "; never:\n";
  for (const Path& path : function.never_taken) text += "  " + describe(path, function.crowded_lines) + "\n";
  const uint64_t others = *function.possible - function.taken - function.never_taken.size();
  return others == 0 ? text : text + "  ... and " + plural(others, "other") + "\n";
}

}  // namespace

std::string coverage_section(const PathProfile& profile, const ReportOptions& options) {
  if (!profile.has_coverage) return {};
  uint64_t possible = 0, taken = 0;
  size_t complete = 0;
  std::vector<const FunctionCoverage*> incomplete, idle;
  for (const FunctionCoverage& function : profile.coverage) {
    if (!passes_filters(function.name, function.file, options)) continue;
    if (function.is_enumerated) {
      possible += *function.possible;
      taken += function.taken;
    }
    if (!function.has_run) {
      idle.push_back(&function);
    } else if (function.possible == function.taken) {
      ++complete;
    } else {
      incomplete.push_back(&function);
    }
  }
  std::string text = "\nCoverage: " + std::to_string(taken) + " of " + plural(possible, "path") +
                     " taken, all of " + plural(complete, "function") +
                     ". A path is one that the code has; that some input leads along it is not said.\n";
  for (const FunctionCoverage* function : incomplete) text += describe(*function);
  if (idle.empty()) return text;
  text += "\nFunctions that did not complete any path:\n";
  for (size_t i = 0; i < std::min(kListedIdle, idle.size()); ++i) {
    text += "  " + place_of(*idle[i]);
    if (idle[i]->possible) text += ", " + plural(*idle[i]->possible, "path");
    text += "\n";
  }
  return idle.size() > kListedIdle ? text + "  ... and " + plural(idle.size() - kListedIdle, "other") + "\n"
                                   : text;
}

}  // namespace mangata
