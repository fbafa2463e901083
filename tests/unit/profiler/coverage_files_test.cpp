// Coverage of files: which lines count, conditions, hits as LuaCov keeps them.
#include <gtest/gtest.h>

#include "profiler/coverage/countable_lines.h"
#include "profiler/coverage/line_shapes.h"
#include "profiler/coverage/model/stats_file.h"
#include "profiler/coverage/model/text_file.h"
#include "profiler/coverage/source_text.h"

namespace mangata::coverage {
namespace {

/// A letter for each line: A always, i if it was hit, . never, - disabled.
std::string scan(const std::string& text) {
  LineScanner scanner;
  std::string kinds;
  for (const std::string& line : lines_of(text)) kinds += "Ai.-"[static_cast<size_t>(scanner.scan(line))];
  return kinds;
}

TEST(CountableLines, BlankLinesCommentsAndEndsNeverCount) {
  EXPECT_EQ(scan("\n  \n-- text\n--[[ long\n print(1)\n]]\nend\n end)\nelse\nrepeat\nlocal x\nlocal x, y =\nlocal function f(a, b)\n"), ".............");
}

TEST(CountableLines, StatementsAlwaysCount) {
  EXPECT_EQ(scan("f()\nlocal x = 1\nx = y + 1\nreturn x\nif x then\nfor i = 1, 2 do\nfunction f(a)\nend f()\n"), "AAAAAAAA");
}

TEST(CountableLines, WhatOftenHasNoCodeCountsWhenHit) {
  EXPECT_EQ(scan("local x = function(a,\n b)\nreturn function()\n'text',\n[1] = 2,\nkey = {1},\n}\n})\nbreak\ngoto done\n::done::\nlocal x = nil\nx.y\n"),
            "i.iiiiiiiiiii");
}

TEST(CountableLines, TextsOfSeveralLinesAreNoCode) {
  EXPECT_EQ(scan("x = [==[\nprint(1)\n]] ]==] f()\ny = 'a\\\n end \\' b' z()\n"), "i.AiA");
}

TEST(CountableLines, CommentsSwitchThemOffAndOn) {
  EXPECT_EQ(scan("f()\n-- luacov: disable\nf()\n--luacov:enable\nf()\n--- luacov: disable\nf()\n"), "A--.A.A");
}

TEST(CountableLines, AFirstLineForTheShellIsNone) { EXPECT_EQ(scan("#!/usr/bin/lua\n#!x\n"), ".A"); }

TEST(LineShapes, Forms) {
  EXPECT_TRUE(fits_form("  ab ", "ab"));
  EXPECT_TRUE(fits_form("a b", "a~b"));
  EXPECT_FALSE(fits_form("a  b", "a~b"));
  EXPECT_TRUE(fits_form("xx,x", "<x,>+"));
  EXPECT_FALSE(fits_form("", "<x>+"));
  EXPECT_TRUE(fits_form("x=1;", "x=<.>+<,;>"));
  EXPECT_FALSE(fits_form("x=;", "x=<.>+<,;>"));
}

TEST(Stats, AreReadAsTheyAreWritten) {
  const Stats stats{{"a.lua", {{2, 3}, {5, 1}}}, {"b c.lua", {{1, 18446744073709551615u}}}};
  EXPECT_EQ(write_stats(stats), "5:a.lua\n0 3 0 0 1 \n1:b c.lua\n18446744073709551615 \n");
  EXPECT_EQ(parse_stats(write_stats(stats)), stats);
}

TEST(Stats, WhatIsDamagedEndsThem) {
  EXPECT_EQ(parse_stats("2:a.lua\n1 2 \nx:b.lua\n1 \n"), (Stats{{"a.lua", {{1, 1}, {2, 2}}}}));
  EXPECT_EQ(parse_stats("3:a.lua\n1 x 2 \n"), (Stats{{"a.lua", {{1, 1}}}}));
  EXPECT_EQ(parse_stats("99999999999999999999:a\n1 "), Stats());
  EXPECT_EQ(parse_stats("5"), Stats());
  EXPECT_EQ(parse_stats(""), Stats());
}

TEST(Stats, NamesAreThoseOfLuaCov) {
  EXPECT_EQ(stats_name("@./a.lua"), "a.lua");
  EXPECT_EQ(stats_name("@././a.lua"), "./a.lua");
  EXPECT_EQ(stats_name("=stdin"), "=stdin");
}

/// "2:T/F 4:loop/done" of all functions.
std::string conditions_of(const std::string& text) {
  const auto chunk = functions_of(text, "@t");
  std::string list;
  for (const CoveredFunction& function : chunk.value_or(CoveredChunk()).functions) {
    for (const Condition& condition : function.conditions) {
      list += (list.empty() ? "" : " ") + std::to_string(condition.line) + ":" + outcome_name(condition.outcomes[0]) + "/" +
              outcome_name(condition.outcomes[1]);
    }
  }
  return list;
}

TEST(Conditions, EveryOperandAndEveryLoop) {
  EXPECT_EQ(conditions_of("local a, b, n = ...\nif a and\n b or n then end\nfor i = 1, n do end\nfor k in a do end\nwhile not a do end"),
            "2:T/F 3:T/F 3:T/F 4:enter/skip 4:loop/done 5:loop/done 6:T/F");
}

TEST(Conditions, ConstantsDecideNothing) {
  EXPECT_EQ(conditions_of("local a = ...\nwhile true do if a then break end end\nif false then a() end\nlocal x <const> = nil\n"
                          "if x then a() end\nfor i = 1, 3 do end\nlocal y = 1 and a or 2"),
            "2:T/F 6:loop/done 7:T/F");
}

TEST(FunctionsOf, AText) {
  const auto chunk = functions_of("#!shell\nlocal function f()\n return 1\nend\nreturn f\n", "@t");
  ASSERT_TRUE(chunk);
  ASSERT_EQ(chunk->functions.size(), 2u);
  EXPECT_EQ(chunk->functions[1].name, "f");
  EXPECT_EQ(chunk->functions[1].lines, (LineHits{{3, 0}}));
  EXPECT_FALSE(functions_of("local = 1", "@t"));
}

}  // namespace
}  // namespace mangata::coverage
