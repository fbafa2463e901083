#include "profiler/report.h"

#include <algorithm>

#include "profiler/model/views.h"
#include "profiler/report_format.h"

namespace mangata {
namespace {

constexpr size_t kMaxPathText = 120;
constexpr size_t kMaxFunctionText = 32;

/// "33", "33:14" in a crowded line, "?".
std::string line_text(int32_t line, int32_t column, const CrowdedLines& crowded) {
  if (line <= 0) return "?";
  const bool needs_column = column > 0 && std::binary_search(crowded.begin(), crowded.end(), line);
  return std::to_string(line) + (needs_column ? ":" + std::to_string(column) : "");
}

std::string at_line(int32_t line, int32_t column, const CrowdedLines& crowded) {
  return line > 0 ? " " + line_text(line, column, crowded) : "";
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
    case ReportWeight::Time: return "time";
    case ReportWeight::Bytes: return "bytes";
    case ReportWeight::Objects: return "objects";
    case ReportWeight::Automatic: return "bytecodes";
  }
  return "";
}

std::string describe(const PathStep& step, const CrowdedLines& crowded) {
  return line_text(step.line, step.column, crowded) + ":" + outcome_name(step.outcome);
}

std::string describe_start(const Path& path, const CrowdedLines& crowded) {
  const std::string line = at_line(path.start_line, path.start_column, crowded);
  switch (path.start) {
    case PathStart::Entry: return "entry";
    case PathStart::Loop: return "loop" + line;
    case PathStart::Cut: return "cut" + line;
  }
  return "?";
}

std::string describe_end(const Path& path, const CrowdedLines& crowded) {
  const std::string line = at_line(path.end_line, path.end_column, crowded);
  switch (path.end) {
    case PathEnd::Return: return "return" + line;
    case PathEnd::Loop: return "loop" + line;
    case PathEnd::Cut: return "cut" + line;
    case PathEnd::InFlight: return "left" + line;
  }
  return "?";
}

std::string describe(const Path& path, const CrowdedLines& crowded) {
  const std::string end = " > " + describe_end(path, crowded);
  std::string text = describe_start(path, crowded);
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
    text += " " + describe(path.steps[shown++], crowded);
    add_round_ends();
  }
  if (shown + 1 < count) text += " (" + std::to_string(count - shown - 1) + " more)";
  if (shown < count) text += " " + describe(path.steps.back(), crowded);
  return text + end;
}

std::string describe_place(const FunctionProfile& function) {
  return place_of(function.file, function.line_defined, function.column_defined);
}

std::string short_name(const FunctionProfile& function) {
  if (function.name.size() <= kMaxFunctionText) return function.name;
  constexpr std::string_view kUnnamed = "function <";  // what is in front of a place, of which the end tells more
  if (function.name.starts_with(kUnnamed)) {
    if (const size_t slash = function.name.rfind('/'); slash != std::string::npos && kUnnamed.size() + function.name.size() - slash <= kMaxFunctionText) {
      return std::string(kUnnamed) + function.name.substr(slash + 1);
    }
    const size_t rest = kMaxFunctionText - kUnnamed.size() - 3;
    return std::string(kUnnamed) + "..." + function.name.substr(function.name.size() - rest);
  }
  return function.name.substr(0, kMaxFunctionText - 3) + "...";
}

std::string write_report(const RunProfile& profile, const ReportOptions& options) {
  return (options.format != nullptr ? *options.format : report_formats().front()).write_paths(profile, options);
}

std::string write_report(const PathProfile& profile, const ReportOptions& options) {
  RunProfile run;
  run.paths = profile;
  return write_report(run, options);
}

}  // namespace mangata
