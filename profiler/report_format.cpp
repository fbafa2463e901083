#include "profiler/report_format.h"

#include <algorithm>
#include <iterator>

#include "profiler/edge_report.h"
#include "profiler/report.h"
#include "profiler/report_diff.h"
#include "profiler/report_html.h"
#include "profiler/report_pprof.h"
#include "profiler/report_speedscope.h"
#include "profiler/report_stacks.h"

namespace mangata {
namespace {

constexpr ReportFormat kFormats[] = {
    {"text", ".txt", "tables for people", write_text_report, write_edge_text_report, write_diff_report},
    {"json", ".json", "all that was counted, for programs (profiler/JSON.md)", write_json_report, write_edge_json_report},
    {"html", ".html .htm", "one page to look at in a browser, offline: functions, flame graph, loops, source", write_html_report, nullptr, write_html_diff},
    {"pprof", ".pb.gz", "profile.proto for `go tool pprof`: time by call stack, exact counts by path", write_pprof_report, nullptr, nullptr, true},
    {"speedscope", ".speedscope.json", "time by call stack, for www.speedscope.app", write_speedscope_report, nullptr},
    {"collapsed", ".collapsed .folded", "call stacks with microseconds, one a line, for flamegraph.pl", write_collapsed_report, nullptr},
};

/// Of the longest of the extensions that the name ends in; 0: it ends in none.
size_t extension_length(std::string_view file_name, std::string_view extensions) {
  size_t longest = 0;
  while (!extensions.empty()) {
    const size_t end = extensions.find(' ');
    const std::string_view extension = extensions.substr(0, end);
    if (file_name.ends_with(extension)) longest = std::max(longest, extension.size());
    if (end == std::string_view::npos) break;
    extensions.remove_prefix(end + 1);
  }
  return longest;
}

}  // namespace

std::span<const ReportFormat> report_formats() { return kFormats; }

std::string names_of_report_formats() {
  std::string names;
  for (const ReportFormat& format : kFormats) {
    const bool is_last = &format == std::end(kFormats) - 1;
    names += (names.empty() ? "" : is_last ? " or "
                                           : ", ") +
             std::string(format.name);
  }
  return names;
}

const ReportFormat* find_report_format(std::string_view name) {
  for (const ReportFormat& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const ReportFormat& report_format_of_file(std::string_view file_name) {
  return *std::max_element(std::begin(kFormats), std::end(kFormats), [file_name](const ReportFormat& a, const ReportFormat& b) {
    return extension_length(file_name, a.extensions) < extension_length(file_name, b.extensions);
  });
}

}  // namespace mangata
