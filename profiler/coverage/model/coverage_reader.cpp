// Saved coverage, which may be anything: every value is looked at before it is believed (model/json_member.h).
#include "profiler/coverage/model/coverage_json.h"
#include "profiler/model/json_member.h"

namespace mangata::coverage {
namespace {

constexpr int kVersion = 1;
/// Of all files together: a short text must not make a large table.
constexpr uint64_t kMostLines = 10'000'000;

/// The elements of a list that has so many.
std::vector<Member> elements(const Member& list, size_t count) {
  std::vector<Member> all;
  list.each([&](const Member& element) { all.push_back(element); });
  if (all.size() != count) list.fail("expected a list of " + std::to_string(count));
  return all;
}

/// From 1 to `most`.
int32_t line(const Member& member, size_t most) {
  const int32_t number = member.whole(1);
  if (static_cast<size_t>(number) > most) member.fail("is no line of the file");
  return number;
}

Outcome outcome(const Member& member) {
  const std::string name = member.text();
  for (const Outcome candidate : {Outcome::True, Outcome::False, Outcome::Loop, Outcome::Done, Outcome::Enter, Outcome::Skip}) {
    if (name == outcome_name(candidate)) return candidate;
  }
  member.fail("is no known word");
}

CoveredLoop loop_of(const Member& member) {
  CoveredLoop loop;
  loop.line = member["line"].whole(0);
  loop.column = member["column"].whole(0);
  loop.may_be_left_out = member["may_be_left_out"].flag();
  loop.is_fixed = member["is_fixed"].flag();
  loop.left_out = member["left_out"].count();
  loop.entered = member["entered"].count();
  loop.iterations = member["iterations"].count();
  const std::vector<Member> once = elements(member["once"], 2);
  loop.once_least = once[0].count();
  loop.once_most = once[1].count();
  return loop;
}

CoveredPath path_of(const Member& member, const FunctionPaths& function) {
  const std::vector<Member> parts = elements(member, 5);
  const auto loop_or_function = [&](const Member& part) {
    const int32_t loop = part.whole(CoveredPath::kFunction);
    if (loop >= static_cast<int32_t>(function.loops.size())) part.fail("is no loop");
    return loop;
  };
  CoveredPath path{.start = loop_or_function(parts[0]), .steps = {}, .end = loop_or_function(parts[1]), .end_line = parts[2].whole(-1), .count = parts[3].count()};
  parts[4].each([&](const Member& step) {
    if (step.count() >= 2 * function.branches.size()) step.fail("is no outcome of a branch");
    path.steps.push_back(static_cast<uint32_t>(step.count()));
  });
  if (path.steps.size() > function.branches.size()) parts[4].fail("has more outcomes than there are branches");
  return path;
}

FunctionPaths paths_of(const Member& member) {
  FunctionPaths function;
  function.name = member["name"].text();
  function.line = member["line"].whole(0);
  function.column = member["column"].whole(0);
  if (!member["possible"].is_null()) function.possible = member["possible"].count();
  function.is_listed = member["is_listed"].flag();
  member["branches"].each([&](const Member& entry) {
    const std::vector<Member> parts = elements(entry, 4);
    function.branches.push_back({parts[0].whole(-1), parts[1].whole(0), {outcome(parts[2]), outcome(parts[3])}});
  });
  member["loops"].each([&](const Member& entry) { function.loops.push_back(loop_of(entry)); });
  member["paths"].each([&](const Member& entry) { function.paths.push_back(path_of(entry, function)); });
  sort_paths(&function.paths);
  if (function.possible && function.paths.size() > *function.possible) member["paths"].fail("has more paths than are possible");
  return function;
}

SourceFile file_of(const Member& member, uint64_t* lines_left) {
  SourceFile file;
  file.name = member["name"].text();
  file.text_hash = member["text"].text();
  const uint64_t line_count = member["line_count"].count();
  if (line_count > *lines_left) member["line_count"].fail("is too large");
  *lines_left -= line_count;
  file.lines.resize(line_count);
  member["lines"].each([&](const Member& entry) {
    const std::vector<Member> parts = elements(entry, 2);
    SourceLine& own = file.lines[static_cast<size_t>(line(parts[0], line_count)) - 1];
    own.counts = true;
    own.hits = parts[1].count();
  });
  member["conditions"].each([&](const Member& entry) {
    const std::vector<Member> parts = elements(entry, 5);
    const int32_t number = line(parts[0], line_count);
    SourceLine& own = file.lines[static_cast<size_t>(number) - 1];
    if (!own.counts) entry.fail("is a condition on a line that does not count");
    own.conditions.push_back({.line = number,
                              .outcomes = {outcome(parts[1]), outcome(parts[3])},
                              .counts = {parts[2].count(), parts[4].count()}});
  });
  member["functions"].each([&](const Member& entry) {
    file.functions.push_back({entry["name"].text(), line(entry["line"], line_count), line(entry["last_line"], line_count),
                              line(entry["first_counted_line"], line_count), entry["calls"].count()});
  });
  if (member.has("paths")) member["paths"].each([&](const Member& entry) { file.paths.push_back(paths_of(entry)); });
  compute_totals(&file);
  return file;
}

}  // namespace

bool is_coverage(const std::string& text) { return text.find("\"mangata-coverage\"") != std::string::npos; }

bool read_json_report(const std::string& text, const std::string& file, CoverageReport* report, std::string* error) {
  const auto read = [&](const Member& member) {
    if (member["format"].text() != "mangata-coverage") member["format"].fail("is not \"mangata-coverage\"");
    if (member["version"].count() != kVersion) member["version"].fail("is not known here");
    if (member.has("folder")) report->folder = member["folder"].text();
    uint64_t lines_left = kMostLines;
    member["files"].each([&](const Member& entry) { report->files.push_back(file_of(entry, &lines_left)); });
    if (!member.has("problems")) return;
    member["problems"].each([&](const Member& entry) { report->problems.push_back({entry["name"].text(), entry["what"].text()}); });
  };
  return read_json(text, file, "coverage", read, error);
}

}  // namespace mangata::coverage
