// The formats that show call stacks: speedscope and collapsed.
#include <gtest/gtest.h>

#include "profiler/report_format.h"
#include "profiler/report_speedscope.h"
#include "profiler/report_stacks.h"
#include "tests/unit/profile_model/literals.h"

namespace mangata {
namespace {

RunProfile sampled() {
  RunProfile profile = two_functions({stack_of({{0, 1}, {1, 12}, {2, -1}}, 3), stack_of({{0, 1}, {1, 11}}, 2), stack_of({{0, 1}}, 1)});
  profile.time->stacks[2].is_shortened = true;
  profile.time->invalid_samples = 1;
  profile.time->invalid_ns = 4000;
  profile.runs = {{{"mangata", "a.lua"}, "0.1.0", "2026-11-24T10:00:00Z", "adaptive", 0}};
  return profile;
}

TEST(Speedscope, HasStacksAndExactCounts) {
  RunProfile profile = sampled();
  profile.has_allocations = true;
  profile.paths.functions[1].paths[0].allocated_bytes = 48;
  EXPECT_EQ(write_speedscope_report(profile, {}),
            R"~({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"mangata@0.1.0","name":"mangata a.lua",)~"
            R"~("activeProfileIndex":0,"shared":{"frames":[{"name":"main chunk (a.lua)","file":"a.lua","line":1},)~"
            R"~({"name":"f (a.lua:10)","file":"a.lua","line":10},{"name":"[C] pcall"},{"name":"[finalizer]"},{"name":"[coroutine]"},)~"
            R"~({"name":"[collector]"},{"name":"[C] sort"},{"name":"[more]"},{"name":"[invalid samples]"}]},"profiles":[)~"
            R"~({"type":"sampled","name":"processor time","unit":"nanoseconds","startValue":0,"endValue":6004000,)~"
            R"~("samples":[[0,1,2],[0,1],[7,0],[8]],"weights":[3000000,2000000,1000000,4000]},)~"
            R"~({"type":"sampled","name":"bytecodes, without callers","unit":"none","startValue":0,"endValue":70,)~"
            R"~("samples":[[0],[1]],"weights":[20,50]},)~"
            R"~({"type":"sampled","name":"allocated bytes, without callers","unit":"bytes","startValue":0,"endValue":48,)~"
            R"~("samples":[[1]],"weights":[48]}]})~"
            "\n");
}

TEST(Speedscope, WithoutTimeHasFunctionsByBytecodes) {
  RunProfile profile = sampled();
  profile.time.reset();
  const std::string text = write_speedscope_report(profile, {});
  EXPECT_EQ(text.find("nanoseconds"), std::string::npos);
  EXPECT_NE(text.find(R"~("samples":[[0],[1]],"weights":[20,50])~"), std::string::npos) << text;
}

TEST(Collapsed, HasALineForEachStack) {
  EXPECT_EQ(write_collapsed_report(sampled(), {}),
            "[invalid] 4\n"
            "[more];main chunk (a.lua) 1000\n"
            "main chunk (a.lua);f (a.lua:10) 2000\n"
            "main chunk (a.lua);f (a.lua:10);[C] pcall 3000\n");
}

TEST(Collapsed, NamesCannotBreakLines) {
  RunProfile profile = sampled();
  profile.time->symbols[1].name = "f;\n1\xFF";
  profile.time->stacks.resize(2);
  profile.time->invalid_ns = 0;
  EXPECT_EQ(write_collapsed_report(profile, {}),
            "main chunk (a.lua);f  1? (a.lua:10) 2000\n"
            "main chunk (a.lua);f  1? (a.lua:10);[C] pcall 3000\n");
}

TEST(Collapsed, WithoutTimeHasFunctionsByBytecodes) {
  RunProfile profile = sampled();
  profile.time.reset();
  EXPECT_EQ(write_collapsed_report(profile, {}), "f (a.lua:10) 50\nmain chunk (a.lua) 20\n");
}

TEST(ReportFormats, GoByTheLongestExtension) {
  EXPECT_EQ(report_format_of_file("a.speedscope.json").name, "speedscope");
  EXPECT_EQ(report_format_of_file("a.json").name, "json");
  EXPECT_EQ(report_format_of_file("a.pb.gz").name, "pprof");
  EXPECT_EQ(report_format_of_file("a.folded").name, "collapsed");
  EXPECT_EQ(report_format_of_file("a").name, "text");
}

}  // namespace
}  // namespace mangata
