// Whole scripts: what the edge profile says, also of calls that do not return, and its reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "profiler/edge_report.h"
#include "profiler/report_format.h"
#include "tests/unit/profiler/script.h"

namespace mangata {
namespace {

using Lines = std::vector<std::string>;

/// "3 x 2:T", of the edges that a branch decides.
Lines outcomes(const FunctionEdgeProfile& function) {
  Lines lines;
  for (const EdgeCount& edge : function.edges) {
    if (!edge.outcome) continue;
    lines.push_back(std::to_string(edge.count) + " x " +
                    std::to_string(function.blocks[edge.from].last_line) + ":" + outcome_name(*edge.outcome));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(EdgeProfiler, CountsTheOutcomesOfBranches) {
  EdgeProfiledScript script(
      "local function f(x)\n if x > 2 then return 1 end\n return 2\nend\nfor i = 1, 5 do f(i) end");
  EXPECT_TRUE(script.succeeded);
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_EQ(script.function("f").calls, 5u);
  EXPECT_EQ(outcomes(script.function("f")), (Lines{"2 x 2:F", "3 x 2:T"}));
  EXPECT_EQ(outcomes(script.function("main chunk")),
            (Lines{"0 x 5:skip", "1 x 5:done", "1 x 5:enter", "4 x 5:loop"}));
}

TEST(EdgeProfiler, FewEdgesCarryACounter) {
  EdgeProfiledScript script(
      "local function f(a, b, c)\n local n = 0\n if a then n = n + 1 end\n if b then n = n + 1 end\n"
      " if c then n = n + 1 end\n return n\nend\nf(true) f(true, true) f(false, true, true)");
  EXPECT_EQ(script.profiler.compare(), "");
  const FunctionEdgeProfile f = script.function("f");
  const auto counted =
      std::count_if(f.edges.begin(), f.edges.end(), [](const EdgeCount& edge) { return edge.is_counted; });
  EXPECT_EQ(counted, 4) << "one per independent cycle: three branches, and the call itself";
  EXPECT_EQ(outcomes(f), (Lines{"1 x 3:F", "1 x 4:F", "1 x 5:T", "2 x 3:T", "2 x 4:T", "2 x 5:F"}));
}

TEST(EdgeProfiler, CallsThatEndInTheMiddleAreExact) {
  EdgeProfiledScript script(
      "local function inner(x)\n if x then\n  error('now')\n end\nend\n"
      "local function outer()\n for i = 1, 3 do\n  inner(i == 2)\n end\nend\npcall(outer)");
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_EQ(script.function("inner").left, 1u);
  EXPECT_EQ(outcomes(script.function("inner")), (Lines{"1 x 2:F", "1 x 2:T"}));
  EXPECT_EQ(script.function("outer").left, 1u);
  EXPECT_EQ(outcomes(script.function("outer")),
            (Lines{"0 x 7:done", "0 x 7:skip", "1 x 7:enter", "1 x 7:loop", "1 x 8:F", "1 x 8:T"}));
}

TEST(EdgeProfiler, AFailingTailCallIsNoReturn) {
  EdgeProfiledScript script("local function f(g)\n return g()\nend\npcall(f)\npcall(f, error)\nf(type, 1)");
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_EQ(script.function("f").calls, 3u);
  EXPECT_EQ(script.function("f").left, 3u);
  for (const EdgeCount& edge : script.function("f").edges) EXPECT_EQ(edge.count, 0u);
}

TEST(EdgeProfiler, AbandonedCoroutines) {
  EdgeProfiledScript script(
      "local function body()\n while true do\n  coroutine.yield()\n end\nend\n"
      "for i = 1, 4 do\n local co = coroutine.wrap(body)\n co() co()\n if i == 2 then collectgarbage() "
      "end\nend");
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_EQ(script.function("body").calls, 4u);
  EXPECT_EQ(script.function("body").left, 4u);
}

TEST(EdgeProfiler, BlocksConserveFlow) {
  EdgeProfiledScript script(
      "local function f(n)\n local s = 0\n for i = 1, n do\n  if i % 3 == 0 then s = s + i elseif i > 90 "
      "then error(s) end\n"
      " end\n return s\nend\nfor i = 1, 100, 9 do pcall(f, i) end");
  EXPECT_EQ(script.profiler.compare(), "");
  for (const FunctionEdgeProfile& function : script.profiler.snapshot().functions) {
    std::vector<uint64_t> in(function.blocks.size() + 1, 0), out(function.blocks.size() + 1, 0);
    in[0] = function.calls;
    for (const EdgeCount& edge : function.edges) {
      in[edge.to] += edge.count;
      out[edge.from] += edge.count;
    }
    for (size_t block = 0; block < function.blocks.size(); ++block) {
      EXPECT_EQ(in[block], function.blocks[block].count) << function.name << " " << block;
      EXPECT_EQ(out[block] + function.blocks[block].left, function.blocks[block].count)
          << function.name << " " << block;
    }
    EXPECT_EQ(in.back() + function.left, function.calls);
  }
}

const char kScript[] =
    "local function f(x)\n  if x > 2 then\n    return 1\n  end\n  return 2\nend\nfor i = 1, 50 do f(i) end\n";

TEST(EdgeReport, Text) {
  // The text itself is the chunk name, so that the report finds the source.
  EdgeProfiledScript script(kScript, kScript);
  const std::string text = write_edge_report(script.profiler.snapshot(), {});
  EXPECT_NE(text.find("Edge profile: 51 calls of 2 functions"), std::string::npos) << text;
  EXPECT_NE(text.find("31.58%     48   96.00%  f "), std::string::npos) << text;
  EXPECT_NE(text.find("2:T"), std::string::npos) << text;
  EXPECT_NE(text.find("            48      3 |     return 1"), std::string::npos) << text;
  EXPECT_NE(write_edge_report({}, {}).find("0 calls"), std::string::npos);
}

TEST(EdgeReport, Json) {
  EdgeProfiledScript script(kScript);
  ReportOptions options;
  options.format = find_report_format("json");
  auto report = nlohmann::json::parse(write_edge_report(script.profiler.snapshot(), options));
  EXPECT_EQ(report["format"], "mangata-edge-profile");
  EXPECT_EQ(report["totals"]["calls"], 51);
  uint64_t edges = 0;
  for (const auto& function : report["functions"]) {
    for (const auto& edge : function["edges"]) edges += edge["count"].get<uint64_t>();
  }
  EXPECT_EQ(report["totals"]["edges"], edges);
  options.function_glob = "f";
  options.top = 1;
  report = nlohmann::json::parse(write_edge_report(script.profiler.snapshot(), options));
  ASSERT_EQ(report["functions"].size(), 1u);
  ASSERT_EQ(report["functions"][0]["edges"].size(), 1u);
  EXPECT_EQ(report["functions"][0]["edges"][0]["count"], 48);
  EXPECT_EQ(report["functions"][0]["blocks"][0]["count"], 50);
}

}  // namespace
}  // namespace mangata
