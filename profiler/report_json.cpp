// The report for programs. Schema, and what its keys mean: profiler/JSON.md.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "profiler/report.h"
#include "profiler/report_json_run.h"
#include "profiler/selection.h"

namespace mangata {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

double rounded(double value) { return std::round(value * 1000) / 1000; }

Json line_json(int32_t line) { return line > 0 ? Json(line) : Json(nullptr); }

/// Without its count.
Json path_json(const Path& path) {
  Json steps = Json::array();
  for (const PathStep& step : path.steps) {
    steps.push_back({{"line", line_json(step.line)}, {"arm", outcome_name(step.outcome)}});
    if (step.column > 0) steps.back().update({{"column", step.column}, {"length", step.length}});
  }
  Json json = {{"key", path.key},
               {"length", path.bytecodes},
               {"start", {{"kind", name_of(path.start)}, {"line", line_json(path.start_line)}}},
               {"steps", std::move(steps)},
               {"end", {{"kind", name_of(path.end)}, {"line", line_json(path.end_line)}}},
               {"lines", path.lines},
               {"line_bytecodes", path.line_bytecodes}};
  if (path.start_column > 0) json["start"]["column"] = path.start_column;
  if (path.end_column > 0) json["end"]["column"] = path.end_column;
  if (!path.iteration_ends.empty()) {
    json["iteration_ends"] = path.iteration_ends;
    json["repeated"] = path.repeated_bytecodes;
  }
  return json;
}

Json path_json(const PathCount& counted) {
  Json json = {{"key", counted.path.key}, {"count", counted.count}};
  if (counted.nanoseconds) json["nanoseconds"] = *counted.nanoseconds;
  if (counted.allocated_bytes) json["allocated_bytes"] = *counted.allocated_bytes;
  if (counted.allocated_objects) json["allocated_objects"] = *counted.allocated_objects;
  json.update(path_json(counted.path));
  if (counted.edges != 0) {
    json["edges"] = counted.edges;
    json["named_edges"] = counted.named_edges;
    json["named_length"] = counted.named_bytecodes;
  }
  if (counted.is_residual) json["residual"] = true;
  return json;
}

uint64_t total(const std::vector<PathCount>& paths) {
  uint64_t sum = 0;
  for (const PathCount& path : paths) sum += path.count;
  return sum;
}

Json loop_json(const LoopProfile& loop) {
  const bool has_window = loop.iterations >= 2;
  Json accuracy = Json::array();
  for (const double share : loop.accuracy) accuracy.push_back(rounded(share));
  return {{"key", loop.key},
          {"line", line_json(loop.line)},
          {"column", loop.column},
          {"k", loop.iterations},
          {"body_paths", has_window ? Json(loop.body_paths) : Json(nullptr)},
          {"table", has_window ? Json(loop.is_hashed ? "hash" : "array") : Json(nullptr)},
          {"slots", loop.slots},
          {"completed", total(loop.windows)},
          {"backedges", loop.backedges},
          {"rounds", loop.runs},
          {"distinct", loop.distinct_runs},
          {"accuracy", std::move(accuracy)},
          {"best_k", loop.chosen},
          {"windows", Json::array()}};
}

Json prediction_json(const EdgePrediction& prediction) {
  return {{"paths", prediction.executions},
          {"right", prediction.right},
          {"right_percent", std::round(prediction.right_percent() * 1000) / 1000},
          {"named", prediction.misleads ? path_json(PathCount{prediction.named, prediction.named_count})
                                        : Json(nullptr)}};
}

const char* table_name(const FunctionProfile& function) {
  if (function.is_preferential) return "preferential";
  return function.is_hashed ? "hash" : "array";
}

Json baseline_json(const BaselineComparison& comparison, const Selection& selection) {
  uint64_t executions = 0;
  for (const SelectedPath& selected : selection.residual) executions += selected.path->count;
  Json stale = Json::array();
  for (const StaleFunction& function : comparison.stale) {
    stale.push_back({{"id", function.id},
                     {"name", function.name},
                     {"source", function.source},
                     {"line", function.line},
                     {"gone", function.is_gone},
                     {"keys", function.keys}});
  }
  return {{"file", comparison.file},
          {"paths", comparison.paths},
          {"taken", comparison.taken},
          {"residual", {{"distinct", selection.residual.size()}, {"completed", executions}}},
          {"stale", std::move(stale)}};
}

/// `iterations`: --profile-k
Json function_json(const FunctionProfile& function, unsigned iterations) {
  Json json = {{"id", function.id},
               {"name", function.name},
               {"source", function.source},
               {"file", function.file},
               {"line", function.line_defined},
               {"column", function.column_defined},
               {"last_line", function.last_line_defined},
               {"crowded_lines", function.crowded_lines},
               {"possible_paths", function.has_hashed_ids ? Json(nullptr) : Json(function.possible_paths)},
               {"truncated", function.is_truncated},
               {"table", table_name(function)},
               {"completed", total(function.paths)},
               {"by_edges", prediction_json(function.by_edges)},
               {"paths", Json::array()},
               {"cut_paths", Json::array()}};
  if (function.left_out != 0) json["left_out"] = function.left_out;
  if (iterations >= 2) json["k"] = function.has_hashed_ids ? 1 : iterations;
  if (function.has_hashed_ids) {
    json["hashed_ids"] = {{"collision_bound", function.collision_bound}, {"collisions", function.collisions}};
  }
  if (function.is_preferential) {
    json["preferential"] = {{"paths", function.preferred_paths}, {"slots", function.preferred_slots}};
  }
  if (!function.loops.empty()) {
    json["shortened"] = function.is_shortened;
    for (const LoopProfile& loop : function.loops) json["loops"].push_back(loop_json(loop));
  }
  return json;
}

Json coverage_json(const PathProfile& profile, const ReportOptions& options) {
  Json functions = Json::array();
  for (const FunctionCoverage& function : profile.coverage) {
    if (!passes_filters(function.name, function.file, options)) continue;
    Json never = Json::array();
    for (const Path& path : function.never_taken) never.push_back(path_json(path));
    functions.push_back({{"id", function.id},
                         {"name", function.name},
                         {"source", function.source},
                         {"file", function.file},
                         {"line", function.line_defined},
                         {"column", function.column_defined},
                         {"crowded_lines", function.crowded_lines},
                         {"has_run", function.has_run},
                         {"possible", function.possible ? Json(*function.possible) : Json(nullptr)},
                         {"taken", function.taken},
                         {"listed", function.is_enumerated},
                         {"never_taken", std::move(never)}});
  }
  return functions;
}

}  // namespace

