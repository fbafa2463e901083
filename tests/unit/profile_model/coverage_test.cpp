// Coverage as data: merged, compared, saved and read again; and what is damaged is an error.
#include <gtest/gtest.h>

#include "profiler/coverage/model/coverage_diff.h"
#include "profiler/coverage/model/coverage_json.h"
#include "profiler/coverage/model/coverage_options.h"
#include "profiler/coverage/model/merge_files.h"
#include "profiler/coverage/model/report_paths.h"
#include "profiler/markup.h"
#include "tests/unit/profile_model/mutator.h"

namespace mangata::coverage {
namespace {

constexpr int32_t kEntry = CoveredPath::kFunction;

/// `if a` in line 2, `if b` in line 3, then a loop in line 4; these of its paths were taken so often.
FunctionPaths two_conditions(std::array<uint64_t, 4> counts) {
  FunctionPaths function{.name = "f", .line = 1, .possible = 4, .is_listed = true, .branches = {}, .loops = {}, .paths = {}};
  function.branches = {{2, 0, {Outcome::True, Outcome::False}}, {3, 5, {Outcome::True, Outcome::False}}};
  function.loops = {{.line = 4, .may_be_left_out = true, .entered = 3, .iterations = 7, .once_least = 1, .once_most = 1}};
  for (uint32_t i = 0; i < 4; ++i) {
    function.paths.push_back({.start = kEntry, .steps = {i / 2, 2 + i % 2}, .end = kEntry, .end_line = 5, .count = counts[i]});
  }
  return function;
}

CoverageReport small_report() {
  SourceFile file{.name = "a.lua", .text_hash = "0123456789abcdef", .lines = {}, .functions = {}, .totals = {}, .paths = {}};
  file.lines.resize(4);
  file.lines[1].counts = file.lines[3].counts = true;
  file.lines[1].hits = 7;
  file.lines[1].conditions.push_back({.line = 2, .outcomes = {Outcome::True, Outcome::False}, .counts = {7, 0}});
  file.functions.push_back({"f", 1, 3, 2, 7});
  file.paths.push_back(two_conditions({3, 0, 0, 4}));
  file.paths.push_back({.name = "g", .line = 4, .column = 12, .possible = {}, .branches = {}, .loops = {}, .paths = {}});
  compute_totals(&file);
  CoverageReport report;
  report.files.push_back(file);
  report.folder = "/here";
  report.problems.push_back({"b.lua", "does not compile"});
  return report;
}

CoverageReport read(const std::string& text) {
  CoverageReport report;
  std::string error;
  EXPECT_TRUE(read_json_report(text, "c.json", &report, &error)) << error;
  return report;
}

std::string error_of(const std::string& text) {
  CoverageReport report;
  std::string error;
  EXPECT_FALSE(read_json_report(text, "c.json", &report, &error));
  return error;
}

TEST(SavedCoverage, IsReadAsItIsWritten) {
  const CoverageReport again = read(write_json(small_report()));
  EXPECT_EQ(write_json(again), write_json(small_report()));
  for (const CoverageFormat& format : coverage_formats()) EXPECT_EQ(format.write(again), format.write(small_report())) << format.name;
}

TEST(SavedCoverage, RunsAddUp) {
  MergedFiles files;
  files.add(small_report().files, "1.json");
  CoverageReport second = small_report();
  second.files[0].paths[0] = two_conditions({0, 1, 0, 0});
  files.add(second.files, "2.json");
  SourceFile other = small_report().files[0];
  other.text_hash = "0";
  files.add({other}, "3.json");
  CoverageReport sum;
  files.move_to(&sum);
  ASSERT_EQ(sum.files.size(), 1u);
  const SourceFile& file = sum.files[0];
  EXPECT_EQ(file.lines[1].hits, 14u);
  EXPECT_EQ(file.lines[1].conditions[0].counts[0], 14u);
  EXPECT_EQ(file.functions[0].calls, 14u);
  EXPECT_EQ(file.totals.lines.percent(), 50);
  ASSERT_EQ(file.paths.size(), 2u);
  EXPECT_EQ(file.paths[0].taken(), 3u);
  EXPECT_EQ(file.paths[0].loops[0].iterations, 14u);
  ASSERT_EQ(sum.problems.size(), 1u);
  EXPECT_EQ(sum.problems[0].what, "has another text in '3.json', which is not added");
}

TEST(SavedCoverage, WhatIsWrongIsNamed) {
  EXPECT_EQ(error_of("{"), "c.json:1:2: not coverage: it is not JSON");
  EXPECT_EQ(error_of("{\"format\": \"mangata-path-profile\"}"), "c.json: not coverage: /format: is not \"mangata-coverage\"");
  auto json = nlohmann::json::parse(write_json(small_report()));
  json["files"][0]["paths"][0]["paths"][1][4][0] = 4;
  EXPECT_EQ(error_of(json.dump()), "c.json: not coverage: /files/0/paths/0/paths/1/4/0: is no outcome of a branch");
  json["files"][0]["line_count"] = 3;
  EXPECT_EQ(error_of(json.dump()), "c.json: not coverage: /files/0/lines/1/0: is no line of the file");
  json["files"][0]["line_count"] = 18446744073709551615u;
  EXPECT_EQ(error_of(json.dump()), "c.json: not coverage: /files/0/line_count: is too large");
  EXPECT_NE(error_of(std::string(100'000, '[')).find("nested too deeply"), std::string::npos);
}

TEST(SavedCoverage, TenThousandDamagedFilesAreReadWithoutACrash) {
  const std::string whole = write_json(small_report());
  const auto document = nlohmann::json::parse(whole);
  int readable = 0;
  for (uint64_t seed = 0; seed < 10'000; ++seed) {
    Mutator mutator(seed);
    const std::string text =
        seed % 2 == 0 ? mutator.damage(document).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) : mutator.damage(whole);
    CoverageReport report;
    std::string error;
    if (!read_json_report(text, "c.json", &report, &error)) {
      EXPECT_FALSE(error.empty());
      continue;
    }
    ++readable;
    for (const CoverageFormat& format : coverage_formats()) (void)format.write(report);
    (void)write_coverage_diff(small_report(), report);
    (void)write_coverage_diff(report, small_report());
    MergedFiles files;
    files.add(small_report().files, "s.json");
    files.add(report.files, "c.json");
    CoverageReport sum;
    files.move_to(&sum);
    EXPECT_FALSE(write_text(sum).empty());
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(readable, 1000) << "most mutants are refused at once: they test nothing else";
}

TEST(Paths, APairThatWasNeverTakenTogetherIsToldAsOne) {
  const PathGaps gaps = gaps_of(two_conditions({3, 0, 0, 4}));
  EXPECT_EQ(gaps.with_new_outcome, 0u);
  EXPECT_EQ(gaps.combinations, 2u);
  ASSERT_EQ(gaps.pairs.size(), 2u);
  EXPECT_EQ(outcome_label(two_conditions({}), gaps.pairs[0].first), "2:T");
  EXPECT_EQ(outcome_label(two_conditions({}), gaps.pairs[0].second), "3:5:F");
  EXPECT_TRUE(gaps.whole.empty());
}

TEST(Paths, AnOutcomeThatNoPathHasIsNoCombination) {
  const PathGaps gaps = gaps_of(two_conditions({3, 0, 0, 0}));
  EXPECT_EQ(gaps.with_new_outcome, 3u);
  EXPECT_EQ(gaps.combinations, 0u);
}

TEST(Paths, WhatNoPairTellsIsTheWholePath) {
  FunctionPaths function{.name = "f", .line = 1, .possible = 8, .is_listed = true, .branches = {}, .loops = {}, .paths = {}};
  for (int32_t line = 2; line < 5; ++line) function.branches.push_back({line, 0, {Outcome::True, Outcome::False}});
  for (uint32_t i = 0; i < 8; ++i) {
    function.paths.push_back(
        {.start = kEntry, .steps = {i / 4, 2 + i / 2 % 2, 4 + i % 2}, .end = kEntry, .end_line = 9, .count = i == 5 ? 0u : 1u});
  }
  const PathGaps gaps = gaps_of(function);
  EXPECT_TRUE(gaps.pairs.empty());
  ASSERT_EQ(gaps.whole.size(), 1u);
  EXPECT_EQ(path_label(function, *gaps.whole[0]), "entry > 2:F 3:T 4:F > return 9");
}

TEST(Paths, AreToldByLine) {
  const std::string text = paths_section(small_report());
  EXPECT_NE(text.find("f (a.lua:1): 2 of 4 paths taken; not taken: 2 with all outcomes covered\n"
                      "  loop 4: never left out\n"
                      "  2:T 3:5:F  never on one path\n"
                      "  2:F 3:5:T  never on one path\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("In 1 function they are too many to be counted."), std::string::npos) << text;
}

TEST(Difference, IsWhatTheBaseDoesNotHave) {
  CoverageReport now = small_report();
  now.files[0].lines[3].hits = 2;
  now.files[0].lines[1].conditions[0].counts[1] = 5;
  now.files[0].paths[0] = two_conditions({1, 9, 0, 0});
  EXPECT_EQ(write_coverage_diff(small_report(), now),
            "Covered here, but not there: 1 line, 1 outcome, 1 path.\n"
            "  a.lua:2: F, 5 times\n  a.lua:4: line, 2 times\n  a.lua:1: f: entry > 2:T 3:5:F > return 5, 9 times\n");
  EXPECT_EQ(write_coverage_diff(now, now), "Covered here, but not there: 0 lines, 0 outcomes, 0 paths.\n");
}

TEST(Markup, IsEscaped) {
  EXPECT_EQ(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(escaped("\x01\xff\xc3\xa4\xed\xa0\x80"), "??\xc3\xa4???");
}

}  // namespace
}  // namespace mangata::coverage
