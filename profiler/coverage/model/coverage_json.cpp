#include "profiler/coverage/model/coverage_json.h"

#include <nlohmann/json.hpp>

namespace mangata::coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json total_json(const Total& total) { return {total.hit, total.all}; }

Json loop_json(const CoveredLoop& loop) {
  return {{"line", loop.line}, {"column", loop.column}, {"may_be_left_out", loop.may_be_left_out}, {"is_fixed", loop.is_fixed}, {"left_out", loop.left_out}, {"entered", loop.entered}, {"iterations", loop.iterations}, {"once", {loop.once_least, loop.once_most}}};
}

Json paths_json(const FunctionPaths& function) {
  Json branches = Json::array(), loops = Json::array(), paths = Json::array();
  for (const PathBranch& branch : function.branches) {
    branches.push_back({branch.line, branch.column, outcome_name(branch.outcomes[0]), outcome_name(branch.outcomes[1])});
  }
  for (const CoveredLoop& loop : function.loops) loops.push_back(loop_json(loop));
  for (const CoveredPath& path : function.paths) paths.push_back({path.start, path.end, path.end_line, path.count, path.steps});
  return {{"name", function.name},
          {"line", function.line},
          {"column", function.column},
          {"possible", function.possible ? Json(*function.possible) : Json()},
          {"is_listed", function.is_listed},
          {"branches", std::move(branches)},
          {"loops", std::move(loops)},
          {"paths", std::move(paths)}};
}

Json file_json(const SourceFile& file) {
  Json lines = Json::array(), conditions = Json::array(), functions = Json::array(), paths = Json::array();
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (!file.lines[i].counts) continue;
    lines.push_back({i + 1, file.lines[i].hits});
    for (const Condition& condition : file.lines[i].conditions) {
      conditions.push_back({i + 1, outcome_name(condition.outcomes[0]), condition.counts[0], outcome_name(condition.outcomes[1]),
                            condition.counts[1]});
    }
  }
  for (const SourceFunction& function : file.functions) {
    functions.push_back({{"name", function.name},
                         {"line", function.first_line},
                         {"last_line", function.last_line},
                         {"first_counted_line", function.first_counted_line},
                         {"calls", function.calls}});
  }
  for (const FunctionPaths& function : file.paths) paths.push_back(paths_json(function));
  Json json = {{"name", file.name}, {"text", file.text_hash}, {"line_count", file.lines.size()}, {"lines", std::move(lines)}, {"conditions", std::move(conditions)}, {"functions", std::move(functions)}};
  if (!paths.empty()) json["paths"] = std::move(paths);
  return json;
}

}  // namespace

std::string write_json(const CoverageReport& report) {
  const Totals totals = totals_of(report.files);
  Json files = Json::array(), problems = Json::array();
  for (const SourceFile& file : report.files) files.push_back(file_json(file));
  for (const FileProblem& problem : report.problems) problems.push_back({{"name", problem.name}, {"what", problem.what}});
  const Json json = {{"format", "mangata-coverage"},
                     {"version", kVersion},
                     {"program", report.program},
                     {"folder", report.folder},
                     {"totals",
                      {{"lines", total_json(totals.lines)},
                       {"functions", total_json(totals.functions)},
                       {"branches", total_json(totals.branches)}}},
                     {"files", std::move(files)},
                     {"problems", std::move(problems)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mangata::coverage
