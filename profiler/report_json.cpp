// The report for programs. Schema, and what its keys mean: profiler/README.md.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "profiler/report.h"
#include "profiler/selection.h"

namespace mangata {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

const char* start_name(PathStart start) {
  switch (start) {
    case PathStart::Entry: return "entry";
    case PathStart::Loop: return "loop";
    case PathStart::Cut: return "cut";
  }
  return "";
}

const char* end_name(PathEnd end) {
  switch (end) {
    case PathEnd::Return: return "return";
    case PathEnd::Loop: return "loop";
    case PathEnd::Cut: return "cut";
    case PathEnd::InFlight: return "left";
  }
  return "";
}

Json line_json(int32_t line) { return line > 0 ? Json(line) : Json(nullptr); }

Json path_json(const PathCount& counted) {
  const Path& path = counted.path;
  Json steps = Json::array();
  for (const PathStep& step : path.steps) {
    const std::string text = describe(step);
    steps.push_back({{"line", line_json(step.line)}, {"arm", text.substr(text.find(':') + 1)}});
  }
  return {{"key", path.key},
          {"count", counted.count},
          {"length", path.bytecodes},
          {"start", {{"kind", start_name(path.start)}, {"line", line_json(path.start_line)}}},
          {"steps", std::move(steps)},
          {"end", {{"kind", end_name(path.end)}, {"line", line_json(path.end_line)}}},
          {"lines", path.lines}};
}

Json function_json(const FunctionProfile& function) {
  uint64_t completed = 0;
  for (const PathCount& path : function.paths) completed += path.count;
  return {{"id", function.id},
          {"name", function.name},
          {"source", function.source},
          {"line", function.line_defined},
          {"last_line", function.last_line_defined},
          {"possible_paths", function.possible_paths},
          {"truncated", function.is_truncated},
          {"table", function.is_hashed ? "hash" : "array"},
          {"completed", completed},
          {"paths", Json::array()},
          {"cut_paths", Json::array()}};
}

}  // namespace

std::string write_json_report(const PathProfile& profile, const ReportOptions& options) {
  const Selection selection = select_paths(profile, options, /*default_top=*/0);
  Json functions = Json::array();
  std::map<const FunctionProfile*, size_t> place;
  const auto function_of = [&](const FunctionProfile* function) -> Json& {
    const auto [found, is_new] = place.try_emplace(function, functions.size());
    if (is_new) functions.push_back(function_json(*function));
    return functions[found->second];
  };
  for (const SelectedPath& path : selection.paths) function_of(path.function)["paths"].push_back(path_json(*path.path));
  for (const SelectedPath& path : selection.cut_paths) {
    function_of(path.function)["cut_paths"].push_back(path_json(*path.path));
  }
  const Json report = {{"format", "mangata-path-profile"},
                       {"version", kVersion},
                       {"weight", options.weight == ReportWeight::Bytecodes ? "bytecodes" : "count"},
                       {"totals",
                        {{"completed", selection.completed},
                         {"distinct", selection.distinct},
                         {"functions", profile.functions.size()},
                         {"bytecodes", selection.bytecodes},
                         {"cut", selection.cut},
                         {"shown_percent", std::round(selection.shown_percent * 1000) / 1000}}},
                       {"functions", std::move(functions)}};
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mangata
