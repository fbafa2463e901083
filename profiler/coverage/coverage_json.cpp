#include "profiler/coverage/coverage_json.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace mangata::coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr int32_t kMostLines = 10'000'000;

// --- writing

Json total_json(const Total& total) { return {total.hit, total.all}; }

Json file_json(const SourceFile& file) {
  Json lines = Json::array(), conditions = Json::array(), functions = Json::array();
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
  return {{"name", file.name},     {"text", file.text_hash},    {"line_count", file.lines.size()},
          {"lines", std::move(lines)}, {"conditions", std::move(conditions)}, {"functions", std::move(functions)}};
}

// --- reading: what is not as expected is thrown, as a text

struct Problem {
  std::string text;
};

const Json& member(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) throw Problem{std::string("has no member \"") + name + "\" where it should"};
  return object[name];
}

const Json& list(const Json& value, size_t size = 0) {
  if (!value.is_array() || (size != 0 && value.size() != size)) throw Problem{"has something else where a list should be"};
  return value;
}

std::string text(const Json& value) {
  if (!value.is_string()) throw Problem{"has something else where a text should be"};
  return value.get<std::string>();
}

uint64_t count(const Json& value) {
  if (!value.is_number_unsigned()) throw Problem{"has something else where a count should be"};
  return value.get<uint64_t>();
}

/// From 1 to `most`.
int32_t line(const Json& value, size_t most) {
  const uint64_t number = count(value);
  if (number < 1 || number > most) throw Problem{"has a line that the file does not have"};
  return static_cast<int32_t>(number);
}

Outcome outcome(const Json& value) {
  const std::string name = text(value);
  for (const Outcome candidate : {Outcome::True, Outcome::False, Outcome::Loop, Outcome::Done, Outcome::Enter, Outcome::Skip}) {
    if (name == outcome_name(candidate)) return candidate;
  }
  throw Problem{"has an outcome that there is none of"};
}

SourceFile file_of(const Json& json) {
  SourceFile file;
  file.name = text(member(json, "name"));
  file.text_hash = text(member(json, "text"));
  const uint64_t line_count = count(member(json, "line_count"));
  if (line_count > kMostLines) throw Problem{"has a file with too many lines"};
  file.lines.resize(line_count);
  for (const Json& entry : list(member(json, "lines"))) {
    SourceLine& own = file.lines[static_cast<size_t>(line(list(entry, 2)[0], line_count)) - 1];
    own.counts = true;
    own.hits = count(entry[1]);
  }
  for (const Json& entry : list(member(json, "conditions"))) {
    const int32_t number = line(list(entry, 5)[0], line_count);
    SourceLine& own = file.lines[static_cast<size_t>(number) - 1];
    if (!own.counts) throw Problem{"has a condition on a line that does not count"};
    own.conditions.push_back(
        {.line = number, .outcomes = {outcome(entry[1]), outcome(entry[3])}, .counts = {count(entry[2]), count(entry[4])}});
  }
  for (const Json& entry : list(member(json, "functions"))) {
    file.functions.push_back({text(member(entry, "name")), line(member(entry, "line"), line_count),
                              line(member(entry, "last_line"), line_count), line(member(entry, "first_counted_line"), line_count),
                              count(member(entry, "calls"))});
  }
  compute_totals(&file);
  return file;
}

}  // namespace

std::string write_json(const CoverageReport& report) {
  const Totals totals = totals_of(report.files);
  Json files = Json::array();
  for (const SourceFile& file : report.files) files.push_back(file_json(file));
  const Json json = {{"format", "mangata-coverage"},
                     {"version", kVersion},
                     {"program", report.program},
                     {"totals",
                      {{"lines", total_json(totals.lines)},
                       {"functions", total_json(totals.functions)},
                       {"branches", total_json(totals.branches)}}},
                     {"files", std::move(files)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool read_json_report(const std::string& text_of_file, std::vector<SourceFile>* files, std::string* error) {
  constexpr int kMostDepth = 8;
  const auto is_shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMostDepth) throw Problem{"is nested too deeply"};
    return true;
  };
  try {
    const Json json = Json::parse(text_of_file, is_shallow, /*allow_exceptions=*/false);
    if (json.is_discarded()) throw Problem{"is no JSON"};
    if (text(member(json, "format")) != "mangata-coverage") throw Problem{"is no coverage"};
    if (count(member(json, "version")) != kVersion) throw Problem{"has a version that is not known here"};
    for (const Json& file : list(member(json, "files"))) files->push_back(file_of(file));
    return true;
  } catch (const Problem& problem) {
    *error = problem.text;
    return false;
  }
}

}  // namespace mangata::coverage
