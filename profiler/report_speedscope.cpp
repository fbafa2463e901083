#include "profiler/report_speedscope.h"

#include <map>
#include <nlohmann/json.hpp>

#include "profiler/model/views.h"
#include "profiler/report_frames.h"

namespace mangata {
namespace {

using Json = nlohmann::ordered_json;

/// The frames that all profiles of the file share.
class Frames {
 public:
  size_t index_of(const FrameSymbol& symbol) {
    Json frame = {{"name", frame_name(symbol)}};
    if (symbol.kind == FrameKind::Lua) {
      frame["file"] = frame_file(symbol);
      frame["line"] = frame_line(symbol);
      if (symbol.column_defined > 0) frame["col"] = symbol.column_defined;
    }
    return place_of(std::move(frame));
  }
  size_t index_of(std::string_view name) { return place_of(Json{{"name", name}}); }

  Json list = Json::array();

 private:
  size_t place_of(Json frame) {
    const auto [place, is_new] = places_.try_emplace(frame.dump(), list.size());
    if (is_new) list.push_back(std::move(frame));
    return place->second;
  }
  std::map<std::string, size_t> places_;
};

/// Stacks with their weights, root first.
class Sampled {
 public:
  Sampled(std::string_view name, std::string_view unit) : name_(name), unit_(unit) {}
  void add(Json stack, uint64_t weight) {
    if (weight == 0) return;
    samples_.push_back(std::move(stack));
    weights_.push_back(weight);
    sum_ += weight;
  }
  Json json() && {
    return {{"type", "sampled"}, {"name", name_}, {"unit", unit_}, {"startValue", 0}, {"endValue", sum_}, {"samples", std::move(samples_)}, {"weights", std::move(weights_)}};
  }

 private:
  std::string_view name_, unit_;
  Json samples_ = Json::array(), weights_ = Json::array();
  uint64_t sum_ = 0;
};

Json time_profile(const TimeProfile& time, Frames& frames) {
  std::vector<size_t> places;
  for (const FrameSymbol& symbol : time.symbols) places.push_back(frames.index_of(symbol));
  Sampled sampled("processor time", "nanoseconds");
  for (const StackSample& sample : time.stacks) {
    if (sample.frames.empty()) continue;
    Json stack = Json::array();
    if (sample.is_shortened) stack.push_back(frames.index_of(kMoreFrames));
    for (const StackFrame& frame : sample.frames) stack.push_back(places[frame.symbol]);
    sampled.add(std::move(stack), sample.nanoseconds);
  }
  if (time.invalid_samples != 0) sampled.add({frames.index_of("[invalid samples]")}, time.invalid_ns);
  return std::move(sampled).json();
}

Json exact_profile(const PathProfile& profile, ReportWeight weight, std::string_view name, std::string_view unit, Frames& frames) {
  Sampled sampled(name, unit);
  for (const FunctionProfile& function : profile.functions) {
    Cost cost;
    for_each_path(function, [&cost](const PathCount& path, const LoopProfile*) { cost += cost_of(path); });
    sampled.add({frames.index_of(frame_symbol_of(function))}, value_of(cost, weight));
  }
  return std::move(sampled).json();
}

}  // namespace

std::string write_speedscope_report(const RunProfile& profile, const ReportOptions&) {
  Frames frames;
  Json profiles = Json::array();
  if (profile.time && profile.time->samples != 0) profiles.push_back(time_profile(*profile.time, frames));
  profiles.push_back(exact_profile(profile.paths, ReportWeight::Bytecodes, "bytecodes, without callers", "none", frames));
  if (profile.has_allocations) {
    profiles.push_back(exact_profile(profile.paths, ReportWeight::Bytes, "allocated bytes, without callers", "bytes", frames));
  }
  std::string name;
  for (const std::string& word : profile.runs.empty() ? std::vector<std::string>{} : profile.runs[0].command_line) {
    name += (name.empty() ? "" : " ") + word;
  }
  const Json file = {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                     {"exporter", "mangata" + (profile.runs.empty() ? "" : "@" + profile.runs[0].version)},
                     {"name", one_line(name.empty() ? "mangata" : name)},
                     {"activeProfileIndex", 0},
                     {"shared", {{"frames", std::move(frames.list)}}},
                     {"profiles", std::move(profiles)}};
  return file.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mangata
