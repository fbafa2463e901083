#include "profiler/report.h"

namespace mangata {
namespace {

std::string at_line(const char* what, int32_t line) {
  return line > 0 ? std::string(what) + " " + std::to_string(line) : std::string(what);
}

}  // namespace

std::string describe(const PathStep& step) {
  return (step.line > 0 ? std::to_string(step.line) : std::string("?")) + ":" + outcome_name(step.outcome);
}

std::string describe_start(const Path& path) {
  switch (path.start) {
    case PathStart::Entry: return "entry";
    case PathStart::Loop: return at_line("loop", path.start_line);
    case PathStart::Cut: return at_line("cut", path.start_line);
  }
  return "?";
}

std::string describe_end(const Path& path) {
  switch (path.end) {
    case PathEnd::Return: return at_line("return", path.end_line);
    case PathEnd::Loop: return at_line("loop", path.end_line);
    case PathEnd::Cut: return at_line("cut", path.end_line);
    case PathEnd::InFlight: return at_line("left", path.end_line);
  }
  return "?";
}

std::string write_report(const PathProfile& profile, const ReportOptions& options) {
  return options.format == ReportFormat::Json ? write_json_report(profile, options) : write_text_report(profile, options);
}

}  // namespace mangata
