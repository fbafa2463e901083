// Profiles written down.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "profiler/model/run_profile.h"

namespace mangata {

inline PathCount path_of(const std::string& key, uint64_t count, uint64_t bytecodes, PathStart start = PathStart::Entry) {
  PathCount counted;
  counted.path.key = key;
  counted.path.start = start;
  counted.path.bytecodes = bytecodes;
  counted.count = count;
  return counted;
}

inline FunctionProfile function_of(const std::string& name, const std::string& id, int32_t line, std::vector<PathCount> paths) {
  FunctionProfile function;
  function.id = id;
  function.name = name;
  function.source = "@a.lua";
  function.file = "a.lua";
  function.line_defined = line;
  function.paths = std::move(paths);
  return function;
}

inline FrameSymbol symbol_of(const FunctionProfile& function) {
  return {FrameKind::Lua, function.name, function.id, function.source, function.file, function.line_defined};
}

inline FrameSymbol native(const std::string& name) { return {FrameKind::Native, name, "", "", "", 0}; }
inline FrameSymbol other(FrameKind kind) { return {kind, "", "", "", "", 0}; }

/// Frames root first as (symbol, line); one sample is a millisecond.
inline StackSample stack_of(const std::vector<std::pair<uint32_t, int32_t>>& frames, uint64_t samples) {
  StackSample stack;
  for (const auto& [symbol, line] : frames) stack.frames.push_back({symbol, line});
  stack.samples = samples;
  stack.nanoseconds = samples * 1'000'000;
  return stack;
}

/// main (line 0) calls f (line 10), which calls itself; the times are those of `stacks`.
inline RunProfile two_functions(std::vector<StackSample> stacks) {
  RunProfile profile;
  profile.paths.functions = {function_of("main chunk", "aaaaaaaaaaaaaaaa", 0, {path_of("E:0:X", 1, 20)}),
                             function_of("f", "bbbbbbbbbbbbbbbb", 10, {path_of("E:1:L0", 5, 8), path_of("L0:0:X", 5, 2, PathStart::Loop)})};
  profile.time.emplace();
  profile.time->symbols = {symbol_of(profile.paths.functions[0]), symbol_of(profile.paths.functions[1]), native("pcall"),
                           other(FrameKind::Finalizer), other(FrameKind::Coroutine), other(FrameKind::Collector), native("sort")};
  for (const StackSample& stack : stacks) profile.time->samples += stack.samples;
  profile.time->mean_period_ns = 1'000'000;
  profile.time->thread_ns = profile.time->samples * 1'000'000;
  profile.time->stacks = std::move(stacks);
  return profile;
}

}  // namespace mangata
