#include "profiler/report_stacks.h"

#include <algorithm>
#include <map>

#include "profiler/model/views.h"
#include "profiler/report_frames.h"

namespace mangata {
namespace {

/// The name of a frame without what parts frames.
std::string text_of(const FrameSymbol& symbol) {
  std::string name = frame_name(symbol);
  std::replace(name.begin(), name.end(), ';', ' ');
  return name;
}

}  // namespace

std::string write_stacks(const TimeProfile& profile) {
  std::vector<std::string> names;
  for (const FrameSymbol& symbol : profile.symbols) names.push_back(text_of(symbol));
  std::map<std::string, uint64_t> lines;
  for (const StackSample& stack : profile.stacks) {
    std::string line(stack.is_shortened ? kMoreFrames : "");
    for (const StackFrame& frame : stack.frames) line += (line.empty() ? "" : ";") + names.at(frame.symbol);
    lines[line] += stack.nanoseconds;
  }
  if (profile.invalid_ns != 0) lines["[invalid]"] += profile.invalid_ns;
  std::string text;
  for (const auto& [line, nanoseconds] : lines) text += line + " " + std::to_string((nanoseconds + 500) / 1000) + "\n";
  return text;
}

std::string write_collapsed_report(const RunProfile& profile, const ReportOptions&) {
  if (profile.time && profile.time->samples != 0) return write_stacks(*profile.time);
  std::map<std::string, uint64_t> lines;
  for (const FunctionProfile& function : profile.paths.functions) {
    uint64_t& bytecodes = lines[text_of(frame_symbol_of(function))];
    for_each_path(function, [&bytecodes](const PathCount& path, const LoopProfile*) { bytecodes += cost_of(path).bytecodes; });
  }
  std::string text;
  for (const auto& [line, bytecodes] : lines) text += line + " " + std::to_string(bytecodes) + "\n";
  return text;
}

}  // namespace mangata
