#include "jit/region/exits_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mangata::jit {
namespace {

RegionCode left(std::initializer_list<std::pair<ExitSite::Why, uint64_t>> exits) {
  RegionCode code;
  for (const auto& [why, count] : exits) {
    code.exits.emplace_back();
    code.exits.back().why = why;
    code.exit_counts.push_back(count);
  }
  code.publish_exits();
  code.ir_instructions = 90;
  code.code_bytes = 700;
  code.milliseconds = 2.25;
  return code;
}

using Why = ExitSite::Why;

TEST(ExitsText, LoopsSayHowManyEntriesEndedUnexpectedly) {
  const RegionCode code = left({{Why::Guard, 10}, {Why::Arm, 15}, {Why::Loop, 975}, {Why::Other, 0}, {Why::Entry, 5}});
  EXPECT_EQ(exits_text(code, {.name = "loop 3 of s.lua:1"}),
            "region of loop 3 of s.lua:1 [90 IR instructions, 700 bytes, 2.2 ms]: left 10 times by failed checks, 15 by rare "
            "branches: 25.0 of 1000 times that it was entered (1000)\n"
            "  975 loop ended\n"
            "  15 rare branch\n"
            "  10 check failed\n"
            "  5 entry refused\n");
}

TEST(ExitsText, FunctionsAlsoReturnWhichNobodyCounts) {
  EXPECT_EQ(exits_text(left({{Why::Guard, 2}}), {.name = "f", .is_function = true, .has_costs = false}),
            "region of f [90 IR instructions]: left 2 times by failed checks, 0 by rare branches, besides its returns\n"
            "  2 check failed\n");
}

TEST(ExitsText, RegionsThatWereNeverLeftHaveALine) {
  EXPECT_EQ(exits_text(left({{Why::Loop, 0}}), {.name = "loop 1 of f", .has_costs = false}),
            "region of loop 1 of f [90 IR instructions]: left 0 times by failed checks, 0 by rare branches\n");
}

TEST(ExitsText, RoundsAndCyclesAreSaidWhereTheyWereMeasured) {
  RegionCode code = left({{Why::Guard, 4}, {Why::Loop, 1}});
  code.iterations = std::make_unique<uint64_t>(2000);
  code.cycles = 5000;
  code.saved_share = 0.25;
  EXPECT_NE(exits_text(code, {.name = "f", .baseline_cycles = 12.25})
                .find("\n  2000 iterations, of which 2.00 in 1000 left unexpectedly; predicted to take 0.75 of the time; 2.50 cycles an iteration, 12.25 in baseline code\n"),
            std::string::npos);
  EXPECT_NE(exits_text(code, {.name = "f", .has_costs = false, .baseline_cycles = 12.25}).find("of the time\n"), std::string::npos);
}

TEST(ExitsText, WhatARegionLacksIsUnexpected) {
  EXPECT_EQ(exits_text(left({{Why::Other, 2}, {Why::Loop, 6}, {Why::Collector, 2}}), {.name = "loop 1 of f", .has_costs = false}),
            "region of loop 1 of f [90 IR instructions]: left 0 times by failed checks, 0 by rare branches, 2 to what is not in it: "
            "200.0 of 1000 times that it was entered (10)\n"
            "  6 loop ended\n"
            "  2 not in the region\n"
            "  2 collected garbage\n");
}

TEST(ExitsText, OnlyTheMostFrequentExitsAreShown) {
  RegionCode code;
  for (uint64_t i = 0; i < 30; ++i) {
    code.exits.emplace_back();
    code.exit_counts.push_back(100 + i);
  }
  code.publish_exits();
  const std::string text = exits_text(code, {.name = "f"});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
  EXPECT_NE(text.find("  129 "), std::string::npos);
  EXPECT_EQ(text.find("  100 "), std::string::npos);
  EXPECT_EQ(totals_of(code).failed_checks, 30u * 100 + 29 * 30 / 2);
}

}  // namespace
}  // namespace mangata::jit
