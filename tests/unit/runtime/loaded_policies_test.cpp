// Policies from files: plug-ins and Lua scripts. Every way of being none has its message.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "runtime/tiering/policy.h"

namespace mangata {
namespace {

/// A script in a file of its own.
class ScriptFile {
 public:
  explicit ScriptFile(const std::string& text)
      : path_(testing::TempDir() + "policy_" + std::to_string(getpid()) + ".lua") {
    std::FILE* file = std::fopen(path_.c_str(), "w");
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  ~ScriptFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::unique_ptr<Policy> policy_of(const std::string& text, const std::string& parameters = "") {
  const ScriptFile file(text);
  std::string error;
  auto policy = make_policy(file.path() + parameters, &error);
  EXPECT_NE(policy, nullptr) << error;
  return policy;
}

/// Why make_policy refuses it.
std::string refusal(const std::string& spec) {
  std::string error = "nothing";
  EXPECT_EQ(make_policy(spec, &error), nullptr);
  return error;
}

std::string refusal_of(const std::string& text) { return refusal(ScriptFile(text).path()); }

/// A snapshot of a function with two loops.
ProfileSnapshot snapshot() {
  static mangata_loop_snapshot loops[2] = {};
  loops[0].line = 3;
  loops[1].line = 4;
  loops[1].is_innermost = 1;
  loops[1].accuracy_count = 2;
  loops[1].accuracy[0] = 0.5;
  loops[1].accuracy[1] = 0.75;
  static const mangata_path_snapshot path = {.count = 7, .length = 5, .key = "E:"};
  ProfileSnapshot made = {};
  made.size = sizeof made;
  made.occasion = MANGATA_ASKED_SAMPLE;
  made.name = "f";
  made.source = "a.lua";
  made.line = 2;
  made.events = 123;
  made.stability = 0.25;
  made.loops = loops;
  made.loop_count = 2;
  made.hottest = &path;
  made.path_count = 1;
  made.memory[1] = ~uint64_t{0};
  return made;
}

/// With a region that is in force, and a loop that has none yet.
ProfileSnapshot snapshot_with_regions() {
  static mangata_region_snapshot regions[2] = {
      {.line = 3,
       .is_installed = 1,
       .made = 2,
       .ir_instructions = 90,
       .code_bytes = 700,
       .milliseconds = 1.5,
       .saved_share = 0.75,
       .iterations = 1000,
       .unexpected = 25,
       .expected = 4,
       .refused = 5,
       .why_not = "",
       .profitable_after = 0}};
  regions[1].line = -1;
  regions[1].why_not = "not yet";
  regions[1].profitable_after = 5000;
  ProfileSnapshot changed = snapshot();
  changed.regions = regions;
  changed.region_count = 2;
  changed.nanoseconds = 2.5;
  return changed;
}

Decision decide(Policy& policy, const ProfileSnapshot& seen = snapshot()) {
  Decision decision = decision_to_start_from({}, seen.tier);
  std::copy(std::begin(seen.memory), std::end(seen.memory), decision.memory);
  policy.decide(seen, &decision);
  return decision;
}

TEST(ScriptPolicy, DecidesByAFunction) {
  const auto policy = policy_of(
      "return function(s) return {tier = 'baseline', profile = 'iterations', loop_k = {1, 2}, sample = 8000,"
      " memory = {1, -1, 3}, drop_regions = true, compiler = 'quick', reason = 'because'} end");
  const Decision decision = decide(*policy);
  EXPECT_EQ(decision.tier, MANGATA_BASELINE);
  EXPECT_EQ(decision.profile, MANGATA_PROFILE_ITERATIONS);
  EXPECT_EQ(decision.loop_k[0], 1);
  EXPECT_EQ(decision.loop_k[1], 2);
  EXPECT_EQ(decision.loop_k[2], 0);
  EXPECT_EQ(decision.sample, 8000);
  EXPECT_EQ(decision.entry, MANGATA_NEVER);
  EXPECT_EQ(decision.memory[1], ~uint64_t{0});
  EXPECT_EQ(decision.memory[2], 3u);
  EXPECT_STREQ(decision.reason, "because");
  EXPECT_EQ(decision.drop_regions, 1u);
  EXPECT_EQ(decision.compiler, MANGATA_COMPILER_QUICK);
  EXPECT_EQ(decision_to_start_from(decision, MANGATA_BASELINE).drop_regions, 0u);
  EXPECT_TRUE(policy->samples());
  Decision first{};
  policy->first(&first);
  EXPECT_EQ(first.entry, 0);
}

TEST(ScriptPolicy, DecidesByATable) {
  const auto policy = policy_of(
      "return {first = function() return {entry = 7, loop = math.huge} end, samples = false,"
      " decide = function() end}");
  Decision first{};
  policy->first(&first);
  EXPECT_EQ(first.entry, 7);
  EXPECT_EQ(first.loop, MANGATA_NEVER);
  EXPECT_FALSE(policy->samples());
}

TEST(ScriptPolicy, SeesTheSnapshot) {
  const auto policy = policy_of(
      "return function(s) return {reason = table.concat({s.occasion, s.name, s.source, s.line, s.events, "
      "s.stability,"
      " #s.loops, s.loops[2].line, tostring(s.loops[2].innermost), s.loops[2].accuracy[2], s.hottest[1].key,"
      " s.memory[2], s.tier, s.profile}, ' ')} end");
  EXPECT_STREQ(decide(*policy).reason, "sample f a.lua 2 123 0.25 2 4 true 0.75 E: -1 interpreter none");
}

TEST(ScriptPolicy, SeesTheRegions) {
  const auto policy = policy_of(
      "return function(s) local r, none = s.regions[1], s.regions[2] return {reason = table.concat({#s.regions, r.line, "
      "tostring(r.installed), r.made, r.ir_instructions, r.code_bytes, r.milliseconds, r.saved_share, r.iterations, r.unexpected, r.expected, "
      "r.refused, '<' .. r.why_not .. '>', r.profitable_after, none.line, tostring(none.installed), none.made, none.why_not, none.profitable_after, "
      "s.nanoseconds}, ' ')} end");
  EXPECT_STREQ(decide(*policy, snapshot_with_regions()).reason, "2 3 true 2 90 700 1.5 0.75 1000 25 4 5 <> 0 -1 false 0 not yet 5000 2.5");
}

TEST(ScriptPolicy, TakesParameters) {
  const auto policy = policy_of("local n = tonumber(...) return function() return {sample = n} end", ":4711");
  EXPECT_EQ(decide(*policy).sample, 4711);
}

TEST(ScriptPolicy, NilLeavesEverythingAsItIs) {
  const auto policy = policy_of("return function(s) end");
  const Decision decision = decide(*policy);
  EXPECT_EQ(decision.tier, MANGATA_INTERPRETER);
  EXPECT_EQ(decision.memory[1], ~uint64_t{0});
  EXPECT_EQ(decision.sample, MANGATA_NEVER);
}

TEST(ScriptPolicy, IsRefusedWithFileAndLine) {
  EXPECT_NE(refusal_of("local x =\n= 1").find(".lua:2: unexpected symbol near '='"), std::string::npos);
  EXPECT_NE(refusal_of("\n\nerror('not today')").find(".lua:3: not today"), std::string::npos);
  EXPECT_NE(refusal_of("return 1").find("must return a function, or a table with a function 'decide'"),
            std::string::npos);
  EXPECT_NE(refusal_of("return {}").find("must return a function"), std::string::npos);
  EXPECT_NE(refusal_of("return {decide = print, first = {entry = 'x'}}")
                .find("first: field 'entry' of a decision must be a number of calls"),
            std::string::npos);
  EXPECT_NE(refusal_of("coroutine.yield(1)").find("attempt to yield"), std::string::npos);
  EXPECT_NE(refusal("./no_such_policy.lua").find("cannot open ./no_such_policy.lua: No such file"),
            std::string::npos);
}

/// Decides twice; what is on stderr.
std::string complaint_of(const std::string& text, Decision* decision) {
  const auto policy = policy_of(text);
  testing::internal::CaptureStderr();
  *decision = decide(*policy);
  decide(*policy);
  EXPECT_EQ(policy->totals().at(0).count, 2u);
  return testing::internal::GetCapturedStderr();
}

TEST(ScriptPolicy, AFailureIsReportedOnceAndLeavesTheFunctionAsItIs) {
  Decision decision;
  const std::string complaint =
      complaint_of("return function(s)\n return {tier = 'baseline', sample = s.loops.x.y}\nend", &decision);
  EXPECT_NE(complaint.find(".lua:2: attempt to index a nil value (field 'x')"), std::string::npos)
      << complaint;
  EXPECT_NE(complaint.find("function f of a.lua:2"), std::string::npos);
  EXPECT_EQ(complaint.find("failed", complaint.find("failed") + 1), std::string::npos)
      << "reported twice: " << complaint;
  EXPECT_EQ(decision.tier, MANGATA_INTERPRETER);
  EXPECT_EQ(decision.sample, MANGATA_NEVER);
}

TEST(ScriptPolicy, ADecisionWithAWrongFieldIsNotFollowedInParts) {
  Decision decision;
  EXPECT_NE(complaint_of("return function() return {tier = 'baseline', profil = 'paths'} end", &decision)
                .find("no field 'profil'"),
            std::string::npos);
  EXPECT_EQ(decision.tier, MANGATA_INTERPRETER);
  EXPECT_NE(complaint_of("return function() return {tier = 'turbo'} end", &decision)
                .find("must be \"interpreter\", \"baseline\" or \"optimized\""),
            std::string::npos);
  EXPECT_NE(complaint_of("return function() return {loop_k = {99}} end", &decision).find("up to 8"),
            std::string::npos);
  EXPECT_NE(complaint_of("return function() return 1 end", &decision).find("table or nil, not a number"),
            std::string::npos);
  EXPECT_NE(complaint_of("return function() error({}) end", &decision).find("table: "), std::string::npos);
}

TEST(ScriptPolicy, ItsGarbageIsCollected) {
  const auto policy =
      policy_of("return function() return {sample = math.floor(collectgarbage('count'))} end");
  int32_t most_kilobytes = 0;
  for (int i = 0; i < 20000; ++i) most_kilobytes = std::max(most_kilobytes, decide(*policy).sample);
  EXPECT_LT(most_kilobytes, 4096);
}

TEST(ScriptPolicy, TheExamplesDecide) {
  for (const char* name : {"two_iterations.lua", "short_rests.lua", "gives_up.lua"}) {
    std::string error;
    const auto policy = make_policy(std::string(EXAMPLES) + name, &error);
    ASSERT_NE(policy, nullptr) << error;
    ProfileSnapshot seen = snapshot();
    seen.memory[1] = 0;
    EXPECT_EQ(decide(*policy, seen).tier, MANGATA_BASELINE) << name;
    EXPECT_TRUE(policy->totals().empty()) << name;
  }
}

TEST(PluginPolicy, TheExampleDecides) {
  std::string error;
  const auto policy = make_policy(EXAMPLE_PLUGIN ":500", &error);
  ASSERT_NE(policy, nullptr) << error;
  Decision first{};
  policy->first(&first);
  EXPECT_EQ(first.entry, 20);
  ProfileSnapshot seen = snapshot();
  Decision decision = decide(*policy, seen);
  EXPECT_EQ(decision.tier, MANGATA_BASELINE);
  EXPECT_EQ(decision.profile, MANGATA_PROFILE_NONE);
  EXPECT_EQ(decision.sample, 500);
  std::copy(std::begin(decision.memory), std::end(decision.memory), seen.memory);
  decision = decide(*policy, seen);
  EXPECT_EQ(decision.profile, MANGATA_PROFILE_PATHS);
  EXPECT_STREQ(decision.reason, "2 loops");
}

/// Of snapshots of engines that have no regions to show, with the padding at its end.
constexpr uint32_t kFirstSize = 224;
// Plug-ins that were compiled then know these places.
static_assert(MANGATA_POLICY_ABI == 1);
static_assert(offsetof(ProfileSnapshot, memory) == 184 && offsetof(ProfileSnapshot, is_counted_exactly) == 216);
static_assert(sizeof(mangata_loop_snapshot) == 112 && sizeof(mangata_path_snapshot) == 24);
static_assert(offsetof(Decision, reason) == 80);
static_assert(offsetof(ProfileSnapshot, nanoseconds) == kFirstSize && offsetof(ProfileSnapshot, regions) + sizeof(void*) == offsetof(ProfileSnapshot, is_straight));
static_assert(offsetof(ProfileSnapshot, is_optimizable) + sizeof(uint32_t) == sizeof(ProfileSnapshot));

TEST(PluginPolicy, SeesTheRegionsOfEnginesThatHaveThem) {
  std::string error;
  const auto policy = make_policy(PLUGINS "plugin_regions.so", &error);
  ASSERT_NE(policy, nullptr) << error;
  ProfileSnapshot seen = snapshot_with_regions();
  EXPECT_STREQ(decide(*policy, seen).reason, "3: 1 2 90 of 700 bytes, 0.75, 25+4 of 1000 '' 0; -1: 0 0 0 of 0 bytes, 0.00, 0+0 of 0 'not yet' 5000; ");
  seen.size = kFirstSize;
  EXPECT_STREQ(decide(*policy, seen).reason, "older");
}

TEST(PluginPolicy, IsRefusedWithAReason) {
  EXPECT_NE(refusal("./no_such_policy.so").find("./no_such_policy.so: cannot open shared object file"),
            std::string::npos);
  EXPECT_NE(refusal("no_such_policy.so").find("./no_such_policy.so: cannot open shared object file"),
            std::string::npos);
  EXPECT_NE(refusal(PLUGINS "plugin_no_policy.so").find("exports no function mangata_policy_entry_point"),
            std::string::npos);
  EXPECT_NE(refusal(PLUGINS "plugin_other_version.so")
                .find("made for version 2 of the policy interface, this engine has version 1"),
            std::string::npos);
  EXPECT_NE(refusal(PLUGINS "plugin_wants_other_engine.so").find("refuses version 1"), std::string::npos);
  EXPECT_NE(
      refusal(EXAMPLE_PLUGIN ":x").find("refused: the parameter must be a number of calls and iterations"),
      std::string::npos);
}

}  // namespace
}  // namespace mangata
