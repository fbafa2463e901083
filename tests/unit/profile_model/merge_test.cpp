// Merging and comparing profiles written down.
#include "profiler/model/merge.h"

#include <gtest/gtest.h>

#include "profiler/model/diff.h"
#include "profiler/model/views.h"
#include "tests/unit/profile_model/literals.h"

namespace mangata {
namespace {

constexpr uint32_t kMain = 0, kF = 1;

TEST(Merge, PathsWithOneKeyAreOne) {
  RunProfile profile = two_functions({});
  RunProfile second = two_functions({});
  second.paths.functions[1].paths.push_back(path_of("E:0:X", 100, 3));
  second.paths.functions.push_back(function_of("g", "cccccccccccccccc", 20, {path_of("E::X", 1, 1)}));
  ASSERT_EQ(merge_profile(profile, second), "");
  ASSERT_EQ(profile.paths.functions.size(), 3u);
  const auto& paths = profile.paths.functions[1].paths;
  ASSERT_EQ(paths.size(), 3u);
  EXPECT_EQ(paths[0].path.key, "E:0:X") << "most frequent first";
  EXPECT_EQ(paths[0].count, 100u);
  EXPECT_EQ(paths[1].count, 10u);
}

TEST(Merge, FunctionsWithOneCodeInDifferentPlacesStayTwo) {
  RunProfile profile = two_functions({});
  RunProfile second = two_functions({});
  second.paths.functions[1].line_defined = 99;
  ASSERT_EQ(merge_profile(profile, second), "");
  EXPECT_EQ(profile.paths.functions.size(), 3u);
}

TEST(Merge, WhatIsLeftOutAddsUp) {
  RunProfile profile = two_functions({});
  profile.paths.left_out = {.paths = 2, .executions = 10, .most_missing = 3};
  profile.paths.functions[1].left_out = 10;
  RunProfile second = profile;
  ASSERT_EQ(merge_profile(profile, second), "");
  EXPECT_EQ(profile.paths.left_out.paths, 4u);
  EXPECT_EQ(profile.paths.left_out.executions, 20u);
  EXPECT_EQ(profile.paths.left_out.most_missing, 6u);
  EXPECT_EQ(profile.paths.functions[1].left_out, 20u);
  EXPECT_EQ(profile.paths.functions[0].left_out, 0u);
}

TEST(Merge, ProfilesOfDifferentKAreRefused) {
  RunProfile profile = two_functions({});
  RunProfile second = two_functions({});
  second.paths.iterations = 3;
  EXPECT_EQ(merge_profile(profile, second), "it has paths of 3 rounds (--profile-k), not of 1");
  EXPECT_EQ(profile.paths.functions[1].paths[0].count, 5u);
}

TEST(Merge, StacksAddUpThoughSymbolsAreNumberedOtherwise) {
  RunProfile profile = two_functions({stack_of({{kMain, 1}, {kF, 12}}, 3)});
  RunProfile second = two_functions({stack_of({{kMain, 1}, {kF, 12}}, 4), stack_of({{kF, 12}}, 1)});
  std::swap(second.time->symbols[0], second.time->symbols[1]);
  for (StackSample& stack : second.time->stacks) {
    for (StackFrame& frame : stack.frames) frame.symbol = 1 - frame.symbol;
  }
  ASSERT_EQ(merge_profile(profile, second), "");
  ASSERT_EQ(profile.time->stacks.size(), 2u);
  EXPECT_EQ(profile.time->stacks[0].samples, 7u);
  EXPECT_EQ(profile.time->samples, 8u);
  EXPECT_EQ(profile.time->mean_period_ns, 1'000'000u);
  EXPECT_EQ(profile.time->symbols.size(), 7u);
}

TEST(Merge, WhatOneRunDidNotMeasureIsNotThere) {
  RunProfile profile = two_functions({});
  RunProfile second = two_functions({});
  second.time.reset();
  profile.paths.functions[0].paths[0].nanoseconds = 7;
  ASSERT_EQ(merge_profile(profile, second), "");
  EXPECT_FALSE(profile.time.has_value());
  EXPECT_FALSE(profile.paths.functions[0].paths[0].nanoseconds.has_value());
}

TEST(Merge, LoopsAddTheirWindows) {
  RunProfile profile = two_functions({});
  LoopProfile loop;
  loop.key = "L0";
  loop.runs = 10;
  loop.accuracy = {0.5, 1.0};
  loop.windows = {path_of("L0:0|1:L0", 10, 4, PathStart::Loop)};
  profile.paths.functions[1].loops = {loop};
  RunProfile second = profile;
  second.paths.functions[1].loops[0].runs = 30;
  second.paths.functions[1].loops[0].accuracy = {0.9, 1.0};
  ASSERT_EQ(merge_profile(profile, second), "");
  const LoopProfile& merged = profile.paths.functions[1].loops.at(0);
  EXPECT_EQ(merged.windows.at(0).count, 20u);
  EXPECT_EQ(merged.runs, 40u);
  EXPECT_NEAR(merged.accuracy[0], 0.8, 1e-9);
}

TEST(Merge, NeverTakenIsWhatNoRunTook) {
  RunProfile profile = two_functions({});
  profile.paths.has_coverage = true;
  FunctionCoverage coverage;
  coverage.id = "bbbbbbbbbbbbbbbb";
  coverage.name = "f";
  coverage.source = "@a.lua";
  coverage.line_defined = 10;
  coverage.possible = 4;
  coverage.taken = 2;
  coverage.is_enumerated = true;
  coverage.never_taken = {path_of("E:0:X", 0, 1).path, path_of("E:01:X", 0, 1).path};
  profile.paths.coverage = {coverage};
  RunProfile second = profile;
  second.paths.coverage[0].never_taken.pop_back();
  second.paths.functions[1].paths = {path_of("E:01:X", 1, 1)};
  ASSERT_EQ(merge_profile(profile, second), "");
  ASSERT_EQ(profile.paths.coverage[0].never_taken.size(), 1u);
  EXPECT_EQ(profile.paths.coverage[0].never_taken[0].key, "E:0:X");
  EXPECT_EQ(profile.paths.coverage[0].taken, 3u);
}

TEST(Diff, ARunDoesNotDifferFromItself) {
  const RunProfile profile = two_functions({stack_of({{kMain, 1}, {kF, 12}}, 3)});
  EXPECT_TRUE(difference(profile, profile).is_empty());
}

TEST(Diff, PathsAreComparedByKeyWhereverTheFunctionStands) {
  const RunProfile before = two_functions({});
  RunProfile after = two_functions({});
  after.paths.functions[1].line_defined = 77;
  after.paths.functions[1].paths[0].count = 50;
  after.paths.functions[1].paths.push_back(path_of("E:0:X", 2, 3));
  const RunDifference found = difference(before, after);
  ASSERT_EQ(found.functions.size(), 1u);
  EXPECT_EQ(found.functions[0].fate, Fate::Common);
  ASSERT_EQ(found.functions[0].paths.size(), 2u);
  EXPECT_EQ(found.functions[0].paths[0].fate, Fate::New);
  EXPECT_EQ(found.functions[0].paths[1].fate, Fate::Common);
  EXPECT_EQ(found.functions[0].paths[1].before.count, 5u);
  EXPECT_EQ(found.functions[0].paths[1].after.count, 50u);
}

TEST(Diff, ChangedCodeIsToldFromNewAndVanishedFunctions) {
  const RunProfile before = two_functions({});
  RunProfile after = two_functions({});
  after.paths.functions[1].id = "dddddddddddddddd";
  after.paths.functions.push_back(function_of("g", "cccccccccccccccc", 20, {path_of("E::X", 1, 1)}));
  const RunDifference found = difference(before, after);
  ASSERT_EQ(found.functions.size(), 2u);
  EXPECT_EQ(found.functions[0].name, "g");
  EXPECT_EQ(found.functions[0].fate, Fate::New);
  EXPECT_EQ(found.functions[1].name, "f");
  EXPECT_EQ(found.functions[1].fate, Fate::Changed);
  const RunDifference backwards = difference(after, before);
  EXPECT_EQ(backwards.functions.back().fate, Fate::Vanished);
}

TEST(Diff, TimeDiffersBeyondItsError) {
  const RunProfile before = two_functions({stack_of({{kMain, 1}, {kF, 12}}, 100)});
  EXPECT_TRUE(difference(before, two_functions({stack_of({{kMain, 1}, {kF, 12}}, 120)})).is_empty());
  EXPECT_EQ(difference(before, two_functions({stack_of({{kMain, 1}, {kF, 12}}, 150)})).functions.size(), 1u);
}

}  // namespace
}  // namespace mangata
