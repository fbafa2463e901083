#include "runtime/tiering/decision_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "jit/region/region_input.h"
#include "runtime/tiering/decision_words.h"
#include "runtime/tiering/policy_fields.h"

namespace mangata {
namespace {

using Json = nlohmann::ordered_json;

template <size_t N>
uint32_t read_word(const char* const (&words)[N], const Json& json) {
  const auto word = json.get<std::string>();
  const auto index = index_of_word(words, word);
  if (!index) throw std::runtime_error("unknown word '" + word + "'");
  return *index;
}

/// Fields as they are in every record.
struct FieldWriter {
  Json& json;

  template <typename T>
  void number(const char* word, T value) { json[word] = value; }
  void flag(const char* word, uint32_t value) { json[word] = value != 0; }
  void late_flag(const char* word, uint32_t value) { flag(word, value); }
  void text(const char* word, const char* value) { json[word] = value; }
  void words(const char* word, const uint64_t (&value)[MANGATA_MEMORY_WORDS]) { json[word] = value; }
  void occasion(const char* word, uint32_t value) { json[word] = word_at(kOccasionWords, value); }
  void tier(const char* word, uint32_t value) { json[word] = word_at(kTierWords, value); }
  void profile(const char* word, uint32_t value) { json[word] = word_at(kProfileWords, value); }
  void compiler(const char* word, uint32_t value) {
    if (value != MANGATA_COMPILER_ANY) json[word] = word_at(kCompilerWords, value);
  }
  void list(const char* word, const void*) {
    json[word] = Json::array();
    if (std::string_view(word) == "hottest") list("regions", nullptr);  // which stand there
  }
  template <typename T>
  void measured(const char*, T) {}
  template <typename T>
  void machine(const char*, T) {}
  template <typename T>
  void hidden(const char*, const T&) {}
};

/// What differs between runs.
struct MeasuredWriter {
  Json& json;

  template <typename T>
  void measured(const char* word, T value) { json[word] = value; }
#define OTHER(kind)     \
  template <typename T> \
  void kind(const char*, const T&) {}
  OTHER(number)
  OTHER(flag)
  OTHER(late_flag)
  OTHER(compiler)
  OTHER(text)
  OTHER(words)
  OTHER(occasion)
  OTHER(tier)
  OTHER(profile)
  OTHER(list)
  OTHER(machine)
  OTHER(hidden)
#undef OTHER
};

Json loop_to_json(const mangata_loop_snapshot& loop) {
  Json json;
  visit_loop_fields(loop, FieldWriter{json});
  json["accuracy"] = std::vector<double>(loop.accuracy, loop.accuracy + std::min<uint32_t>(loop.accuracy_count, MANGATA_MAX_K));
  return json;
}

Json path_to_json(const mangata_path_snapshot& path) {
  Json json;
  visit_path_fields(path, FieldWriter{json});
  return json;
}

/// @param measured  with what differs between runs
Json region_to_json(const mangata_region_snapshot& region, bool measured) {
  Json json;
  visit_region_fields(region, FieldWriter{json});
  if (measured) visit_region_fields(region, MeasuredWriter{json});
  return json;
}

Json snapshot_to_json(const ProfileSnapshot& snapshot, bool measured) {
  Json json;
  visit_profile_fields(snapshot, FieldWriter{json});
  for (uint32_t i = 0; i < snapshot.loop_count; ++i) json["loops"].push_back(loop_to_json(snapshot.loops[i]));
  for (uint32_t i = 0; i < snapshot.path_count; ++i) json["hottest"].push_back(path_to_json(snapshot.hottest[i]));
  for (uint64_t i = 0; i < snapshot.region_count; ++i) json["regions"].push_back(region_to_json(snapshot.regions[i], measured));
  if (measured) visit_profile_fields(snapshot, MeasuredWriter{json});
  return json;
}

/// Fields of a decision about a function with so many loops.
struct DecisionWriter : FieldWriter {
  uint32_t loop_count;

