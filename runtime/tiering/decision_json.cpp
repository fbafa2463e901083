#include "runtime/tiering/decision_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/tiering/decision_words.h"

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

Json loop_to_json(const mangata_loop_snapshot& loop) {
  return {{"line", loop.line},
          {"innermost", loop.is_innermost != 0},
          {"k", loop.k},
          {"distinct", loop.distinct},
          {"iterations", loop.iterations},
          {"top", loop.top_share},
          {"second", loop.second_share},
          {"accuracy", std::vector<double>(loop.accuracy, loop.accuracy + std::min<uint32_t>(loop.accuracy_count, MANGATA_MAX_K))}};
}

/// @param measured  with what differs between runs
Json region_to_json(const mangata_region_snapshot& region, bool measured) {
  Json its = {{"line", region.line},
              {"in_force", region.is_in_force != 0},
              {"made", region.made},
              {"ir_instructions", region.ir_instructions},
              {"saved_share", region.saved_share},
              {"rounds", region.rounds},
              {"unexpected", region.unexpected},
              {"expected", region.expected},
              {"refused", region.refused},
              {"why_not", region.why_not},
              {"worth_after", region.worth_after}};
  if (measured) {
    its["code_bytes"] = region.code_bytes;
    its["milliseconds"] = region.milliseconds;
  }
  return its;
}

Json snapshot_to_json(const ProfileSnapshot& its, bool measured) {
  Json json = {{"occasion", word_at(kOccasionWords, its.occasion)},
               {"clock", its.clock},
               {"function", its.function},
               {"asked", its.asked},
               {"name", its.name},
               {"source", its.source},
               {"line", its.line},
               {"bytecodes", its.bytecodes},
               {"tier", word_at(kTierWords, its.tier)},
               {"profile", word_at(kProfileWords, its.profile)},
               {"events", its.events},
               {"events_since", its.events_since},
               {"possible_paths", its.possible_paths},
               {"hashed", its.is_hashed != 0},
               {"distinct_paths", its.distinct_paths},
               {"paths", its.paths},
               {"paths_since", its.paths_since},
               {"residual", its.residual},
               {"top", its.top_share},
               {"stability", its.stability},
               {"loops", Json::array()},
               {"hottest", Json::array()},
               {"regions", Json::array()},
               {"versions", its.versions},
               {"memory", its.memory},
               {"counted_exactly", its.is_counted_exactly != 0}};
  for (uint32_t i = 0; i < its.loop_count; ++i) json["loops"].push_back(loop_to_json(its.loops[i]));
  for (uint32_t i = 0; i < its.path_count; ++i) {
    json["hottest"].push_back({{"count", its.hottest[i].count}, {"length", its.hottest[i].length}, {"key", its.hottest[i].key}});
  }
  for (uint64_t i = 0; i < its.region_count; ++i) json["regions"].push_back(region_to_json(its.regions[i], measured));
  if (measured) json["nanoseconds"] = its.nanoseconds;
  return json;
}

Json decision_to_json(const ProfileSnapshot& snapshot, const Decision& its) {
  return {{"tier", word_at(kTierWords, its.tier)},
          {"profile", word_at(kProfileWords, its.profile)},
          {"forget", its.forget != 0},
          {"drop_regions", its.drop_regions != 0},
          {"loop_k", std::vector<uint32_t>(its.loop_k, its.loop_k + std::min<uint32_t>(snapshot.loop_count, MANGATA_MAX_LOOPS))},
          {"entry", its.entry},
          {"loop", its.loop},
          {"sample", its.sample},
          {"memory", its.memory},
          {"reason", its.reason}};
}

/// What records leave out is 0.
void read_region(const Json& json, Snapshot* snapshot) {
  mangata_region_snapshot read = {};
  json.at("line").get_to(read.line);
  read.is_in_force = json.at("in_force").get<bool>();
  json.at("made").get_to(read.made);
  json.at("ir_instructions").get_to(read.ir_instructions);
  read.code_bytes = json.value("code_bytes", 0u);
  read.milliseconds = json.value("milliseconds", 0.0);
  json.at("saved_share").get_to(read.saved_share);
  json.at("rounds").get_to(read.rounds);
  json.at("unexpected").get_to(read.unexpected);
  json.at("expected").get_to(read.expected);
  json.at("refused").get_to(read.refused);
  json.at("worth_after").get_to(read.worth_after);
  snapshot->add_region(read, json.at("why_not"));
}

