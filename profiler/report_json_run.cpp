#include "profiler/report_json_run.h"

#include <map>

#include "profiler/model/profile_words.h"

namespace mangata {
namespace {

using Json = nlohmann::ordered_json;

/// The stacks as a tree, each node below its caller and behind it in the list.
Json stacks_json(const TimeProfile& time) {
  Json nodes = Json::array();
  std::map<std::pair<int64_t, StackFrame>, size_t> places;
  for (const StackSample& stack : time.stacks) {
    if (stack.frames.empty()) continue;
    int64_t at = -1;
    for (const StackFrame& frame : stack.frames) {
      const auto [place, is_new] = places.try_emplace({at, frame}, nodes.size());
      if (is_new) {
        nodes.push_back({{"parent", at < 0 ? Json(nullptr) : Json(at)},
                         {"symbol", frame.symbol},
                         {"line", frame.line > 0 ? Json(frame.line) : Json(nullptr)}});
      }
      at = static_cast<int64_t>(place->second);
    }
    nodes[static_cast<size_t>(at)][stack.is_shortened ? "shortened" : "self"] = {{"samples", stack.samples}, {"nanoseconds", stack.nanoseconds}};
  }
  return nodes;
}

}  // namespace

Json runs_json(const std::vector<RunInfo>& runs) {
  Json list = Json::array();
  for (const RunInfo& run : runs) {
    list.push_back({{"command_line", run.command_line},
                    {"version", run.version},
                    {"date", run.date},
                    {"policy", run.policy},
                    {"exit_status", run.exit_status ? Json(*run.exit_status) : Json(nullptr)}});
  }
  return list;
}

Json chunks_json(const std::vector<ChunkText>& chunks) {
  Json list = Json::array();
  for (const ChunkText& chunk : chunks) {
    list.push_back({{"source", chunk.source}, {"length", chunk.length}, {"hash", chunk.hash}});
    if (chunk.is_ambiguous) list.back()["ambiguous"] = true;
    if (chunk.text) list.back()["text"] = *chunk.text;
  }
  return list;
}

Json time_json(const TimeProfile& time) {
  Json symbols = Json::array();
  for (const FrameSymbol& symbol : time.symbols) {
    symbols.push_back({{"kind", kFrameWords.of(symbol.kind)}, {"name", symbol.name}});
    if (symbol.kind != FrameKind::Lua) continue;
    symbols.back().update({{"id", symbol.id}, {"source", symbol.source}, {"file", symbol.file}, {"line", symbol.line_defined}});
    if (symbol.column_defined > 0) symbols.back()["column"] = symbol.column_defined;
  }
  return {{"samples", time.samples},
          {"mean_period_ns", time.mean_period_ns},
          {"thread_ns", time.thread_ns},
          {"wall_ns", time.wall_ns},
          {"waiting_ns", time.waiting_ns},
          {"compile_thread_ns", time.compile_thread_ns},
          {"invalid_samples", time.invalid_samples},
          {"invalid_ns", time.invalid_ns},
          {"symbols", std::move(symbols)},
          {"stacks", stacks_json(time)}};
}

}  // namespace mangata
