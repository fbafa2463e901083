#include "profiler/coverage/model/report_paths.h"

#include <algorithm>
#include <vector>

#include "profiler/text_table.h"

namespace mangata::coverage {
namespace {

constexpr size_t kMostShown = 8;

std::string place(int32_t line, int32_t column) {
  return std::to_string(line) + (column == 0 ? "" : ":" + std::to_string(column));
}

std::string loop_label(const FunctionPaths& function, int32_t index) {
  const CoveredLoop& loop = function.loops[static_cast<size_t>(index)];
  return "loop " + place(loop.line, loop.column);
}

/// "never left out, never gone through once": what tests of a loop usually are asked for, as far as it did not come about.
std::vector<std::string> missed_of(const CoveredLoop& loop) {
  std::vector<std::string> missed;
  if (loop.left_out + loop.entered == 0 || loop.is_fixed) return missed;
  if (loop.may_be_left_out && loop.left_out == 0) missed.push_back("never left out");
  if (loop.once_most == 0) missed.push_back("never gone through exactly once");
  if (!loop.has_more()) missed.push_back("never gone through more than once");
  return missed;
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : between) + one;
  return text;
}

std::string loop_line(const FunctionPaths& function, size_t index) {
  const CoveredLoop& loop = function.loops[index];
  std::vector<std::string> missed = missed_of(loop);
  if (missed.empty()) return {};
  if (loop.once_most != 0 && loop.once_least == 0) missed.push_back("whether ever exactly once is not known");
  return "  " + loop_label(function, static_cast<int32_t>(index)) + ": " + joined(missed, ", ") + "\n";
}

std::string pair_label(const FunctionPaths& function, const MissedPair& pair) {
  return outcome_label(function, pair.first) + " " + outcome_label(function, pair.second);
}

std::string and_others(size_t all, const char* noun) {
  return all <= kMostShown ? "" : "  ... and " + plural(all - kMostShown, noun) + " more\n";
}

std::string combinations(const FunctionPaths& function, const PathGaps& gaps) {
  std::string text;
  for (size_t i = 0; i < gaps.pairs.size(); ++i) {
    text += "  " + pair_label(function, gaps.pairs[i]) + "  never on one path";
    if (gaps.pairs[i].paths > 1) text += " (" + plural(gaps.pairs[i].paths, "path") + ")";
    text += "\n";
  }
  if (gaps.by_other_pairs != 0) text += "  ... and other pairs of " + plural(gaps.by_other_pairs, "path") + " more\n";
  for (size_t i = 0; i < std::min(kMostShown, gaps.whole.size()); ++i) {
    text += "  " + path_label(function, *gaps.whole[i]) + "  never, though any two of its outcomes were\n";
  }
  return text + and_others(gaps.whole.size(), "path");
}

std::string counts(const FunctionPaths& function, const PathGaps& gaps) {
  const uint64_t taken = function.taken();
  if (!function.possible) return "too many paths to count";
  std::string text = std::to_string(taken) + " of " + plural(*function.possible, "path") + " taken";
  if (!function.is_listed || taken == *function.possible) return text;
  std::vector<std::string> parts;
  if (gaps.with_new_outcome != 0) parts.push_back(std::to_string(gaps.with_new_outcome) + " with an outcome that no completed path has");
  if (gaps.combinations != 0) parts.push_back(std::to_string(gaps.combinations) + " with all outcomes covered");
  return text + "; not taken: " + joined(parts, ", ");
}

PathGaps gaps_if_listed(const FunctionPaths& function) { return function.is_listed ? gaps_of(function) : PathGaps(); }

/// Empty if nothing is missing.
std::string function_text(const SourceFile& file, const FunctionPaths& function) {
  const PathGaps gaps = gaps_if_listed(function);
  std::string loops;
  for (size_t i = 0; i < function.loops.size(); ++i) loops += loop_line(function, i);
  if (loops.empty() && function.possible == function.taken()) return {};
  return "\n" + printable(function.name) + " (" + printable(file.name) + ":" + place(std::max(function.line, 1), function.column) + "): " + counts(function, gaps) + "\n" +
         loops + combinations(function, gaps);
}

}  // namespace

std::string outcome_label(const FunctionPaths& function, uint32_t outcome) {
  const size_t branch = outcome / 2;
  if (branch < function.branches.size()) {
    const PathBranch& at = function.branches[branch];
    return place(at.line, at.column) + ":" + outcome_name(at.outcomes[outcome % 2]);
  }
  const auto start = static_cast<int32_t>(outcome - 2 * function.branches.size()) - 1;
  return start == CoveredPath::kFunction ? "entry" : loop_label(function, start);
}

std::string path_label(const FunctionPaths& function, const CoveredPath& path) {
  std::string text = path.start == CoveredPath::kFunction ? "entry" : loop_label(function, path.start);
  text += " >";
  for (const uint32_t step : path.steps) text += " " + outcome_label(function, step);
  text += path.steps.empty() ? " " : " > ";
  return text + (path.end == CoveredPath::kFunction ? "return " + std::to_string(path.end_line) : loop_label(function, path.end));
}

std::string paths_remark(const FunctionPaths& function) {
  if (function.paths.empty() || !function.possible) return {};
  const PathGaps gaps = gaps_if_listed(function);
  std::vector<std::string> parts;
  if (function.possible != function.taken()) parts.push_back(counts(function, gaps));
  for (size_t i = 0; i < function.loops.size(); ++i) {
    const std::string missed = joined(missed_of(function.loops[i]), ", ");
    if (!missed.empty()) parts.push_back(loop_label(function, static_cast<int32_t>(i)) + " " + missed);
  }
  for (size_t i = 0; i < gaps.pairs.size(); ++i) parts.push_back("never together: " + pair_label(function, gaps.pairs[i]));
  return joined(parts, "; ");
}

std::string paths_section(const CoverageReport& report) {
  uint64_t taken = 0, possible = 0, combinations = 0, functions = 0, uncounted = 0;
  std::string text;
  for (const SourceFile& file : report.files) {
    for (const FunctionPaths& function : file.paths) {
      if (function.paths.empty() && function.possible) continue;  // never ran: lines tell that
      if (!function.possible) {
        ++uncounted;
        continue;
      }
      ++functions;
      taken += function.taken();
      possible += *function.possible;
      combinations += gaps_if_listed(function).combinations;
      text += function_text(file, function);
    }
  }
  if (functions + uncounted == 0) return {};
  std::string head = "\nPaths of the " + plural(functions, "function") + " that ran: " + std::to_string(taken) + " of " + std::to_string(possible) +
                     " taken; " + std::to_string(combinations) + " of the others have all their outcomes covered.\n";
  if (uncounted != 0) head += "In " + plural(uncounted, "function") + " they are too many to be counted.\n";
  return head + "A path is one that the code has, from the entry or an iteration's start to its end; that some input leads along it is not said.\n" + text;
}

}  // namespace mangata::coverage
