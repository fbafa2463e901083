// The report format html: its data is what the other reports say, it stays small and loads nothing, and hostile text stays text.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profiler/page/page_conditions.h"
#include "profiler/page/page_rows.h"
#include "profiler/report_html.h"
#include "tests/unit/profile_model/literals.h"

namespace mangata {
namespace {

using Json = nlohmann::json;
constexpr uint32_t kMain = 0, kF = 1, kPcall = 2, kSort = 6;
constexpr size_t kMostBytes = 1'000'000;

size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string data_text(const std::string& page) {
  const std::string open = "id=\"data\">";
  const size_t from = page.find(open) + open.size();
  return page.substr(from, page.find("</script>", from) - from);
}

Json data_of(const std::string& page) { return Json::parse(data_text(page)); }

RunProfile with_time() { return two_functions({stack_of({{kMain, 1}, {kF, 12}}, 300), stack_of({{kMain, 1}, {kPcall, -1}, {kSort, -1}}, 700)}); }

/// `count` functions of 60 paths each, all different.
RunProfile large_profile(int count) {
  RunProfile profile;
  for (int i = 0; i < count; ++i) {
    std::vector<PathCount> paths;
    for (int p = 0; p < 60; ++p) {
      paths.push_back(path_of("E:" + std::to_string(p) + ":X", 1 + static_cast<uint64_t>(p), 20));
      for (int step = 0; step < 20; ++step) paths.back().path.steps.push_back({i + step, step % 3 == p % 3 ? Outcome::True : Outcome::False, 1 + p, 5});
      for (int line = 0; line < 30; ++line) paths.back().path.lines.push_back(i + line);
    }
    profile.paths.functions.push_back(function_of("function_" + std::to_string(i), std::to_string(1'000'000'000'000'000 + i), 10 * i, paths));
  }
  return profile;
}

TEST(Page, FunctionsAndTotalsAreThoseOfTheTextReport) {
  const RunProfile profile = with_time();
  const Json data = data_of(write_html_report(profile, {}));
  const FunctionScreen screen(profile, {});
  ASSERT_EQ(data["functions"].size(), screen.shown.size());
  for (size_t i = 0; i < screen.shown.size(); ++i) {
    EXPECT_EQ(data["functions"][i]["name"], screen.shown[i].name);
    EXPECT_EQ(data["functions"][i]["value"], value_of(screen.shown[i], screen.options.weight));
  }
  EXPECT_EQ(data["weight"], "time");
  EXPECT_EQ(data["totals"]["value"], screen.total);
  EXPECT_EQ(data["totals"]["completed"], 11);
  EXPECT_EQ(data["totals"]["distinct"], 3);
  EXPECT_EQ(data["totals"]["bytecodes"], 20 + 5 * 8 + 5 * 2);
}

TEST(Page, WithFewSamplesTheOrderIsByBytecodesAndNativeFunctionsAreOnlyDrawn) {
  const Json data = data_of(write_html_report(two_functions({stack_of({{kMain, 1}, {kSort, -1}}, 7)}), {}));
  EXPECT_EQ(data["weight"], "bytecodes");
  EXPECT_EQ(data["functions"][0]["name"], "f");
  EXPECT_TRUE(data["functions"][2].value("unlisted", false));
  EXPECT_EQ(data["calls"].size(), 2u);
  EXPECT_EQ(data["left_out"]["functions"], 0);
}

TEST(Page, CallsAreATreeWithTheTimeOfAllStacks) {
  const Json data = data_of(write_html_report(with_time(), {}));
  const Json& calls = data["calls"];
  uint64_t roots = 0;
  std::vector<uint64_t> inside(calls.size());
  for (size_t i = 0; i < calls.size(); ++i) {
    const auto parent = calls[i][0].get<int64_t>();
    ASSERT_LT(parent, static_cast<int64_t>(i));
    (parent < 0 ? roots : inside[static_cast<size_t>(parent)]) += calls[i][2].get<uint64_t>();
  }
  EXPECT_EQ(roots, 1'000'000'000u);
  EXPECT_EQ(inside[0], roots);
  EXPECT_EQ(calls.size(), 4u);
}

TEST(Page, WithoutSamplesThereAreNoCalls) {
  RunProfile profile = with_time();
  profile.time.reset();
  const Json data = data_of(write_html_report(profile, {}));
  EXPECT_TRUE(data["calls"].empty());
  EXPECT_FALSE(data.contains("time"));
  EXPECT_EQ(data["weight"], "bytecodes");
}

TEST(Page, HostileTextStaysText) {
  const std::string name = "</script><img src=x onerror=alert(1)>{{data}}{{title}}<!--\xE2\x80\xA8\xFF";
  RunProfile profile;
  profile.paths.functions = {function_of(name, "aaaaaaaaaaaaaaaa", 1, {path_of("E::X", 50, 1)})};
  profile.paths.functions[0].source = profile.paths.functions[0].file = "=" + name;
  profile.paths.functions[0].paths[0].path.lines = {1};
  profile.paths.chunks = {{"=" + name, 1, 1, "local x = '" + name + "'", false}};
  profile.runs = {{{"mangata", name}, "1", "2026-11-24T10:00:00Z", name, 0}};
  const std::string page = write_html_report(profile, {});
  const std::string benign = write_html_report(with_time(), {});
  for (const char* mark : {"</script", "<img", "<!--", "<script", "</title"}) EXPECT_EQ(occurrences(page, mark), occurrences(benign, mark)) << mark;
  EXPECT_EQ(occurrences(data_text(page), "<"), 0u);
  EXPECT_EQ(occurrences(data_text(page), "\xE2\x80\xA8"), 0u);
  const std::string read = name.substr(0, name.size() - 1) + "\xEF\xBF\xBD";  // what is not UTF-8 is replaced
  EXPECT_EQ(data_of(page)["functions"][0]["name"], read);
  EXPECT_EQ(data_of(page)["files"][0]["ranges"][0][1], "local x = '" + read + "'");
}

TEST(Page, LoadsNothingAndParsesNoDataAsMarkup) {
  std::string page = write_html_report(with_time(), {});
  const std::string drawing = "\"http://www.w3.org/2000/svg\"";  // a name, which is not loaded
  ASSERT_EQ(occurrences(page, drawing), 1u);
  page.erase(page.find(drawing), drawing.size());
  for (const char* loads : {"http:", "https:", " src=", "@import", "url(", "fetch(", "XMLHttp", "import(", "<link", "WebSocket", "sendBeacon"}) {
    EXPECT_EQ(occurrences(page, loads), 0u) << loads;
  }
  for (const char* parses : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser"}) {
    EXPECT_EQ(occurrences(page, parses), 0u) << parses;
  }
  EXPECT_EQ(occurrences(page, "Content-Security-Policy\" content=\"default-src 'none'"), 1u);
}

TEST(Page, StaysWithinAMegabyteAndSaysWhatIsLeftOut) {
  const RunProfile profile = large_profile(600);
  const std::string page = write_html_report(profile, {});
  EXPECT_LE(page.size(), kMostBytes);
  EXPECT_GT(page.size(), kMostBytes / 3) << "far less than what fits";
  const Json data = data_of(page);
  uint64_t shown = 0;
  for (const Json& function : data["functions"]) shown += function["value"].get<uint64_t>();
  EXPECT_GT(data["left_out"]["functions"], 0);
  EXPECT_EQ(data["functions"].size() + data["left_out"]["functions"].get<size_t>(), 600u);
  EXPECT_EQ(shown + data["left_out"]["value"].get<uint64_t>(), data["totals"]["value"].get<uint64_t>());
  const Json& function = data["functions"][0];
  EXPECT_EQ(function["paths"].size() + function["more_paths"][0].get<size_t>(), 60u);
}

TEST(Page, FilesOfManyMegabytesFit) {
  RunProfile profile;
  profile.paths.functions = {function_of("f", "aaaaaaaaaaaaaaaa", 1, {path_of("E::X", 50, 1)})};
  profile.paths.functions[0].source = "=long";
  for (int line = 1; line < 5000; ++line) profile.paths.functions[0].paths[0].path.lines.push_back(line);
  std::string text;
  for (int line = 1; line < 5000; ++line) text += std::string(1000, 'x') + "\n";
  profile.paths.chunks = {{"=long", text.size(), 1, text, false}};
  const std::string page = write_html_report(profile, {});
  EXPECT_LE(page.size(), kMostBytes);
  EXPECT_EQ(data_of(page)["left_out"]["sources"], 1);
}

TEST(Page, NamesOfMegabytesFit) {
  const std::string name(3'000'000, 'n');
  RunProfile profile;
  profile.paths.functions = {function_of(name, "aaaaaaaaaaaaaaaa", 1, {path_of("E::X", 50, 1)})};
  profile.paths.functions[0].source = profile.paths.functions[0].file = name;
  profile.runs = {{{"mangata", name}, "1", "2026-11-24T10:00:00Z", "adaptive", 0}};
  EXPECT_LE(write_html_report(profile, {}).size(), kMostBytes);
}

TEST(Page, AnEmptyProfileIsAPage) {
  const Json data = data_of(write_html_report(RunProfile{}, {}));
  EXPECT_TRUE(data["functions"].empty());
  EXPECT_TRUE(data["runs"].empty());
}

TEST(Page, ADifferenceIsBesideTheLaterProfile) {
  const RunProfile before = with_time();
  RunProfile after = with_time();
  after.paths.functions[1].paths[0].count = 9;
  after.paths.functions.push_back(function_of("later", "cccccccccccccccc", 30, {path_of("E::X", 2, 100)}));
  ReportOptions options;
  options.weight = ReportWeight::Bytecodes;
  const Json data = data_of(write_html_diff(before, after, options));
  const Json& difference = data["difference"];
  EXPECT_EQ(difference["before"], 70);
  EXPECT_EQ(difference["after"], 70 + 4 * 8 + 200);
  ASSERT_EQ(difference["functions"].size(), 2u);
  EXPECT_EQ(difference["functions"][0]["fate"], "new");
  EXPECT_EQ(difference["functions"][1]["name"], "f");
  EXPECT_EQ(difference["functions"][1]["paths"][0][3], 5) << "count before";
  EXPECT_EQ(difference["functions"][1]["paths"][0][4], 9) << "count after";
  EXPECT_EQ(data["functions"].size(), 5u);
}

TEST(PageConditions, OfWindowsOnlyTheLastRoundCounts) {
  FunctionProfile function = function_of("f", "aaaaaaaaaaaaaaaa", 1, {path_of("E:1|0:L0", 1, 4), path_of("L0:0|1:X", 1, 4, PathStart::Loop)});
  function.paths[0].path.steps = {{2, Outcome::True, 3, 4}, {2, Outcome::False, 3, 4}};
  function.paths[1].path.steps = {{2, Outcome::False, 3, 4}, {2, Outcome::True, 3, 4}};
  for (PathCount& path : function.paths) path.path.iteration_ends = {1};
  LoopProfile loop;
  loop.key = "L0";
  loop.windows = {path_of("L0:1|0:L0", 7, 4, PathStart::Loop)};
  loop.windows[0].path.steps = function.paths[0].path.steps;
  loop.windows[0].path.iteration_ends = {1};
  function.loops = {loop};
  const PageConditions conditions(function);
  ASSERT_EQ(conditions.all().size(), 1u);
  EXPECT_EQ(conditions.all()[0].counts[0], 1u + 1u);
  EXPECT_EQ(conditions.all()[0].counts[1], 1u + 7u);
}

TEST(PageConditions, WhetherAForRunsAndWhetherItGoesOnAreTwo) {
  FunctionProfile function = function_of("f", "aaaaaaaaaaaaaaaa", 1, {path_of("E:11:X", 3, 4)});
  function.paths[0].path.steps = {{2, Outcome::Enter, 3, 3}, {2, Outcome::Done, 3, 3}};
  EXPECT_EQ(PageConditions(function).all().size(), 2u);
}

}  // namespace
}  // namespace mangata
