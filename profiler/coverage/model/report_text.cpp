// Coverage for people: totals, a row per file, and what was not hit.
#include "profiler/coverage/model/report_paths.h"
#include "profiler/coverage/model/reports.h"
#include "profiler/text_table.h"

namespace mangata::coverage {
namespace {

constexpr size_t kMostOutcomes = 50;

std::string of_total(const Total& total, const char* what) {
  return percent_text(total.percent()) + " of " + what + " (" + std::to_string(total.hit) + " of " + std::to_string(total.all) + ")";
}

/// "3, 7-9": of lines that count, those without a hit. Lines in between that do not count do not end a range.
std::string missed_lines(const SourceFile& file) {
  std::string text;
  size_t first = 0, last = 0;
  const auto end_range = [&] {
    if (first == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last != first) text += "-" + std::to_string(last);
    first = 0;
  };
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (!file.lines[i].counts) continue;
    if (file.lines[i].hits != 0) {
      end_range();
      continue;
    }
    if (first == 0) first = i + 1;
    last = i + 1;
  }
  end_range();
  return text;
}

std::string share(const Total& total) { return total.all == 0 ? "-" : percent_text(total.percent()); }

std::string file_table(const CoverageReport& report) {
  TextTable table({"lines%", "hit", "of", "functions%", "branches%", "file", "lines not hit"}, 5);
  for (const SourceFile& file : report.files) {
    const Totals& totals = file.totals;
    table.add({share(totals.lines), std::to_string(totals.lines.hit), std::to_string(totals.lines.all), share(totals.functions),
               share(totals.branches), file.name, missed_lines(file)});
  }
  return table.text();
}

/// Outcomes that never came about, of conditions that were reached: what lines alone do not tell.
std::string missed_outcomes(const CoverageReport& report) {
  std::string text;
  size_t told = 0, all = 0;
  for (const SourceFile& file : report.files) {
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const std::vector<Condition>& conditions = file.lines[i].conditions;
      for (size_t place = 0; place < conditions.size(); ++place) {
        const Condition& condition = conditions[place];
        if (condition.reached() == 0 || (condition.counts[0] != 0 && condition.counts[1] != 0)) continue;
        if (++all > kMostOutcomes) continue;
        ++told;
        text += "  " + file.name + ":" + std::to_string(i + 1) + ": ";
        if (conditions.size() > 1) text += "condition " + std::to_string(place + 1) + " of " + std::to_string(conditions.size()) + " ";
        text += std::string(never(condition.outcomes[condition.counts[0] == 0 ? 0 : 1])) + "\n";
      }
    }
  }
  if (all == 0) return {};
  if (all > told) text += "  ... and " + std::to_string(all - told) + " more\n";
  return "\nConditions that were reached, with an outcome that never came about:\n" + text;
}

}  // namespace

std::string write_text(const CoverageReport& report) {
  const Totals totals = totals_of(report.files);
  std::string text = "Coverage: " + of_total(totals.lines, "lines") + ", " + of_total(totals.functions, "functions") + ", " +
                     of_total(totals.branches, "branches") + ", in " + plural(report.files.size(), "file") + ".\n";
  if (!report.files.empty()) text += "\n" + file_table(report);
  text += missed_outcomes(report);
  text += paths_section(report);
  if (!report.problems.empty()) text += "\nNot shown:\n";
  for (const FileProblem& problem : report.problems) text += "  " + problem.name + " " + problem.what + "\n";
  return text;
}

}  // namespace mangata::coverage
