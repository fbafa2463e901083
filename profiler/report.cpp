#include "profiler/report.h"

#include <algorithm>

#include "profiler/report_format.h"

namespace mangata {
namespace {

constexpr size_t kMaxPathText = 120;
constexpr size_t kMaxFunctionText = 32;

std::string at_line(const char* what, int32_t line) {
  return line > 0 ? std::string(what) + " " + std::to_string(line) : std::string(what);
}

}  // namespace

const char* name_of(PathStart start) {
  switch (start) {
    case PathStart::Entry:
      return "entry";
    case PathStart::Loop:
      return "loop";
    case PathStart::Cut:
      return "cut";
  }
  return "";
}

const char* name_of(PathEnd end) {
  switch (end) {
    case PathEnd::Return:
      return "return";
    case PathEnd::Loop:
      return "loop";
    case PathEnd::Cut:
      return "cut";
    case PathEnd::InFlight:
      return "left";
  }
  return "";
}

const char* name_of(ReportWeight weight) {
  switch (weight) {
    case ReportWeight::Count:
      return "count";
    case ReportWeight::Bytecodes:
      return "bytecodes";
    case ReportWeight::Cycles:
      return "cycles";
  }
  return "";
}

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

std::string describe(const Path& path) {
  const std::string end = " > " + describe_end(path);
  std::string text = describe_start(path);
  if (path.steps.empty() && path.iteration_ends.empty()) return text + end;
  text += " >";
  const size_t count = path.steps.size();
  size_t shown = 0;
  size_t round = 0;
  const auto add_round_ends = [&] {
    for (; round < path.iteration_ends.size() && path.iteration_ends[round] == shown; ++round) text += " |";
  };
  add_round_ends();
  while (shown < count && text.size() < kMaxPathText) {
    text += " " + describe(path.steps[shown++]);
    add_round_ends();
  }
  if (shown + 1 < count) text += " (+" + std::to_string(count - shown - 1) + ")";
  if (shown < count) text += " " + describe(path.steps.back());
  return text + end;
}

std::string describe_place(const FunctionProfile& function) {
  return function.file + ":" + std::to_string(std::max(function.line_defined, 1));
}

std::string short_name(const FunctionProfile& function) {
  if (function.name.size() <= kMaxFunctionText) return function.name;
  return function.name.substr(0, kMaxFunctionText - 3) + "...";
}

std::string write_report(const PathProfile& profile, const ReportOptions& options) {
  return (options.format != nullptr ? *options.format : report_formats().front()).write_paths(profile, options);
}

}  // namespace mangata
