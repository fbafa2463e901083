#include "profiler/report_stacks.h"

#include <map>

#include "profiler/model/views.h"

namespace mangata {
namespace {

/// What parts frames and lines in this format, and control characters, become blanks.
std::string plain(std::string text) {
  for (char& c : text) {
    if (c == ';' || static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

std::string text_of(const FrameSymbol& symbol) {
  switch (symbol.kind) {
    case FrameKind::Lua: {
      return plain(symbol.name + " (" + (symbol.line_defined == 0 ? symbol.file : place_of(symbol)) + ")");
    }
    case FrameKind::Native: return plain("[C] " + symbol.name);
    case FrameKind::Collector: return "[collector]";
    case FrameKind::Compiler: return "[compiler]";
    case FrameKind::Finalizer: return "[finalizer]";
    case FrameKind::Coroutine: return "[coroutine]";
    case FrameKind::Unknown: return "[unknown]";
  }
  return {};
}

}  // namespace

std::string write_stacks(const TimeProfile& profile) {
  std::map<std::string, uint64_t> lines;
  for (const StackSample& stack : profile.stacks) {
    std::string line = stack.is_shortened ? "[more]" : "";
    for (const StackFrame& frame : stack.frames) line += (line.empty() ? "" : ";") + text_of(profile.symbols.at(frame.symbol));
    lines[line] += stack.nanoseconds;
  }
  if (profile.invalid_ns != 0) lines["[invalid]"] += profile.invalid_ns;
  std::string text;
  for (const auto& [line, nanoseconds] : lines) text += line + " " + std::to_string((nanoseconds + 500) / 1000) + "\n";
  return text;
}

}  // namespace mangata
