// Whole scripts: which paths are counted, which are cut off, what they are called.
#include <gtest/gtest.h>

#include <algorithm>

#include "profiler/report.h"
#include "tests/unit/profiler/script.h"

namespace mangata {
namespace {

std::string text_of(const PathCount& path) {
  std::string text = std::to_string(path.count) + " x " + describe_start(path.path) + ":";
  for (const PathStep& step : path.path.steps) text += " " + describe(step);
  return text + " -> " + describe_end(path.path);
}

std::vector<std::string> texts(const std::vector<PathCount>& paths) {
  std::vector<std::string> lines;
  for (const PathCount& path : paths) lines.push_back(text_of(path));
  std::sort(lines.begin(), lines.end());
  return lines;
}

using Lines = std::vector<std::string>;

TEST(PathProfiler, CountsEachWayThroughAFunction) {
  ProfiledScript script("local function f(x)\n if x > 2 then return 1 end\n return 2\nend\nfor i = 1, 5 do f(i) end");
  EXPECT_TRUE(script.succeeded);
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_EQ(texts(script.function("f").paths), (Lines{"2 x entry: 2:F -> return 3", "3 x entry: 2:T -> return 2"}));
  EXPECT_EQ(texts(script.function("main chunk").paths),
            (Lines{"1 x entry: 5:enter -> loop 5", "1 x loop 5: 5:done -> return 5", "3 x loop 5: -> loop 5"}));
}

TEST(PathProfiler, TruthIsThatOfTheConditionAsWritten) {
  ProfiledScript script(
      "local function f(a, b)\n if a ~= b then a = 1 end\n if not b then b = 1 end\n while a ~= 1 do break end\n"
      " if a == 2 or b then return end\nend\nf(1, nil)");
  EXPECT_EQ(texts(script.function("f").paths), (Lines{"1 x entry: 2:T 3:T 4:F 5:F 5:T -> return 5"}));
}

TEST(PathProfiler, AnErrorCutsThePathsOfAllItsFrames) {
  ProfiledScript script(
      "local function inner(x)\n if x then\n  error('now')\n end\nend\n"
      "local function outer()\n for i = 1, 3 do\n  inner(i == 2)\n end\nend\npcall(outer)");
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_EQ(texts(script.function("inner").cut_paths), (Lines{"1 x entry: 2:T -> left 3"}));
  EXPECT_EQ(texts(script.function("inner").paths), (Lines{"1 x entry: 2:F -> return 5"}));
  EXPECT_EQ(texts(script.function("outer").cut_paths), (Lines{"1 x loop 7: 8:T -> left 8"}));
}

TEST(PathProfiler, AFailingTailCallIsNoReturn) {
  ProfiledScript script("local function f(g)\n return g()\nend\npcall(f)\npcall(f, error)\nf(type, 1)");
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_FALSE(script.succeeded);  // type() wants an argument
  EXPECT_TRUE(script.function("f").paths.empty());
  EXPECT_EQ(texts(script.function("f").cut_paths), (Lines{"3 x entry: -> left 2"}));
}

TEST(PathProfiler, AbandonedCoroutinesAreCutOff) {
  ProfiledScript script(
      "local function body()\n while true do\n  coroutine.yield()\n end\nend\n"
      "for i = 1, 4 do\n local co = coroutine.wrap(body)\n co() co()\n if i == 2 then collectgarbage() end\nend");
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_EQ(texts(script.function("body").cut_paths), (Lines{"4 x loop 3: -> left 3"}));
  EXPECT_EQ(texts(script.function("body").paths), (Lines{"4 x entry: -> loop 3"}));
}

TEST(PathProfiler, NamesOfFunctions) {
  ProfiledScript script(
      "local M = {}\nfunction M.a() end\nfunction M:b() end\nlocal function c() end\nfunction d() end\n"
      "local t = { e = function() end,\n [1] = function() end }\nlocal up\nlocal function sets() up = function() end end\n"
      "M.a() M:b() c() d() t.e() t[1]() sets() up() ; (function() end)()");
  std::vector<std::string> names;
  for (const FunctionProfile& function : script.profiler.snapshot().functions) names.push_back(function.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (Lines{"M.a", "M:b", "c", "d", "function <test:10>", "function <test:7>", "main chunk", "sets", "t.e",
                          "up"}));
}

TEST(PathProfiler, TheSameChunkLoadedAgainGoesOnCounting) {
  ProfiledScript script("for i = 1, 10 do load('local x = ... if x > 5 then return 1 end', '=again')(i) end collectgarbage()");
  EXPECT_EQ(script.profiler.compare(), "");
  const PathProfile profile = script.profiler.snapshot();
  ASSERT_EQ(profile.functions.size(), 2u);
  EXPECT_EQ(texts(profile.functions[0].paths), (Lines{"5 x entry: 1:F -> return 1", "5 x entry: 1:T -> return 1"}));
}

TEST(PathProfiler, IdentityIsStructural) {
  const std::string function = "local function f(x) if x then return 'a' end return 'b' end f(1)";
  const FunctionProfile here = ProfiledScript(function).function("f");
  const FunctionProfile there = ProfiledScript("\n\n\nlocal y = 5\n" + function).function("f");
  const FunctionProfile other = ProfiledScript("local function f(x) if x then return 'c' end return 'b' end f(1)").function("f");
  EXPECT_EQ(here.id, there.id);
  EXPECT_NE(here.id, other.id);
  ASSERT_EQ(here.paths.size(), 1u);
  EXPECT_EQ(here.paths[0].path.key, there.paths[0].path.key);
  EXPECT_EQ(here.paths[0].path.key, "E:0:X");
}

TEST(PathProfiler, WorksWithoutDebugInformation) {
  ProfiledScript script(
      "local f = load(string.dump(function(n) for i = 1, n do if i > 2 then n = 0 end end end, true))\nf(4)");
  EXPECT_TRUE(script.succeeded);
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_NE(write_report(script.profiler.snapshot(), {}).find("?:T"), std::string::npos);
}

TEST(PathProfiler, MoreThanTwoToThe32Paths) {
  std::string text = "local function f(x)\n local y = 0\n";
  for (int i = 0; i < 40; ++i) text += " if x & " + std::to_string(1ull << i) + " ~= 0 then y = y + 1 end\n";
  text += " return y\nend\nfor i = 0, 39 do f(1 << i) end";
  ProfiledScript script(text);
  EXPECT_EQ(script.profiler.compare(), "");
  EXPECT_TRUE(script.function("f").is_truncated);
}

}  // namespace
}  // namespace mangata