  void flag(const char* word, uint32_t value) {
    FieldWriter::flag(word, value);
    if (std::string_view(word) == "forget") FieldWriter::flag("drop_regions", 0);  // which stands there
  }
  void loops(const char* word, const uint8_t (&value)[MANGATA_MAX_LOOPS]) {
    json[word] = std::vector<uint32_t>(value, value + std::min<uint32_t>(loop_count, MANGATA_MAX_LOOPS));
  }
  void countdown(const char* word, int32_t value) { json[word] = value; }
};

Json decision_to_json(const ProfileSnapshot& snapshot, const Decision& decision) {
  Json json;
  visit_decision_fields(decision, DecisionWriter{{json}, snapshot.loop_count});
  return json;
}

/// What records leave out is 0. Texts and lists are read by those who keep them.
struct FieldReader {
  const Json& json;

  template <typename T>
  void number(const char* word, T& value) { json.at(word).get_to(value); }
  void flag(const char* word, uint32_t& value) { value = json.at(word).get<bool>(); }
  void late_flag(const char* word, uint32_t& value) { value = json.value(word, false); }
  void words(const char* word, uint64_t (&value)[MANGATA_MEMORY_WORDS]) { json.at(word).get_to(value); }
  void occasion(const char* word, uint32_t& value) { value = read_word(kOccasionWords, json.at(word)); }
  void tier(const char* word, uint32_t& value) { value = read_word(kTierWords, json.at(word)); }
  void profile(const char* word, uint32_t& value) { value = read_word(kProfileWords, json.at(word)); }
  void compiler(const char* word, uint32_t& value) {
    if (const auto found = json.find(word); found != json.end()) value = read_word(kCompilerWords, *found);
  }
  template <typename T>
  void measured(const char* word, T& value) { value = json.value(word, T{}); }
  void text(const char*, const char*) {}
  void list(const char*, const void*) {}
  template <typename T>
  void machine(const char*, T) {}
  template <typename T>
  void hidden(const char*, const T&) {}
};

void read_region(const Json& json, Snapshot* snapshot) {
  mangata_region_snapshot read = {};
  visit_region_fields(read, FieldReader{json});
  snapshot->add_region(read, json.at("why_not"));
}

void read_loop(const Json& json, Snapshot* snapshot) {
  mangata_loop_snapshot read = {};
  visit_loop_fields(read, FieldReader{json});
  const auto accuracy = json.at("accuracy").get<std::vector<double>>();
  read.accuracy_count = static_cast<uint32_t>(std::min<size_t>(accuracy.size(), MANGATA_MAX_K));
  std::copy_n(accuracy.begin(), read.accuracy_count, read.accuracy);
  snapshot->add_loop(read);
}

void read_snapshot(const Json& json, Snapshot* snapshot) {
  visit_profile_fields(snapshot->fields(), FieldReader{json});
  snapshot->set_names(json.at("name"), json.at("source"));
  for (const Json& loop : json.at("loops")) read_loop(loop, snapshot);
  for (const Json& path : json.at("hottest")) snapshot->add_path(path.at("count"), path.at("length"), path.at("key"));
  if (const auto regions = json.find("regions"); regions != json.end()) {  // older records have none
    for (const Json& region : *regions) read_region(region, snapshot);
  }
}

struct DecisionReader : FieldReader {
  void loops(const char* word, uint8_t (&value)[MANGATA_MAX_LOOPS]) {
    const auto read = json.at(word).get<std::vector<uint8_t>>();
    std::copy_n(read.begin(), std::min<size_t>(read.size(), MANGATA_MAX_LOOPS), value);
  }
  void countdown(const char* word, int32_t& value) { number(word, value); }
};

void read_decision(const Json& json, Decision* decision) {
  visit_decision_fields(*decision, DecisionReader{{json}});
  give_reason(decision, json.at("reason").get<std::string>());
}

std::string to_line(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

}  // namespace

std::string header_to_json(const RecordHeader& header) {
  return to_line({{"first", {{"entry", header.entry}, {"loop", header.loop}}},
                  {"samples", header.samples},
                  {"compiles", header.compiles},
                  {"leaves", header.counts_leaves}});
}

bool header_from_json(std::string_view line, RecordHeader* header, std::string* error) {
  try {
    const Json json = Json::parse(line);
    json.at("first").at("entry").get_to(header->entry);
    json.at("first").at("loop").get_to(header->loop);
    json.at("samples").get_to(header->samples);
    json.at("compiles").get_to(header->compiles);
    header->counts_leaves = json.value("leaves", true);
    return true;
  } catch (const std::exception& problem) {
    *error = problem.what();
    return false;
  }
}

std::string region_to_json(uint64_t clock, const FunctionName& function, const jit::RegionOutcome& outcome, bool deterministic) {
  const jit::RegionCode* code = outcome.code;
  Json json = {{"clock", clock},
               {"name", function.name},
               {"source", function.source},
               {"line", function.line},
               {"loop", outcome.place.line},
               {"installed", outcome.is_installed()},
               {"why_not", outcome.why_not},
               {"contexts", outcome.contexts},
               {"compiler", code == nullptr ? "" : code->backend == jit::RegionCode::Backend::Quick ? "quick"
                                                                                                    : "llvm"},
               {"ir_instructions", code == nullptr ? 0 : code->ir_instructions},
               {"saved_share", code == nullptr ? 0 : code->saved_share}};
  if (!deterministic) {
    json["code_bytes"] = code == nullptr ? 0 : code->code_bytes;
    json["milliseconds"] = code == nullptr ? 0 : code->milliseconds;
  }
  return Json{{"region", json}}.dump();
}

std::string exits_to_json(const ExitsRecord& record) {
  Json json = {{"name", record.function.name},
               {"source", record.function.source},
               {"line", record.function.line},
               {"loop", record.place.line},
               {"installed", record.is_installed},
               {"entries", record.entries ? Json(*record.entries) : Json()},
               {"iterations", record.iterations},
               {"unexpected", record.unexpected},
               {"refused", record.refused},
               {"exits", Json::array()}};
  for (const ExitsRecord::Exit& exit : record.exits) {
    Json place = {{"count", exit.count}, {"why", exit.why}};
    if (!exit.source.empty()) place.update({{"source", exit.source}, {"line", exit.line}, {"pc", exit.pc}, {"opcode", exit.opcode}});
    json["exits"].push_back(place);
  }
  return to_line({{"exits", json}});
}

std::string totals_to_json(const std::vector<PolicyTotal>& totals) {
  Json json = Json::object();
  for (const PolicyTotal& total : totals) json[total.what] = total.count;
  return to_line({{"totals", json}});
}

std::string decision_to_json(const ProfileSnapshot& snapshot, const Decision& decision,
                             const DecisionCost* cost, bool deterministic) {
  const bool measured = cost != nullptr && !deterministic;
  Json line = {{"snapshot", snapshot_to_json(snapshot, measured)}, {"decision", decision_to_json(snapshot, decision)}};
  if (cost != nullptr) {
    const PredictedCost& predicted = cost->predicted;
    line["predicted"] = {{"milliseconds", predicted.milliseconds}, {"code_bytes", predicted.code_bytes}, {"slowdown", predicted.slowdown}};
  }
  if (measured) {
    line["cost"] = {{"compiled", cost->compiled},
                    {"milliseconds", cost->milliseconds},
                    {"code_bytes", cost->code_bytes},
                    {"cache_is_full", cost->cache_is_full},
                    {"nanoseconds_per_event", cost->nanoseconds_per_event}};
  }
  return to_line(line);
}

bool decision_from_json(std::string_view line, Snapshot* snapshot, Decision* decision, std::string* error) {
  try {
    const Json json = Json::parse(line);
    read_snapshot(json.at("snapshot"), snapshot);
    read_decision(json.at("decision"), decision);
    return true;
  } catch (const std::exception& problem) {
    *error = problem.what();
    return false;
  }
}

}  // namespace mangata
