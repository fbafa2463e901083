// Reports, from literals and as golden files. MANGATA_UPDATE_GOLDEN=1 writes the golden files anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "profiler/glob.h"
#include "profiler/report.h"
#include "profiler/report_format.h"
#include "profiler/selection.h"
#include "tests/unit/profiler/script.h"

namespace mangata {
namespace {

const std::string kGolden = std::string(MANGATA_SOURCE_DIR) + "/tests/golden/profiler/";

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_golden(const std::string& name, const std::string& text) {
  if (std::getenv("MANGATA_UPDATE_GOLDEN") != nullptr)
    std::ofstream(kGolden + name, std::ios::binary) << text;
  EXPECT_EQ(read(kGolden + name), text) << "see " << name;
}

ReportOptions json() {
  ReportOptions options;
  options.format = find_report_format("json");
  return options;
}

/// The text itself is the chunk name, so that the report finds the source wherever it runs.
PathProfile primes() {
  const std::string text = read(kGolden + "primes.lua");
  testing::internal::CaptureStdout();
  ProfiledScript script(text, text);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "10\n");
  EXPECT_EQ(script.profiler.compare(), "");
  return script.profiler.snapshot();
}

TEST(Report, TextOfASmallScript) { expect_golden("primes.txt", write_report(primes(), {})); }

TEST(Report, JsonOfASmallScript) { expect_golden("primes.json", write_report(primes(), json())); }

TEST(Report, JsonTotalsAreSums) {
  const auto report = nlohmann::json::parse(write_report(primes(), json()));
  uint64_t completed = 0;
  uint64_t bytecodes = 0;
  for (const auto& function : report["functions"]) {
    for (const auto& path : function["paths"]) {
      completed += path["count"].get<uint64_t>();
      bytecodes += path["count"].get<uint64_t>() * path["length"].get<uint64_t>();
    }
  }
  EXPECT_EQ(report["totals"]["completed"], completed);
  EXPECT_EQ(report["totals"]["bytecodes"], bytecodes);
}

PathProfile literal_profile() {
  const auto path = [](uint64_t count, uint64_t bytecodes) {
    PathCount counted;
    counted.count = count;
    counted.path.bytecodes = bytecodes;
    return counted;
  };
  FunctionProfile often;
  often.name = "often";
  often.file = "a.lua";
  often.paths = {path(90, 1)};
  FunctionProfile longer;
  longer.name = "longer";
  longer.file = "b.lua";
  longer.paths = {path(9, 100), path(1, 10)};
  PathProfile profile;
  profile.iterations = 1;
  profile.functions = {often, longer};
  return profile;
}

TEST(Selection, OrdersByWeight) {
  const PathProfile profile = literal_profile();
  ReportOptions options;
  options.weight = ReportWeight::Count;
  EXPECT_EQ(select_paths(profile, options, 0).paths[0].function->name, "often");
  options.weight = ReportWeight::Bytecodes;
  const Selection by_bytecodes = select_paths(profile, options, 0);
  EXPECT_EQ(by_bytecodes.paths[0].function->name, "longer");
  EXPECT_DOUBLE_EQ(by_bytecodes.paths[0].percent, 90.0);
}

TEST(Selection, SharesAreOfEverything) {
  ReportOptions options;
  options.weight = ReportWeight::Count;
  options.minimum_percent = 5;
  options.function_glob = "lo*";
  const Selection selection = select_paths(literal_profile(), options, 0);
  ASSERT_EQ(selection.paths.size(), 1u);
  EXPECT_DOUBLE_EQ(selection.paths[0].percent, 9.0);
  EXPECT_EQ(selection.completed, 100u);
  ReportOptions two;
  two.top = 2;
  EXPECT_EQ(select_paths(literal_profile(), two, 1).paths.size(), 2u);
  EXPECT_EQ(select_paths(literal_profile(), {}, 1).paths.size(), 1u);
  ReportOptions elsewhere;
  elsewhere.file_glob = "c*";
  EXPECT_TRUE(select_paths(literal_profile(), elsewhere, 0).paths.empty());
}

TEST(Selection, NothingRan) {
  EXPECT_NE(write_report(PathProfile(), {}).find("0 paths completed"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(write_report(PathProfile(), json()))["functions"].empty());
}

TEST(Glob, Matches) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("a*c?", "abbbcd"));
  EXPECT_TRUE(glob_matches("*.lua", "x/y.lua"));
  EXPECT_FALSE(glob_matches("*.lua", "x.luac"));
  EXPECT_FALSE(glob_matches("?", ""));
  EXPECT_FALSE(glob_matches("a", "b"));
}

}  // namespace
}  // namespace mangata
