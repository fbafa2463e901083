// Whole scripts with paths of several iterations: what the examples show, and what reports make of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "profiler/report.h"
#include "profiler/report_format.h"
#include "profiler/selection.h"
#include "tests/unit/profiler/script.h"

namespace mangata {
namespace {

ProfileOptions over(unsigned iterations) { return {.iterations = iterations}; }

std::string example(const std::string& name) {
  std::ifstream file(std::string(MANGATA_SOURCE_DIR) + "/examples/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An example under profile; what it prints is dropped.
class Example {
 public:
  Example(const std::string& name, unsigned iterations) {
    testing::internal::CaptureStdout();
    ProfiledScript script(example(name), "@" + name, over(iterations));
    testing::internal::GetCapturedStdout();
    EXPECT_TRUE(script.succeeded);
    EXPECT_EQ(script.profiler.compare(), "");
    profile = script.profiler.snapshot();
  }
  const FunctionProfile& function(const std::string& name) const {
    return *std::find_if(profile.functions.begin(), profile.functions.end(),
                         [&](const FunctionProfile& function) { return function.name == name; });
  }
  PathProfile profile;
};

std::vector<std::string> texts(const std::vector<PathCount>& paths) {
  std::vector<std::string> lines;
  for (const PathCount& path : paths)
    lines.push_back(std::to_string(path.count) + " x " + describe(path.path));
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Windows, AlternationHasTwoPathsOfTwoRounds) {
  const Example alternation("alternation.lua", 2);
  const FunctionProfile& weave = alternation.function("weave");
  ASSERT_EQ(weave.loops.size(), 1u);
  const LoopProfile& loop = weave.loops[0];
  EXPECT_EQ(texts(loop.windows), (Lines{"49999 x loop 12 > 12:F 19:F | 12:T 19:F > loop 12",
                                        "49998 x loop 12 > 12:T 19:F | 12:F 19:F > loop 12"}));
  EXPECT_EQ(texts(weave.paths), (Lines{"1 x entry > 12:T 19:F | 12:F 19:F > loop 12",
                                       "1 x loop 12 > 12:T 19:F | 12:F 19:T > return 20"}));
  EXPECT_EQ(loop.windows[0].path.key, "L0:10|00:L0");
  EXPECT_EQ(loop.chosen, 2u);
  EXPECT_NEAR(loop.accuracy[0], 0.5, 0.001);
  EXPECT_DOUBLE_EQ(loop.accuracy[1], 1.0);
  EXPECT_EQ(select_paths(alternation.profile, {}, 2).paths[1].path, &loop.windows[1]);
}

TEST(Windows, TheDecoderIsForetoldByTwoRoundsBefore) {
  const Example decoder("utf8.lua", 4);
  const LoopProfile& loop = decoder.function("decode").loops.at(0);
  EXPECT_LT(loop.accuracy[0], 0.4);
  EXPECT_GT(loop.accuracy[1], 0.8);
  EXPECT_GT(loop.accuracy[2], 0.9);
  EXPECT_EQ(loop.chosen, 3u);
}

TEST(Windows, TheScannerIsForetoldByTheRoundBefore) {
  const Example scanner("scanner.lua", 3);
  const LoopProfile& loop = scanner.function("scan").loops.at(0);
  EXPECT_LT(loop.accuracy[0], 0.5);
  EXPECT_GE(loop.accuracy[1], 0.7);
  EXPECT_EQ(loop.chosen, 2u);
}

TEST(Windows, EachBytecodeIsCountedOnceWhateverKIs) {
  for (const char* name : {"alternation.lua", "scanner.lua"}) {
    const Example acyclic(name, 1);
    const uint64_t executed = select_paths(acyclic.profile, {}, 0).bytecodes;
    for (unsigned k = 2; k <= 4; ++k) {
      EXPECT_EQ(select_paths(Example(name, k).profile, {}, 0).bytecodes, executed) << name << " k " << k;
    }
  }
}

TEST(Windows, RoundsWithoutBranchesAreParted) {
  ProfiledScript script("local function f(n)\n for i = 1, n do\n  n = n + i\n end\nend\nf(6)", "=test",
                        over(3));
  EXPECT_EQ(script.profiler.compare(), "");
  const FunctionProfile f = script.function("f");
  EXPECT_EQ(texts(f.loops.at(0).windows), (Lines{"2 x loop 2 > | | > loop 2"}));
  EXPECT_EQ(f.loops[0].runs, 3u);
}

TEST(Windows, AnErrorCutsAPathOfSeveralRounds) {
  ProfiledScript script(
      "local function f(n)\n for i = 1, n do\n  if i == 5 then\n   error('now')\n  end\n end\nend\npcall(f, "
      "9)",
      "=test", over(2));
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_EQ(texts(script.function("f").cut_paths), (Lines{"1 x loop 2 > 3:F | 3:T > left 4"}));
}

std::string loop_with_branches(int branches) {
  std::string text = "local function f(x)\n local y = 0\n for i = 1, 40 do\n";
  for (int i = 0; i < branches; ++i)
    text += "  if x & i << " + std::to_string(i) + " ~= 0 then y = y + 1 end\n";
  return text + " end\n return y\nend\nf(12345) f(77)";
}

TEST(Windows, KShrinksUntilAWindowFits) {
  ProfiledScript script(loop_with_branches(9), "=test", over(8));
  EXPECT_EQ(script.profiler.compare(), "");
  const FunctionProfile f = script.function("f");
  EXPECT_TRUE(f.is_shortened);
  EXPECT_EQ(f.loops.at(0).iterations, 3u);
  EXPECT_TRUE(f.loops[0].is_hashed);
  EXPECT_NE(write_report(script.profiler.snapshot(), {}).find("its paths run through fewer"),
            std::string::npos);
}

TEST(Windows, JsonCarriesLoops) {
  ReportOptions json;
  json.format = find_report_format("json");
  const auto report = nlohmann::json::parse(write_report(Example("alternation.lua", 2).profile, json));
  EXPECT_EQ(report["k"], 2);
  for (const auto& function : report["functions"]) {
    if (function["name"] != "weave") continue;
    const auto& loop = function["loops"][0];
    EXPECT_EQ(loop["k"], 2);
    EXPECT_EQ(loop["best_k"], 2);
    EXPECT_EQ(loop["accuracy"][1], 1.0);
    EXPECT_EQ(loop["windows"][0]["iteration_ends"], nlohmann::json({2}));
    EXPECT_EQ(loop["windows"][0]["repeated"], loop["windows"][0]["length"].get<int>() / 2);
    EXPECT_EQ(loop["completed"], 99997);
  }
}

TEST(HashedIds, KeepPathsWholeWhereNumbersCutThem) {
  std::string text = "local function f(x)\n local y = 0\n";
  for (int i = 0; i < 40; ++i) text += " if x & " + std::to_string(1ull << i) + " ~= 0 then y = y + 1 end\n";
  text += " return y\nend\nfor i = 0, 39 do f(1 << i) end\npcall(f)";
  ProfiledScript script(text, "=test", ProfileOptions{.many_paths = ManyPaths::Hash});
  EXPECT_EQ(script.profiler.compare(), "");
  const FunctionProfile f = script.function("f");
  EXPECT_TRUE(f.has_hashed_ids);
  EXPECT_FALSE(f.is_truncated);
  ASSERT_EQ(f.paths.size(), 40u);
  for (const PathCount& path : f.paths) EXPECT_EQ(path.path.steps.size(), 40u);
  EXPECT_EQ(f.cut_paths.size(), 1u);
  EXPECT_GT(f.collision_bound, 0);
  EXPECT_LT(f.collision_bound, 1e-9);
  EXPECT_NE(write_report(script.profiler.snapshot(), {}).find("it did not happen"), std::string::npos);
}

}  // namespace
}  // namespace mangata
