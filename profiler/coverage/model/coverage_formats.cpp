#include <algorithm>

#include "profiler/coverage/model/coverage_json.h"
#include "profiler/coverage/model/coverage_options.h"

namespace mangata::coverage {
namespace {

constexpr CoverageFormat kFormats[] = {
    {"text", ".txt", "", "for people", write_text, false},
    {"luacov", ".out", "luacov.stats.out", "hits of lines, added to those that the file has, for the reporters of LuaCov", write_luacov, true},
    {"lcov", ".info .lcov", "coverage.info", "a tracefile of LCOV, for genhtml", write_lcov, false},
    {"cobertura", ".xml", "coverage.xml", "XML of Cobertura", write_cobertura, false},
    {"json", ".json", "coverage.json", "for programs, and for mangata-report, which adds runs up", write_json, false},
    {"html", ".html .htm", "coverage.html", "one page for browsers", write_html, false},
};

bool has_extension(const CoverageFormat& format, std::string_view file_name) {
  std::string_view rest = format.extensions;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (file_name.ends_with(rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace

std::span<const CoverageFormat> coverage_formats() { return kFormats; }

const CoverageFormat* find_coverage_format(std::string_view name) {
  for (const CoverageFormat& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const CoverageFormat& coverage_format_of_file(std::string_view file_name) {
  for (const CoverageFormat& format : kFormats) {
    if (has_extension(format, file_name)) return format;
  }
  return kFormats[0];
}

}  // namespace mangata::coverage