std::string write_json_report(const RunProfile& run, const ReportOptions& options) {
  const PathProfile& profile = run.paths;
  const Selection selection = select_paths(profile, options, /*default_top=*/0);
  Json functions = Json::array();
  std::map<const FunctionProfile*, size_t> place;
  const auto function_of = [&](const FunctionProfile* function) -> Json& {
    const auto [found, is_new] = place.try_emplace(function, functions.size());
    if (is_new) {
      functions.push_back(function_json(*function, profile.iterations));
      if (profile.baseline) functions.back()["in_baseline"] = function->in_baseline;
    }
    return functions[found->second];
  };
  for (const SelectedPath& path : selection.paths) {
    Json& function = function_of(path.function);
    const auto loop = static_cast<size_t>(path.loop == nullptr ? 0 : path.loop - path.function->loops.data());
    Json& list = path.loop == nullptr ? function["paths"] : function["loops"][loop]["windows"];
    list.push_back(path_json(*path.path));
  }
  for (const SelectedPath& path : selection.cut_paths) {
    function_of(path.function)["cut_paths"].push_back(path_json(*path.path));
  }
  Json report = {{"format", "mangata-path-profile"},
                 {"version", kVersion},
                 {"weight", name_of(options.weight)},
                 {"k", profile.iterations},
                 {"totals",
                  {{"completed", selection.completed},
                   {"distinct", selection.distinct},
                   {"functions", profile.functions.size()},
                   {"bytecodes", selection.bytecodes},
                   {"cut", selection.cut},
                   {"shown_percent", rounded(selection.shown_percent)}}},
                 {"functions", std::move(functions)}};
  if (!run.runs.empty()) report["runs"] = runs_json(run.runs);
  if (!profile.chunks.empty()) report["chunks"] = chunks_json(profile.chunks);
  if (run.has_allocations) report["allocations"] = true;
  if (run.time) report["time"] = time_json(*run.time);
  if (profile.is_estimate) report["estimate"] = true;
  if (const LeftOutPaths& left_out = profile.left_out; left_out.paths != 0) {
    report["left_out"] = {{"paths", left_out.paths},
                          {"executions", left_out.executions},
                          {"most_missing", left_out.most_missing},
                          {"max_memory", profile.max_memory_bytes}};
  }
  if (profile.has_coverage) report["coverage"] = coverage_json(profile, options);
  if (profile.baseline) report["baseline"] = baseline_json(*profile.baseline, selection);
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mangata