void read_snapshot(const Json& json, Snapshot* snapshot) {
  ProfileSnapshot& its = snapshot->fields();
  its.occasion = read_word(kOccasionWords, json.at("occasion"));
  json.at("clock").get_to(its.clock);
  json.at("function").get_to(its.function);
  json.at("asked").get_to(its.asked);
  snapshot->set_names(json.at("name"), json.at("source"));
  json.at("line").get_to(its.line);
  json.at("bytecodes").get_to(its.bytecodes);
  its.tier = read_word(kTierWords, json.at("tier"));
  its.profile = read_word(kProfileWords, json.at("profile"));
  json.at("events").get_to(its.events);
  json.at("events_since").get_to(its.events_since);
  json.at("possible_paths").get_to(its.possible_paths);
  its.is_hashed = json.at("hashed").get<bool>();
  json.at("distinct_paths").get_to(its.distinct_paths);
  json.at("paths").get_to(its.paths);
  json.at("paths_since").get_to(its.paths_since);
  json.at("residual").get_to(its.residual);
  json.at("top").get_to(its.top_share);
  json.at("stability").get_to(its.stability);
  json.at("versions").get_to(its.versions);
  json.at("memory").get_to(its.memory);
  its.is_counted_exactly = json.value("counted_exactly", false);
  for (const Json& loop : json.at("loops")) {
    mangata_loop_snapshot read = {};
    loop.at("line").get_to(read.line);
    read.is_innermost = loop.at("innermost").get<bool>();
    loop.at("k").get_to(read.k);
    loop.at("distinct").get_to(read.distinct);
    loop.at("iterations").get_to(read.iterations);
    loop.at("top").get_to(read.top_share);
    loop.at("second").get_to(read.second_share);
    const auto accuracy = loop.at("accuracy").get<std::vector<double>>();
    read.accuracy_count = static_cast<uint32_t>(std::min<size_t>(accuracy.size(), MANGATA_MAX_K));
    std::copy_n(accuracy.begin(), read.accuracy_count, read.accuracy);
    snapshot->add_loop(read);
  }
  for (const Json& path : json.at("hottest")) snapshot->add_path(path.at("count"), path.at("length"), path.at("key"));
  if (const auto regions = json.find("regions"); regions != json.end()) {  // older records have none
    for (const Json& region : *regions) read_region(region, snapshot);
  }
  its.nanoseconds = json.value("nanoseconds", 0.0);
}

void read_decision(const Json& json, Decision* its) {
  its->tier = read_word(kTierWords, json.at("tier"));
  its->profile = read_word(kProfileWords, json.at("profile"));
  its->forget = json.at("forget").get<bool>();
  its->drop_regions = json.value("drop_regions", false);  // older records have none
  const auto loop_k = json.at("loop_k").get<std::vector<uint8_t>>();
  std::copy_n(loop_k.begin(), std::min<size_t>(loop_k.size(), MANGATA_MAX_LOOPS), its->loop_k);
  json.at("entry").get_to(its->entry);
  json.at("loop").get_to(its->loop);
  json.at("sample").get_to(its->sample);
  json.at("memory").get_to(its->memory);
  give_reason(its, json.at("reason").get<std::string>());
}

std::string to_line(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

}  // namespace

std::string header_to_json(const RecordHeader& header) {
  return to_line({{"first", {{"entry", header.entry}, {"loop", header.loop}}},
                  {"samples", header.samples},
                  {"compiles", header.compiles}});
}

bool header_from_json(std::string_view line, RecordHeader* header, std::string* error) {
  try {
    const Json json = Json::parse(line);
    json.at("first").at("entry").get_to(header->entry);
    json.at("first").at("loop").get_to(header->loop);
    json.at("samples").get_to(header->samples);
    json.at("compiles").get_to(header->compiles);
    return true;
  } catch (const std::exception& problem) {
    *error = problem.what();
    return false;
  }
}

std::string region_to_json(const RegionRecord& region, bool deterministic) {
  Json its = {{"clock", region.clock},     {"name", region.name},           {"source", region.source},
              {"line", region.line},       {"loop", region.loop_line},      {"in_force", region.why_not.empty()},
              {"why_not", region.why_not}, {"contexts", region.contexts},   {"ir_instructions", region.ir_instructions},
              {"saved_share", region.saved_share}};
  if (!deterministic) {
    its["code_bytes"] = region.code_bytes;
    its["milliseconds"] = region.milliseconds;
  }
  return Json{{"region", its}}.dump();
}

std::string exits_to_json(const ExitsRecord& record) {
  Json its = {{"name", record.name},
              {"source", record.source},
              {"line", record.line},
              {"loop", record.loop_line},
              {"in_force", record.in_force},
              {"entries", record.entries ? Json(*record.entries) : Json()},
              {"rounds", record.rounds},
              {"unexpected", record.unexpected},
              {"refused", record.refused},
              {"exits", Json::array()}};
  for (const ExitsRecord::Exit& exit : record.exits) {
    Json place = {{"count", exit.count}, {"why", exit.why}};
    if (!exit.source.empty()) place.update({{"source", exit.source}, {"line", exit.line}, {"pc", exit.pc}, {"opcode", exit.opcode}});
    its["exits"].push_back(place);
  }
  return to_line({{"exits", its}});
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
