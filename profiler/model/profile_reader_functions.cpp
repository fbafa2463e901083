// Functions and paths of saved profiles.
#include <algorithm>

#include "profiler/model/json_member.h"
#include "profiler/model/profile_reader.h"
#include "profiler/model/profile_words.h"

namespace mangata {
namespace {

constexpr size_t kIdDigits = 16;

/// Lines, of which -1 is one that is not known.
std::vector<int32_t> lines_from(const Member& member) {
  std::vector<int32_t> lines;
  member.each([&](const Member& line) { lines.push_back(line.whole(-1)); });
  return lines;
}

std::vector<uint32_t> counts_from(const Member& member) {
  std::vector<uint32_t> counts;
  member.each([&](const Member& count) { counts.push_back(static_cast<uint32_t>(count.whole(0))); });
  return counts;
}

Path path_from(const Member& member) {
  Path path;
  path.key = member["key"].text();
  path.bytecodes = member["length"].count();
  path.start = word_from(member["start"]["kind"], kStartWords);
  path.start_line = member["start"]["line"].line();
  path.start_column = member["start"].whole_or("column", 0);
  path.end = word_from(member["end"]["kind"], kEndWords);
  path.end_line = member["end"]["line"].line();
  path.end_column = member["end"].whole_or("column", 0);
  member["steps"].each([&](const Member& step) {
    path.steps.push_back(
        {step["line"].line(), word_from(step["arm"], kOutcomeWords), step.whole_or("column", 0), step.whole_or("length", 0)});
  });
  path.lines = lines_from(member["lines"]);
  if (member.has("line_bytecodes")) path.line_bytecodes = counts_from(member["line_bytecodes"]);
  if (member.has("iteration_ends")) path.iteration_ends = counts_from(member["iteration_ends"]);
  path.repeated_bytecodes = member.count_or("repeated", 0);
  if (path.repeated_bytecodes > path.bytecodes) member["repeated"].fail("is more than its length");
  return path;
}

PathCount counted_from(const Member& member) {
  PathCount counted;
  counted.path = path_from(member);
  counted.count = member["count"].count();
  counted.is_residual = member.flag_or("residual", false);
  counted.edges = member.count_or("edges", 0);
  counted.named_edges = member.count_or("named_edges", 0);
  counted.named_bytecodes = member.count_or("named_length", 0);
  if (member.has("nanoseconds")) counted.nanoseconds = member["nanoseconds"].count();
  if (member.has("allocated_bytes")) counted.allocated_bytes = member["allocated_bytes"].count();
  if (member.has("allocated_objects")) counted.allocated_objects = member["allocated_objects"].count();
  return counted;
}

std::vector<PathCount> paths_from(const Member& member) {
  std::vector<PathCount> paths;
  member.each([&](const Member& path) { paths.push_back(counted_from(path)); });
  return paths;
}

LoopProfile loop_from(const Member& member) {
  LoopProfile loop;
  loop.key = member["key"].text();
  loop.line = member["line"].line();
  loop.column = member.whole_or("column", 0);
  loop.iterations = static_cast<unsigned>(member["k"].number(1, 16));
  if (!member["body_paths"].is_null()) loop.body_paths = member["body_paths"].count();
  loop.is_hashed = !member["table"].is_null() && member["table"].text() == "hash";
  loop.slots = member["slots"].count();
  loop.backedges = member["backedges"].count();
  loop.runs = member["rounds"].count();
  loop.distinct_runs = member["distinct"].count();
  member["accuracy"].each([&](const Member& share) { loop.accuracy.push_back(share.number(0, 1)); });
  loop.chosen = static_cast<unsigned>(member["best_k"].number(1, 16));
  loop.windows = paths_from(member["windows"]);
  return loop;
}

EdgePrediction prediction_from(const Member& member) {
  EdgePrediction prediction;
  prediction.executions = member["paths"].count();
  prediction.right = member["right"].count();
  if (prediction.right > prediction.executions) member["right"].fail("is more than there are paths");
  prediction.misleads = !member["named"].is_null();
  if (!prediction.misleads) return prediction;
  prediction.named = path_from(member["named"]);
  prediction.named_count = member["named"]["count"].count();
  return prediction;
}

/// A chunk name as messages show it, for profiles that do not have it.
std::string file_of(const std::string& source) {
  if (source.starts_with('@') || source.starts_with('=')) return source.substr(1);
  const size_t end = source.find('\n');
  return "[string \"" + source.substr(0, std::min<size_t>(end, 40)) + (end == std::string::npos && source.size() <= 40 ? "" : "...") + "\"]";
}

template <class Function>
void read_identity(const Member& member, Function* function) {
  function->id = member["id"].text();
  if (function->id.size() != kIdDigits || function->id.find_first_not_of("0123456789abcdef") != std::string::npos) {
    member["id"].fail("expected 16 hexadecimal digits");
  }
  function->name = member["name"].text();
  function->source = member["source"].text();
  function->file = member.has("file") ? member["file"].text() : file_of(function->source);
  function->line_defined = member["line"].whole(0);
  function->column_defined = member.whole_or("column", 0);
  if (!member.has("crowded_lines")) return;
  function->crowded_lines = lines_from(member["crowded_lines"]);
  std::sort(function->crowded_lines.begin(), function->crowded_lines.end());
}

}  // namespace

FunctionProfile function_from(const Member& member) {
  FunctionProfile function;
  read_identity(member, &function);
  function.last_line_defined = member["last_line"].whole(0);
  if (!member["possible_paths"].is_null()) function.possible_paths = member["possible_paths"].count();
  function.is_truncated = member["truncated"].flag();
  const std::string table = member["table"].text();
  function.is_hashed = table == "hash";
  function.is_preferential = table == "preferential";
  if (member.has("preferential")) {
    function.preferred_paths = member["preferential"]["paths"].count();
    function.preferred_slots = member["preferential"]["slots"].count();
  }
  function.in_baseline = member.flag_or("in_baseline", false);
  function.by_edges = prediction_from(member["by_edges"]);
  function.paths = paths_from(member["paths"]);
  function.cut_paths = paths_from(member["cut_paths"]);
  if (member.has("hashed_ids")) {
    function.has_hashed_ids = true;
    function.collision_bound = member["hashed_ids"]["collision_bound"].number(0, 1e18);
    function.collisions = member["hashed_ids"]["collisions"].count();
  }
  if (member.has("left_out")) function.left_out = member["left_out"].count();
  function.is_shortened = member.flag_or("shortened", false);
  if (member.has("loops")) member["loops"].each([&](const Member& loop) { function.loops.push_back(loop_from(loop)); });
  return function;
}

FunctionCoverage coverage_from(const Member& member) {
  FunctionCoverage coverage;
  read_identity(member, &coverage);
  if (!member["possible"].is_null()) coverage.possible = member["possible"].count();
  coverage.taken = member["taken"].count();
  coverage.has_run = member.flag_or("has_run", coverage.taken != 0);
  coverage.is_enumerated = member["listed"].flag();
  if (coverage.is_enumerated && !coverage.possible) member["listed"].fail("true, but not how many are possible");
  member["never_taken"].each([&](const Member& path) { coverage.never_taken.push_back(path_from(path)); });
  return coverage;
}

}  // namespace mangata
