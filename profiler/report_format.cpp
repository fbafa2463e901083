#include "profiler/report_format.h"

#include "profiler/edge_report.h"
#include "profiler/report.h"
#include "profiler/report_diff.h"
#include "profiler/report_html.h"

namespace mangata {
namespace {

constexpr ReportFormat kFormats[] = {
    {"text", ".txt", "tables for people", write_text_report, write_edge_text_report, write_diff_report},
    {"json", ".json", "all that was counted, for programs (profiler/JSON.md)", write_json_report, write_edge_json_report},
    {"html", ".html .htm", "one page to look at in a browser, offline: functions, flame graph, loops, source", write_html_report, nullptr, write_html_diff},
};

bool has_extension(std::string_view file_name, std::string_view extensions) {
  while (!extensions.empty()) {
    const size_t end = extensions.find(' ');
    if (file_name.ends_with(extensions.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    extensions.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

std::span<const ReportFormat> report_formats() { return kFormats; }

const ReportFormat* find_report_format(std::string_view name) {
  for (const ReportFormat& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const ReportFormat& report_format_of_file(std::string_view file_name) {
  for (const ReportFormat& format : kFormats) {
    if (has_extension(file_name, format.extensions)) return format;
  }
  return kFormats[0];
}

}  // namespace mangata
