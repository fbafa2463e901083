// Coverage as one page: a table of files, and under it every file with the hits of its lines. Outcomes that never came about stand beside
// their lines.
#include <algorithm>
#include <map>

#include "profiler/coverage/model/report_paths.h"
#include "profiler/coverage/model/reports.h"
#include "profiler/markup.h"
#include "profiler/text_table.h"

namespace mangata::coverage {
namespace {

constexpr const char* kHead =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage</title>\n<style>\n"
    "body { font: 14px sans-serif; margin: 2em; color: #222; background: #fff }\n"
    "table { border-collapse: collapse } th, td { padding: 2px 12px; text-align: right } td:last-child, th:last-child { text-align: left }\n"
    "pre { font: 13px monospace; margin: 0 } summary { cursor: pointer; padding: 4px 0; font-weight: bold }\n"
    ".hit { background: #e4f5e4 } .missed { background: #fbdcdc } .part { background: #fdf3cf } i { color: #a04000 }\n"
    "@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } .hit { background: #1d3a1d }\n"
    "  .missed { background: #4d2020 } .part { background: #4a4018 } i { color: #f0a060 } }\n"
    "</style></head><body>\n";

std::string share(const Total& total) { return total.all == 0 ? "-" : percent_text(total.percent()); }

std::string table_row(const char* cell, const Totals& totals, const std::string& name) {
  const std::string open = std::string("<") + cell + ">", close = std::string("</") + cell + ">";
  return "<tr>" + open + share(totals.lines) + close + open + std::to_string(totals.lines.hit) + " of " +
         std::to_string(totals.lines.all) + close + open + share(totals.functions) + close + open + share(totals.branches) + close + open +
         name + close + "</tr>\n";
}

/// "never true", of conditions that were reached.
std::string remarks(const SourceLine& line) {
  std::string text;
  for (size_t i = 0; i < line.conditions.size(); ++i) {
    const Condition& condition = line.conditions[i];
    for (size_t arm = 0; arm < 2; ++arm) {
      if (condition.reached() == 0 || condition.counts[arm] != 0) continue;
      text += text.empty() ? "" : ", ";
      if (line.conditions.size() > 1) text += "condition " + std::to_string(i + 1) + " ";
      text += never(condition.outcomes[arm]);
    }
  }
  return text;
}

std::string listing_line(const SourceLine& line, size_t number, const std::string& paths) {
  std::string count = line.counts ? std::to_string(line.hits) : "";
  count.insert(0, count.size() < 10 ? 10 - count.size() : 0, ' ');
  std::string place = std::to_string(number);
  place.insert(0, place.size() < 6 ? 6 - place.size() : 0, ' ');
  const std::string remark = line.counts ? remarks(line) : "";
  const char* kind = !line.counts ? "" : line.hits == 0 ? "missed"
                                     : remark.empty()   ? "hit"
                                                        : "part";
  return "<span class=\"" + std::string(kind) + "\">" + place + " " + count + " | " + escaped(line.text) +
         (remark.empty() ? "" : "  <i>" + remark + "</i>") + (paths.empty() ? "" : "  <i>" + escaped(paths) + "</i>") + "</span>\n";
}

/// What the paths of functions lack, at the functions' lines.
std::map<int32_t, std::string> path_remarks(const SourceFile& file) {
  std::map<int32_t, std::string> remarks;
  for (const FunctionPaths& function : file.paths) {
    const std::string remark = paths_remark(function);
    if (remark.empty()) continue;
    std::string& own = remarks[std::max(function.line, 1)];  // the main chunk's is 0
    own += (own.empty() ? "" : "; ") + function.name + ": " + remark;
  }
  return remarks;
}

std::string listing(const SourceFile& file, size_t index) {
  std::string text = "<details id=\"f" + std::to_string(index) + "\"><summary>" + escaped(file.name) + " (" + share(file.totals.lines) +
                     ")</summary><pre>";
  const std::map<int32_t, std::string> paths = path_remarks(file);
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const auto remark = paths.find(static_cast<int32_t>(i) + 1);
    text += listing_line(file.lines[i], i + 1, remark == paths.end() ? "" : remark->second);
  }
  return text + "</pre></details>\n";
}

}  // namespace

std::string write_html(const CoverageReport& report) {
  std::string text = kHead;
  text += "<h1>Coverage</h1>\n<table>\n<tr><th>lines</th><th></th><th>functions</th><th>branches</th><th>file</th></tr>\n";
  for (size_t i = 0; i < report.files.size(); ++i) {
    const SourceFile& file = report.files[i];
    text += table_row("td", file.totals, "<a href=\"#f" + std::to_string(i) + "\">" + escaped(file.name) + "</a>");
  }
  text += table_row("th", totals_of(report.files), "all") + "</table>\n<p>Written by " + escaped(report.program) + ".</p>\n";
  for (size_t i = 0; i < report.files.size(); ++i) text += listing(report.files[i], i);
  for (const FileProblem& problem : report.problems) text += "<p>" + escaped(problem.name + " " + problem.what) + "</p>\n";
  return text + "</body></html>\n";
}

}  // namespace mangata::coverage
