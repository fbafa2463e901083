#include "profiler/coverage/model/source_file.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "profiler/coverage/model/text_file.h"

namespace mangata::coverage {
namespace {

void add_line(SourceLine* line, const SourceLine& other) {
  line->counts = line->counts || other.counts;
  line->hits += other.hits;
  if (line->conditions.size() < other.conditions.size()) line->conditions.resize(other.conditions.size());
  for (size_t i = 0; i < other.conditions.size(); ++i) {
    Condition sum = other.conditions[i];
    for (size_t arm = 0; arm < 2; ++arm) sum.counts[arm] += line->conditions[i].counts[arm];
    line->conditions[i] = sum;
  }
}

}  // namespace

Totals& Totals::operator+=(const Totals& other) {
  lines += other.lines;
  functions += other.functions;
  branches += other.branches;
  return *this;
}

void show_text(SourceFile* file) {
  const std::optional<std::string> text = read_text(file->name);
  if (!text || id_of_text(*text) != file->text_hash) return;
  std::vector<std::string> lines = lines_of(*text);
  for (size_t i = 0; i < std::min(lines.size(), file->lines.size()); ++i) file->lines[i].text = std::move(lines[i]);
}

bool add_run(SourceFile* file, const SourceFile& other) {
  if (file->text_hash != other.text_hash || file->lines.size() != other.lines.size()) return false;
  for (size_t i = 0; i < other.lines.size(); ++i) add_line(&file->lines[i], other.lines[i]);
  for (const SourceFunction& function : other.functions) {
    const auto same = std::find_if(file->functions.begin(), file->functions.end(), [&](const SourceFunction& own) {
      return own.name == function.name && own.first_line == function.first_line;
    });
    if (same == file->functions.end()) {
      file->functions.push_back(function);
      continue;
    }
    same->calls += function.calls;
    same->first_counted_line = std::min(same->first_counted_line, function.first_counted_line);
  }
  for (const FunctionPaths& paths : other.paths) {
    const auto same = std::find_if(file->paths.begin(), file->paths.end(), [&](FunctionPaths& own) { return add_run(&own, paths); });
    if (same == file->paths.end()) file->paths.push_back(paths);
  }
  std::stable_sort(file->paths.begin(), file->paths.end(), [](const FunctionPaths& a, const FunctionPaths& b) { return a.line < b.line; });
  std::stable_sort(file->functions.begin(), file->functions.end(),
                   [](const SourceFunction& a, const SourceFunction& b) { return a.first_line < b.first_line; });
  compute_totals(file);
  return true;
}

void compute_totals(SourceFile* file) {
  file->totals = {};
  for (const SourceLine& line : file->lines) {
    if (!line.counts) continue;
    file->totals.lines.add(line.hits != 0);
    for (const Condition& condition : line.conditions) {
      for (const uint64_t outcome : condition.counts) file->totals.branches.add(outcome != 0);
    }
  }
  for (const SourceFunction& function : file->functions) file->totals.functions.add(function.calls != 0);
}

Totals totals_of(const std::vector<SourceFile>& files) {
  Totals totals;
  for (const SourceFile& file : files) totals += file.totals;
  return totals;
}

bool is_enough(const Total& lines, double least_percent) { return lines.all != 0 && lines.percent() >= least_percent; }

std::string too_little_text(const Total& lines, double least_percent) {
  if (lines.all == 0) return "mangata: coverage: there is no line that counts";
  char text[100];
  std::snprintf(text, sizeof text, "mangata: coverage: %.2f%% of lines, less than %g%%", lines.percent(), least_percent);
  return text;
}

}  // namespace mangata::coverage
