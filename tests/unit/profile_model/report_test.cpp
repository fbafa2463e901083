// The text report, of profiles written down.
#include "profiler/report.h"

#include <gtest/gtest.h>

#include "profiler/report_diff.h"
#include "profiler/source_lines.h"
#include "profiler/text_table.h"
#include "tests/unit/profile_model/literals.h"

namespace mangata {
namespace {

constexpr uint32_t kMain = 0, kF = 1, kSort = 6;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(TextReport, OrdersByTimeWithEnoughSamplesAndSaysSo) {
  const std::string text = write_report(two_functions({stack_of({{kMain, 1}, {kF, 12}}, 300), stack_of({{kMain, 1}, {kSort, -1}}, 700)}), {});
  EXPECT_TRUE(contains(text, "Ordered by processor time.")) << text;
  EXPECT_LT(text.find("sort"), text.find(" f  ")) << text;
  EXPECT_TRUE(contains(text, "1000.0 ms  100.00%      1  main chunk  a.lua:1")) << text;
}

TEST(TextReport, OrdersByBytecodesWithFewSamplesAndSaysSo) {
  const std::string text = write_report(two_functions({stack_of({{kMain, 1}, {kSort, -1}}, 7)}), {});
  EXPECT_TRUE(contains(text, "Ordered by bytecodes executed (70, exact): 500 samples of processor time would order by that.")) << text;
}

TEST(TextReport, FunctionsOfManyPathsComeBeforeTheHottestPath) {
  RunProfile profile;
  std::vector<PathCount> many;
  for (int i = 0; i < 58; ++i) many.push_back(path_of("E:" + std::string(static_cast<size_t>(i), '1') + ":X", 1, 3));
  profile.paths.functions = {function_of("one", "aaaaaaaaaaaaaaaa", 1, {path_of("E::X", 50, 1)}), function_of("many", "bbbbbbbbbbbbbbbb", 9, many)};
  const std::string text = write_report(profile, {});
  EXPECT_LT(text.find("many"), text.find("one")) << text;
  EXPECT_TRUE(contains(text, "... and 48 other paths, 64.29%")) << text;
}

TEST(TextReport, SharesOfPathsAreOfTheWholeTimeAsThoseOfFunctionsAre) {
  RunProfile profile = two_functions({stack_of({{kMain, 1}, {kF, 12}}, 250), stack_of({{kMain, 1}, {kSort, -1}}, 750)});
  profile.paths.functions[0].paths[0].nanoseconds = 0;
  profile.paths.functions[1].paths[0].nanoseconds = 100'000'000;
  profile.paths.functions[1].paths[1].nanoseconds = 150'000'000;
  const std::string text = write_report(profile, {});
  EXPECT_TRUE(contains(text, "250.0 ms   25.00%")) << text;
  EXPECT_TRUE(contains(text, "~150.0 ms  ~15.00%       5  f         a.lua:10   loop")) << "of the loop: " << text;
  EXPECT_TRUE(contains(text, "~100.0 ms  ~10.00%      5       8  entry")) << "of the path: " << text;
}

TEST(TextReport, WhatIsLeftOutIsToldOfItsFunction) {
  RunProfile profile = two_functions({});
  profile.time.reset();
  profile.paths.left_out = {.paths = 3, .executions = 4};
  profile.paths.max_memory_bytes = 2 << 20;
  profile.paths.functions[1].left_out = 4;
  const std::string text = write_report(profile, {});
  EXPECT_TRUE(contains(text, "Left out, to stay within 2M (--profile-max-memory): 3 paths of the rarest, which ran 4 times in all.")) << text;
  EXPECT_TRUE(contains(text, "Ordered by bytecodes executed (at least 70)")) << text;
  EXPECT_TRUE(contains(text, "≥50  71.43%   71.43%     ≥5  f ")) << text;
  EXPECT_TRUE(contains(text, "... and rarer paths that are left out, which ran 4 times\n")) << text;
  EXPECT_FALSE(contains(text, "≥20")) << "of the main chunk nothing is left out: " << text;
}

TEST(TextReport, TimeThatOtherProcessesHadIsTold) {
  RunProfile profile = two_functions({stack_of({{kMain, 1}, {kF, 12}}, 1000)});
  profile.time->wall_ns = 1'020'000'000;
  EXPECT_FALSE(contains(write_report(profile, {}), "ready"));
  profile.time->wall_ns = 3'500'000'000;
  profile.time->waiting_ns = 500'000'000;
  EXPECT_TRUE(contains(write_report(profile, {}), "Elapsed: 3500.0 ms, waiting 500.0 ms, ready while others ran 2000.0 ms;"));
}

TEST(Labels, FunctionsWithoutANameAreShortenedToTheirFile) {
  FunctionProfile function = function_of("function <some/very/long/folder/file.lua:30>", "aaaaaaaaaaaaaaaa", 30, {});
  EXPECT_EQ(short_name(function), "function <file.lua:30>");
  function.name = "function <[string \"return some text without a slash in it\"]:1>";
  EXPECT_EQ(short_name(function).size(), 32u);
  EXPECT_TRUE(short_name(function).ends_with("\"]:1>")) << short_name(function);
}

TEST(Labels, ConditionsInOneLineAreToldApart) {
  Path path;
  path.steps = {{33, Outcome::True, 8, 4}, {33, Outcome::False, 14, 4}, {34, Outcome::True, 3, 4}};
  path.end_line = 40;
  EXPECT_EQ(describe(path, {33}), "entry > 33:8:T 33:14:F 34:T > return 40");
  EXPECT_EQ(describe(path), "entry > 33:T 33:F 34:T > return 40");
}

TEST(Labels, LoopsInOneLineAreToldApart) {
  Path path;
  path.start = PathStart::Loop;
  path.end = PathEnd::Loop;
  path.start_line = path.end_line = 1;
  path.start_column = 20;
  path.end_column = 5;
  EXPECT_EQ(describe(path, {1}), "loop 1:20 > loop 1:5");
}

TEST(Labels, StepsLeftOutAreCounted) {
  Path path;
  path.steps.assign(100, {33, Outcome::True});
  EXPECT_TRUE(contains(describe(path), " more) 33:T > return"));
}

TEST(Printable, ControlCharactersAreEscapedAndLongTextIsCut) {
  EXPECT_EQ(printable("a\x1b[2J\tb"), "a\\27[2J  b");
  EXPECT_EQ(printable("\xC2\x9B"
                      "1m"),
            "\\194\\1551m");
  EXPECT_EQ(printable("0123456789", 8), "01234...");
  EXPECT_EQ(printable("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 6), "\xC3\xA9...");
}

TEST(SourceLines, OnlyTheTextThatRanIsShown) {
  const std::vector<ChunkText> chunks = {{"@" MANGATA_SOURCE_DIR "/LICENSE", 3, 7, std::nullopt, false},
                                         {"=stdin", 8, 0, "x=1\r\ny=2", false},
                                         {"=twice", 8, 0, std::nullopt, true}};
  SourceLines lines(&chunks);
  EXPECT_EQ(lines.line(chunks[0].source, 1), "");
  EXPECT_EQ(lines.problem(chunks[0].source), "the file does not have the text that ran");
  EXPECT_EQ(lines.line("=stdin", 1), "x=1");
  EXPECT_EQ(lines.line("=stdin", 2), "y=2");
  EXPECT_EQ(lines.problem("=twice"), "different texts were loaded under this name");
  EXPECT_EQ(lines.line("return 1", 1), "return 1");
}

TEST(DiffReport, OfBytecodesSaysNothingOfFunctionsOfC) {
  const RunProfile before = two_functions({stack_of({{kMain, 1}, {kSort, -1}}, 10)});
  const RunProfile after = two_functions({stack_of({{kMain, 1}, {kSort, -1}}, 200)});
  EXPECT_TRUE(contains(write_diff_report(before, after, {}), "by bytecodes: 70 before, 70 after (0).\nNothing differs.\n"));
}

TEST(DiffReport, OfTimeHasMilliseconds) {
  const RunProfile before = two_functions({stack_of({{kMain, 1}, {kSort, -1}}, 600), stack_of({{kMain, 1}, {kF, 12}}, 400)});
  const RunProfile after = two_functions({stack_of({{kMain, 1}, {kSort, -1}}, 800), stack_of({{kMain, 1}, {kF, 12}}, 400)});
  const std::string text = write_diff_report(before, after, {});
  EXPECT_TRUE(contains(text, "by time: 1000.0 ms before, 1200.0 ms after (+200.0 ms).\n")) << text;
  EXPECT_TRUE(contains(text, "+200.0 ms  60.00%  66.67%   +6.67")) << text;
}

TEST(DiffReport, NamesWhatIsNewAndVanished) {
  RunProfile before = two_functions({}), after = two_functions({});
  before.time.reset();
  after.time.reset();
  after.paths.functions[1].paths.push_back(path_of("E:0:X", 2, 3));
  after.paths.functions.push_back(function_of("g", "cccccccccccccccc", 20, {path_of("E::X", 1, 1)}));
  const std::string text = write_diff_report(before, after, {});
  EXPECT_TRUE(contains(text, "70 before, 77 after (+7)")) << text;
  EXPECT_TRUE(contains(text, "new  g")) << text;
  EXPECT_TRUE(contains(write_diff_report(after, before, {}), "vanished  g"));
  EXPECT_TRUE(contains(write_diff_report(before, before, {}), "Nothing differs."));
}

}  // namespace
}  // namespace mangata
