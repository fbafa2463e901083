// Flat and cumulated costs of profiles written down.
#include "profiler/model/views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/profile_model/literals.h"

namespace mangata {
namespace {

constexpr uint32_t kMain = 0, kF = 1, kPcall = 2, kFinalizer = 3, kCoroutine = 4, kCollector = 5, kSort = 6;

FunctionRow row_named(const RunProfile& profile, const std::string& name) {
  for (const FunctionRow& row : by_function(profile)) {
    if (row.name == name) return row;
  }
  ADD_FAILURE() << "no row " << name;
  return {};
}

uint64_t self_samples(const RunProfile& profile, const std::string& name) { return row_named(profile, name).self.samples; }
uint64_t total_samples(const RunProfile& profile, const std::string& name) { return row_named(profile, name).total.samples; }

TEST(Views, ARecursiveFunctionIsCountedOncePerStack) {
  const RunProfile profile = two_functions({stack_of({{kMain, 1}, {kF, 11}, {kF, 11}, {kF, 12}}, 3), stack_of({{kMain, 2}}, 1)});
  EXPECT_EQ(self_samples(profile, "f"), 3u);
  EXPECT_EQ(total_samples(profile, "f"), 3u);
  EXPECT_EQ(self_samples(profile, "main chunk"), 1u);
  EXPECT_EQ(total_samples(profile, "main chunk"), 4u);
}

TEST(Views, NativeFunctionsHaveRowsOfTheirOwn) {
  const RunProfile profile = two_functions({stack_of({{kMain, 1}, {kPcall, -1}, {kF, 12}}, 2), stack_of({{kMain, 1}, {kSort, -1}}, 5)});
  EXPECT_EQ(self_samples(profile, "pcall"), 0u);
  EXPECT_EQ(total_samples(profile, "pcall"), 2u);
  EXPECT_EQ(self_samples(profile, "sort"), 5u);
  EXPECT_EQ(row_named(profile, "sort").place, "[C]");
  EXPECT_EQ(total_samples(profile, "main chunk"), 7u);
}

TEST(Views, ACallerThatATailCallHasReplacedIsNotCharged) {
  const RunProfile profile = two_functions({stack_of({{kF, 12}}, 2)});
  EXPECT_EQ(total_samples(profile, "main chunk"), 0u);
}

TEST(Views, CoroutinesAreBelowTheirResumerAndFinalizersBelowTheirRow) {
  const RunProfile profile =
      two_functions({stack_of({{kMain, 1}, {kCoroutine, -1}, {kF, 12}}, 2), stack_of({{kMain, 1}, {kFinalizer, -1}, {kF, 12}}, 4)});
  EXPECT_EQ(total_samples(profile, "[finalizer]"), 4u);
  EXPECT_EQ(total_samples(profile, "[coroutine]"), 2u);
  EXPECT_EQ(self_samples(profile, "[finalizer]"), 0u);
  EXPECT_EQ(total_samples(profile, "main chunk"), 6u);
}

TEST(Views, RowsAddUpToWhatWasSampled) {
  RunProfile profile = two_functions({stack_of({{kMain, 1}, {kCollector, -1}}, 2), stack_of({{kMain, 1}, {kF, 12}}, 7)});
  profile.time->invalid_samples = 1;
  profile.time->invalid_ns = 1'000'000;
  EXPECT_EQ(sum_of(by_function(profile)).nanoseconds, 10'000'000u);
  EXPECT_EQ(self_samples(profile, "[invalid samples]"), 1u);
}

TEST(Views, CallsAreThePathsThatBeginAtTheEntry) {
  const RunProfile profile = two_functions({});
  EXPECT_EQ(row_named(profile, "f").self.count, 5u);
  EXPECT_EQ(row_named(profile, "f").self.bytecodes, 5u * 8 + 5 * 2);
}

TEST(Views, AFunctionThatHasCompletedNoPathHasARow) {
  RunProfile profile = two_functions({stack_of({{kMain, 1}, {kF, 12}}, 7)});
  profile.paths.functions.pop_back();
  EXPECT_EQ(self_samples(profile, "f"), 7u);
  EXPECT_EQ(row_named(profile, "f").place, "a.lua:10");
}

TEST(Views, LinesGetTheBytecodesOfThePathsThroughThem) {
  RunProfile profile = two_functions({stack_of({{kMain, 1}, {kF, 11}, {kF, 11}}, 3), stack_of({{kMain, 1}, {kF, 11}, {kSort, -1}}, 4)});
  FunctionProfile& f = profile.paths.functions[1];
  f.paths[0].path.lines = {10, 11};
  f.paths[0].path.line_bytecodes = {2, 6};
  f.paths[1].path.lines = {11};
  f.paths[1].path.line_bytecodes = {2};
  const auto lines = by_line(profile, f);
  EXPECT_EQ(lines.at(10).self.bytecodes, 10u);
  EXPECT_EQ(lines.at(11).self.bytecodes, 30u + 10u);
  EXPECT_EQ(lines.at(11).self.count, 10u);
  EXPECT_EQ(lines.at(11).self.samples, 3u);
  EXPECT_EQ(lines.at(11).total_ns, 7'000'000u) << "once per stack";
}

TEST(Views, FilesAreSumsOfRows) {
  const RunProfile profile = two_functions({stack_of({{kMain, 1}, {kSort, -1}}, 5)});
  const auto files = by_file(by_function(profile), ReportWeight::Bytecodes);
  ASSERT_FALSE(files.empty());
  EXPECT_EQ(files[0].file, "a.lua");
  EXPECT_EQ(files[0].self.bytecodes, 70u);
}

TEST(Views, TimeOrdersOnlyWithEnoughSamples) {
  EXPECT_EQ(effective_weight(ReportWeight::Automatic, two_functions({stack_of({{kMain, 1}}, 499)})), ReportWeight::Bytecodes);
  EXPECT_EQ(effective_weight(ReportWeight::Automatic, two_functions({stack_of({{kMain, 1}}, 500)})), ReportWeight::Time);
  EXPECT_EQ(effective_weight(ReportWeight::Count, two_functions({stack_of({{kMain, 1}}, 500)})), ReportWeight::Count);
}

TEST(Views, TheStandardErrorIsThatOfAShare) {
  EXPECT_NEAR(standard_error_percent(50, 100), 5.0, 1e-9);
  EXPECT_EQ(standard_error_percent(0, 0), 0);
}

}  // namespace
}  // namespace mangata
