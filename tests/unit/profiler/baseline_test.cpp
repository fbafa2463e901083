// Comparing with an earlier profile: keys lead back to paths, known paths are counted in compact tables, counts stay the same,
// what is new or stale is told, and no file is believed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "numbering/path_encoder.h"
#include "profiler/baseline_profile.h"
#include "profiler/path_key.h"
#include "profiler/path_translator.h"
#include "profiler/report.h"
#include "profiler/report_format.h"
#include "tests/unit/profiler/script.h"

namespace mangata {
namespace {

using nlohmann::json;

/// A function of 2^13 paths, which count in a hash table, called with the arguments given.
std::string wide_script(const std::string& arguments) {
  std::string text = "local function wide(x)\n  local y = 0\n";
  for (int i = 0; i < 13; ++i) text += "  if x & " + std::to_string(1 << i) + " ~= 0 then y = y + 1 end\n";
  return text + "  return y\nend\nfor _, x in ipairs{" + arguments + "} do wide(x) end\n";
}

std::string json_text_of(const PathProfile& profile) {
  ReportOptions options;
  options.format = find_report_format("json");
  return write_report(profile, options);
}

json report_of(const PathProfile& profile) { return json::parse(json_text_of(profile)); }

ProfileOptions comparing_with(const BaselineProfile& baseline) {
  ProfileOptions options;
  options.baseline = &baseline;
  return options;
}

BaselineProfile baseline_of(const std::string& script, const ProfileOptions& options = {}) {
  const std::string text = json_text_of(ProfiledScript(script, "=test", options).profiler.snapshot());
  BaselineProfile baseline;
  std::string error;
  EXPECT_TRUE(parse_baseline(text, "baseline.json", &baseline, &error)) << error;
  return baseline;
}

/// The report without what a comparison adds to it.
json plain(json report) {
  report.erase("baseline");
  for (json& function : report["functions"]) {
    function.erase("in_baseline");
    function.erase("table");
    function.erase("preferential");
    for (json& path : function["paths"]) path.erase("residual");
    if (!function.contains("loops")) continue;
    for (json& loop : function["loops"]) {
      for (json& path : loop["windows"]) path.erase("residual");
    }
  }
  return report;
}

json function_named(const std::string& name, const json& report) {
  for (const json& function : report["functions"]) {
    if (function["name"] == name) return function;
  }
  return {};
}

TEST(Baseline, KnownPathsAreCountedCompactlyAndCountsAreTheSame) {
  const BaselineProfile baseline = baseline_of(wide_script("1, 2, 3, 4096, 8191, 77"));
  const std::string script = wide_script("1, 1, 3, 8191, 5, 5, 5, 76");
  const json with = report_of(ProfiledScript(script, "=test", comparing_with(baseline)).profiler.snapshot());
  const json without = report_of(ProfiledScript(script).profiler.snapshot());
  EXPECT_EQ(plain(with), plain(without));
  const json function = function_named("wide", with);
  EXPECT_EQ(function["table"], "preferential");
  EXPECT_EQ(function["possible_paths"], 8192);
  EXPECT_EQ(function_named("wide", without)["table"], "hash");
  EXPECT_TRUE(function["in_baseline"]);
  std::multiset<uint64_t> residual;
  for (const json& path : function["paths"]) {
    if (path.contains("residual")) residual.insert(path["count"].get<uint64_t>());
  }
  EXPECT_EQ(residual, (std::multiset<uint64_t>{1, 3}));
  EXPECT_EQ(with["baseline"]["residual"]["completed"], 4);
}

TEST(Baseline, TheTracerAgrees) {
  const BaselineProfile baseline = baseline_of(wide_script("1, 2, 3, 4096, 8191"));
  ProfiledScript run(wide_script("1, 2, 9, 9, 4097, 'error'"), "=test", comparing_with(baseline));
  EXPECT_EQ(run.profiler.compare(), "");
  EXPECT_EQ(run.function("wide").cut_paths.size(), 1u);
}

TEST(Baseline, ATailCallThatFailsIsTakenBackFromBothKindsOfTable) {
  std::string text = "local function wide(x)\n  local f = print\n";
  for (int i = 0; i < 13; ++i) text += "  if x & " + std::to_string(1 << i) + " ~= 0 then f = nil end\n";
  text += "  return f()\nend\n";
  const auto script = [&](const std::string& arguments) {
    return text + "for _, x in ipairs{" + arguments + "} do pcall(wide, x) end\n";
  };
  BaselineProfile baseline = baseline_of(script("0"));
  ASSERT_EQ(baseline.functions.size(), 2u);
  ProfiledScript run(script("1, 2, 3, 4"), "=test", comparing_with(baseline));
  EXPECT_EQ(run.profiler.compare(), "");
  EXPECT_TRUE(run.function("wide").paths.empty());
  EXPECT_EQ(run.function("wide").cut_paths.size(), 4u);
}

TEST(Baseline, EditedFunctionsAndImpossiblePathsAreStale) {
  BaselineProfile baseline = baseline_of(wide_script("1, 2"));
  for (auto& [id, function] : baseline.functions) {
    if (function.name == "wide") function.keys.insert({"E:01:X", "L7:0:X", "E:0000000000000:?", "E::X", "E", "", ":", "|:|"});
  }
  baseline.functions["0123456789abcdef"] = {.name = "gone", .source = "@old.lua", .line = 3, .keys = {"E::X"}};
  const PathProfile profile =
      ProfiledScript(wide_script("1, 4"), "=test", comparing_with(baseline)).profiler.snapshot();
  ASSERT_TRUE(profile.baseline);
  ASSERT_EQ(profile.baseline->stale.size(), 2u + 1u);  // the main chunk has other constants now
  size_t impossible = 0;
  for (const StaleFunction& stale : profile.baseline->stale) {
    if (stale.name == "wide") impossible = stale.keys.size();
    EXPECT_EQ(stale.is_gone, stale.name != "wide");
  }
  EXPECT_EQ(impossible, 8u);
  const std::string text = write_report(profile, {});
  EXPECT_NE(text.find("1 new path in its functions, taken 1 time:"), std::string::npos) << text;
  EXPECT_NE(text.find("gone (line 3 of @old.lua): 1 path, no such function"), std::string::npos) << text;
  EXPECT_NE(text.find("main chunk"), std::string::npos);
}

TEST(Baseline, WindowsAreComparedToo) {
  const std::string loop = "local flip = true\nfor i = 1, 50 do\n  if i % PERIOD == 0 then flip = not flip end\nend\n";
  const auto script = [&](const char* period) {
    std::string text = loop;
    text.replace(text.find("PERIOD"), 6, std::string("#'") + period + "'");
    return "local f = function(PERIOD)\n" + loop + "end\nf(" + period + ")\n";
  };
  ProfileOptions options;
  options.iterations = 2;
  const BaselineProfile baseline = baseline_of(script("3"), options);
  ProfileOptions compared = options;
  compared.baseline = &baseline;
  const json with = report_of(ProfiledScript(script("2"), "=test", compared).profiler.snapshot());
  EXPECT_EQ(plain(with), plain(report_of(ProfiledScript(script("2"), "=test", options).profiler.snapshot())));
  EXPECT_GT(with["baseline"]["taken"], 1);
  const BaselineProfile same = baseline_of(script("2"), options);
  compared.baseline = &same;
  const json again = report_of(ProfiledScript(script("2"), "=test", compared).profiler.snapshot());
  EXPECT_EQ(again["baseline"]["residual"]["distinct"], 0);
  EXPECT_EQ(again["baseline"]["stale"], json::array());
  EXPECT_EQ(again["baseline"]["taken"], again["baseline"]["paths"]);
}

TEST(Baseline, WhatIsNoProfileIsRefusedWithItsPlace) {
  const std::string good = json_text_of(ProfiledScript("local x = 1").profiler.snapshot());
  const auto error_of = [](const std::string& text) {
    BaselineProfile baseline;
    std::string error;
    return parse_baseline(text, "b.json", &baseline, &error) ? std::string() : error;
  };
  EXPECT_EQ(error_of(good), "");
  EXPECT_EQ(error_of(""), "b.json:1:1: not a path profile: it is not JSON");
  EXPECT_EQ(error_of("{\n \"k\": }"), "b.json:2:7: not a path profile: it is not JSON");
  EXPECT_EQ(error_of("[]"), "b.json: not a path profile: it: expected an object");
  EXPECT_EQ(error_of("{\"format\": \"mangata-edge-profile\"}"),
            "b.json: not a path profile: /format: not a path profile of Mangata");
  const auto with = [&](const std::string& pointer, const json& value) {
    json report = json::parse(good);
    report[json::json_pointer(pointer)] = value;
    return error_of(report.dump());
  };
  EXPECT_EQ(with("/version", 2), "b.json: not a path profile: /version: expected version 1");
  EXPECT_EQ(with("/k", -1), "b.json: not a path profile: /k: out of range");
  EXPECT_EQ(with("/k", 1e300), "b.json: not a path profile: /k: out of range");
  EXPECT_EQ(with("/functions", 7), "b.json: not a path profile: /functions: expected an array");
  EXPECT_EQ(with("/functions/0/id", "xyz"),
            "b.json: not a path profile: /functions/0/id: expected 16 hexadecimal digits");
  EXPECT_EQ(with("/functions/0/paths/0", json::object()),
            "b.json: not a path profile: /functions/0/paths/0: has no member \"key\"");
  EXPECT_EQ(with("/functions/0/paths/0/key", 5),
            "b.json: not a path profile: /functions/0/paths/0/key: expected a string");
  for (size_t length = 0; length + 2 < good.size(); length += 7) {
    EXPECT_NE(error_of(good.substr(0, length)), "") << length;
  }
}

}  // namespace
}  // namespace mangata
