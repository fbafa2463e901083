// Saved profiles: what is written is read again, and what is damaged is an error.
#include "profiler/model/profile_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "profiler/model/diff.h"
#include "profiler/model/merge.h"
#include "profiler/report.h"
#include "profiler/report_diff.h"
#include "profiler/report_format.h"
#include "tests/unit/profile_model/literals.h"
#include "tests/unit/profile_model/mutator.h"

namespace mangata {
namespace {

std::string json_of(const RunProfile& profile) {
  ReportOptions options;
  options.format = find_report_format("json");
  return write_report(profile, options);
}

std::string golden_json() {
  std::ifstream file(std::string(MANGATA_SOURCE_DIR) + "/tests/golden/profiler/primes.json", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// With a value in every member that a profile can have.
RunProfile full_profile() {
  RunProfile profile = two_functions({stack_of({{0, 1}, {2, -1}, {1, 12}}, 3), stack_of({{0, 1}, {5, -1}}, 600), stack_of({{0, 1}}, 2)});
  profile.time->stacks[0].is_shortened = true;
  profile.runs = {{{"mangata", "a.lua"}, "0.1.0", "2026-11-24T10:00:00Z", "adaptive", 3}, {{"mangata"}, "0.1.0", "", "", std::nullopt}};
  profile.has_allocations = true;
  PathProfile& paths = profile.paths;
  paths.iterations = 2;
  paths.is_estimate = true;
  paths.chunks = {{"@a.lua", 10, 0xFFFFFFFFFFFFFFFF, std::nullopt, false}, {"=stdin", 3, 5, "x=1", false}, {"=b", 3, 5, std::nullopt, true}};
  FunctionProfile& f = paths.functions[1];
  f.crowded_lines = {11, 12};
  f.has_hashed_ids = true;
  f.collision_bound = 1e-9;
  f.paths[0].nanoseconds = 12;
  f.paths[0].allocated_bytes = 48;
  f.paths[0].allocated_objects = 2;
  f.paths[0].path.steps = {{11, Outcome::True, 3, 5}, {12, Outcome::Skip, 0, 0}};
  f.paths[0].path.lines = {11, 12};
  f.paths[0].path.line_bytecodes = {5, 3};
  f.cut_paths = {path_of("E:?", 1, 2)};
  f.cut_paths[0].path.end = PathEnd::InFlight;
  LoopProfile loop;
  loop.key = "L0";
  loop.line = 11;
  loop.iterations = 2;
  loop.accuracy = {0.5, 0.75};
  loop.windows = {path_of("L0:0|1:L0", 7, 9, PathStart::Loop)};
  loop.windows[0].path.iteration_ends = {0};
  loop.windows[0].path.repeated_bytecodes = 4;
  f.loops = {loop};
  paths.has_coverage = true;
  FunctionCoverage coverage;
  coverage.id = f.id;
  coverage.name = "f";
  coverage.possible = 5;
  coverage.is_enumerated = true;
  coverage.never_taken = {path_of("E:01:X", 0, 3).path};
  paths.coverage = {coverage};
  return profile;
}

RunProfile read(const std::string& text) {
  RunProfile profile;
  std::string error;
  EXPECT_TRUE(parse_profile(text, "p.json", &profile, &error)) << error;
  return profile;
}

std::string error_of(const std::string& text) {
  RunProfile profile;
  std::string error;
  EXPECT_FALSE(parse_profile(text, "p.json", &profile, &error));
  return error;
}

TEST(Reader, WhatIsWrittenIsReadAgain) {
  for (const std::string& text : {json_of(full_profile()), golden_json()}) {
    EXPECT_EQ(json_of(read(text)), text);
  }
}

TEST(Reader, TheTextReportOfASavedProfileIsThatOfTheRun) {
  const RunProfile profile = full_profile();
  EXPECT_EQ(write_report(read(json_of(profile)), {}), write_report(profile, {}));
}

TEST(Reader, WhatIsWrongIsNamed) {
  EXPECT_EQ(error_of("{"), "p.json:1:2: not a path profile: it is not JSON");
  EXPECT_EQ(error_of("[]"), "p.json: not a path profile: it: expected an object");
  auto json = nlohmann::json::parse(json_of(full_profile()));
  json["functions"][0]["paths"][0]["steps"][0]["arm"] = "X";
  EXPECT_EQ(error_of(json.dump()), "p.json: not a path profile: /functions/0/paths/0/steps/0/arm: is no known word");
  json = nlohmann::json::parse(json_of(full_profile()));
  json["functions"][0]["paths"][0]["line_bytecodes"] = {3, -1};
  EXPECT_EQ(error_of(json.dump()), "p.json: not a path profile: /functions/0/paths/0/line_bytecodes/1: out of range");
  json = nlohmann::json::parse(json_of(full_profile()));
  json["time"]["stacks"][1]["parent"] = 1;
  EXPECT_EQ(error_of(json.dump()), "p.json: not a path profile: /time/stacks/1/parent: is no earlier node");
  json["time"]["stacks"][1]["parent"] = 0;
  json["time"]["stacks"][1]["symbol"] = 99;
  EXPECT_EQ(error_of(json.dump()), "p.json: not a path profile: /time/stacks/1/symbol: is no symbol");
}

TEST(Reader, DeepNestingIsRefused) {
  const std::string deep(100'000, '[');
  EXPECT_NE(error_of(deep).find("nested too deeply"), std::string::npos);
}

TEST(Reader, StacksThatWouldFillTheMemoryAreRefused) {
  auto json = nlohmann::json::parse(json_of(full_profile()));
  nlohmann::json nodes = nlohmann::json::array();
  for (int i = 0; i < 20'000; ++i) {
    nodes.push_back({{"parent", i == 0 ? nlohmann::json() : nlohmann::json(i - 1)}, {"symbol", 0}, {"line", nullptr}});
    nodes.back()["self"] = {{"samples", 1}, {"nanoseconds", 1}};
  }
  json["time"]["stacks"] = nodes;
  EXPECT_NE(error_of(json.dump()).find("too deep"), std::string::npos);
}

/// All that can be asked of a profile.
void use(RunProfile profile) {
  ReportOptions options;
  options.listed_glob = "*";
  const std::string text = write_report(profile, options);
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_TRUE(difference(profile, profile).is_empty());
  (void)write_diff_report(full_profile(), profile, {});
  const RunProfile same = profile;
  EXPECT_EQ(merge_profile(profile, same), "");
  RunProfile again;
  std::string error;
  EXPECT_TRUE(parse_profile(json_of(profile), "again", &again, &error)) << error;
}

TEST(Reader, TenThousandDamagedFilesAreReadWithoutACrash) {
  const std::string texts[] = {json_of(full_profile()), golden_json()};
  const nlohmann::json documents[] = {nlohmann::json::parse(texts[0]), nlohmann::json::parse(texts[1])};
  int readable = 0;
  for (uint64_t seed = 0; seed < 10'000; ++seed) {
    Mutator mutator(seed);
    const std::string text =
        seed % 3 == 0 ? mutator.damage(documents[seed % 2]).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) : mutator.damage(texts[seed % 2]);
    RunProfile profile;
    std::string error;
    if (!parse_profile(text, "p.json", &profile, &error)) {
      EXPECT_FALSE(error.empty());
    } else if (++readable % 10 == 0) {
      use(std::move(profile));
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(readable, 1000) << "most mutants are refused at once: they test nothing else";
}

}  // namespace
}  // namespace mangata
