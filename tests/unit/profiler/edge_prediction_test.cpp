// What an edge profile would have made of whole scripts.
#include "profiler/edge_prediction.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profiler/report.h"
#include "profiler/report_format.h"
#include "tests/unit/profiler/script.h"

namespace mangata {
namespace {

std::string text_of(const Path& path) {
  std::string text = describe_start(path) + ":";
  for (const PathStep& step : path.steps) text += " " + describe(step);
  return text + " -> " + describe_end(path);
}

// Each condition holds 60 times of 110, but hardly ever together: paths TF 50, FT 50, TT 10.
const char kCorrelated[] =
    "local function f(a, b)\n local n = 0\n if a then n = 1 end\n if b then n = n + 2 end\n return n\nend\n"
    "for i = 1, 110 do\n if i <= 50 then f(true, false) elseif i <= 100 then f(false, true) else f(true, "
    "true) end\nend";

// The second condition follows from the first, and the frequent outcomes occur together.
const char kBiased[] =
    "local function f(a, b)\n local n = 0\n if a then n = 1 end\n if b then n = n + 2 end\n return n\nend\n"
    "for i = 1, 100 do\n f(i > 10, i > 10)\nend";

TEST(EdgePrediction, CorrelatedBranchesMislead) {
  ProfiledScript script(kCorrelated);
  EXPECT_EQ(script.profiler.compare(), "");
  const EdgePrediction prediction = script.function("f").by_edges;
  EXPECT_EQ(prediction.executions, 110u);
  EXPECT_EQ(prediction.right, 10u);
  EXPECT_TRUE(prediction.misleads);
  EXPECT_EQ(text_of(prediction.named), "entry: 3:T 4:T -> return 5");
  EXPECT_EQ(prediction.named_count, 10u);
  const std::string report = write_report(script.profiler.snapshot(), {});
  EXPECT_NE(report.find("9.09%    110  f "), std::string::npos) << report;
  EXPECT_NE(report.find("edges would have named entry > 3:T 4:T > return 5 (10 times)"), std::string::npos)
      << report;
}

TEST(EdgePrediction, BiasedBranchesDoNot) {
  ProfiledScript script(kBiased);
  const EdgePrediction prediction = script.function("f").by_edges;
  EXPECT_EQ(prediction.executions, 100u);
  EXPECT_EQ(prediction.right, 90u);
  EXPECT_FALSE(prediction.misleads);
  EXPECT_EQ(write_report(script.profiler.snapshot(), {}).find("edges would have named"), std::string::npos);
}

TEST(EdgePrediction, IsInTheJson) {
  ReportOptions options;
  options.format = find_report_format("json");
  options.function_glob = "f";
  auto report = nlohmann::json::parse(write_report(ProfiledScript(kCorrelated).profiler.snapshot(), options));
  auto by_edges = report["functions"][0]["by_edges"];
  EXPECT_EQ(by_edges["paths"], 110);
  EXPECT_EQ(by_edges["right"], 10);
  EXPECT_EQ(by_edges["named"]["key"], "E:00:X");
  EXPECT_EQ(by_edges["named"]["count"], 10);
  EXPECT_GT(report["functions"][0]["paths"][0]["edges"], 0);
  EXPECT_TRUE(report["functions"][0]["paths"][0].contains("named_length"));
  EXPECT_FALSE(by_edges["named"].contains("edges")) << "it is no path that was counted";
  report = nlohmann::json::parse(write_report(ProfiledScript(kBiased).profiler.snapshot(), options));
  EXPECT_TRUE(report["functions"][0]["by_edges"]["named"].is_null());
}

// Up to the first condition that went the other way; the block that ends with it is part of what is named.
TEST(EdgePrediction, SaysHowMuchOfEachPathIsNamed) {
  ProfiledScript script(kBiased);
  const FunctionProfile f = script.function("f");
  ASSERT_EQ(f.paths.size(), 2u);
  EXPECT_EQ(f.paths[0].named_edges, f.paths[0].edges) << "both hold: 90 times";
  EXPECT_EQ(f.paths[0].named_bytecodes, f.paths[0].path.bytecodes);
  EXPECT_GT(f.paths[1].edges, 0u);
  EXPECT_EQ(f.paths[1].named_edges, 0u) << "none holds";
  EXPECT_GT(f.paths[1].named_bytecodes, 0u);
  EXPECT_LT(f.paths[1].named_bytecodes, f.paths[1].path.bytecodes);
}

TEST(EdgePrediction, NamesAPathWholeExactlyIfItIsRight) {
  for (const char* text : {kCorrelated, kBiased}) {
    ProfiledScript script(text);
    for (const FunctionProfile& function : script.profiler.snapshot().functions) {
      uint64_t right = 0;
      for (const PathCount& counted : function.paths) {
        if (counted.named_edges == counted.edges) right += counted.count;
        EXPECT_LE(counted.named_edges, counted.edges);
      }
      EXPECT_EQ(right, function.by_edges.right) << function.name;
    }
  }
}

// Paths of several iterations are taken apart first, so k makes no difference.
TEST(EdgePrediction, IsOfAcyclicPathsForEveryK) {
  const std::string text =
      "local function f(n)\n local s = 0\n for i = 1, n do\n  if i % 2 == 0 then s = s + 1 else s = s - 1 "
      "end\n"
      "  if s > 3 and i % 3 == 0 then error(s) end\n end\n while n > 1 do n = n // 2 if n == 7 then break "
      "end end\n return s\nend\n"
      "for i = 0, 40 do pcall(f, i) end";
  for (unsigned k = 1; k <= 5; ++k) {
    ProfiledScript script(text, "=test", ProfileOptions{.iterations = k});
    EXPECT_EQ(script.profiler.compare(), "");
    const EdgePrediction prediction = script.function("f").by_edges,
                         acyclic = ProfiledScript(text).function("f").by_edges;
    EXPECT_EQ(prediction.executions, acyclic.executions) << k;
    EXPECT_EQ(prediction.right, acyclic.right) << k;
    EXPECT_EQ(prediction.misleads, acyclic.misleads) << k;
    EXPECT_EQ(text_of(prediction.named), text_of(acyclic.named)) << k;
  }
}

}  // namespace
}  // namespace mangata
