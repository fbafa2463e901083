// Records of decisions: written, read, replayed, and simulated.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "runtime/tiering/decision_record.h"
#include "runtime/tiering/simulator.h"

namespace mangata {
namespace {

/// A record in a file of its own, made of literals.
class Records : public ::testing::Test {
 protected:
  void SetUp() override { path_ = testing::TempDir() + "record_" + std::to_string(getpid()) + ".jsonl"; }
  void TearDown() override { std::remove(path_.c_str()); }

  void write(const std::string& text) { std::ofstream(path_) << text; }

  /// A line of the record: function number and place, and what was decided.
  std::string line(uint32_t function, int32_t place, uint32_t asked, const Decision& decision) {
    Snapshot snapshot;
    snapshot.set_names("f", "a.lua");
    ProfileSnapshot& fields = snapshot.fields();
    fields.function = function;
    fields.line = place;
    fields.asked = asked;
    fields.clock = 10 * function + asked;
    mangata_loop_snapshot loop = {};
    loop.line = place + 1;
    loop.is_innermost = loop.k = loop.accuracy_count = 1;
    loop.accuracy[0] = 0.5;
    snapshot.add_loop(loop);
    snapshot.add_path(3, 4, "E:1T:R");
    mangata_region_snapshot region = {};
    region.line = place + 1;
    region.is_installed = 1;
    region.made = 2;
    region.ir_instructions = 90;
    region.code_bytes = 700;
    region.milliseconds = 1.5;
    region.saved_share = 0.75;
    region.iterations = 1000;
    region.unexpected = 25;
    region.expected = 4;
    region.refused = 5;
    snapshot.add_region(region, "");
    mangata_region_snapshot postponed = {};
    postponed.line = -1;
    postponed.profitable_after = 5000;
    snapshot.add_region(postponed, "not yet");
    fields.nanoseconds = 2.5;
    return decision_to_json(snapshot.view(), decision, nullptr) + "\n";
  }
  static std::string header() {
    return header_to_json({.entry = 5, .loop = 6, .samples = true, .compiles = true}) + "\n";
  }
  static Decision decision(int32_t sample, const char* reason) {
    Decision decision = {};
    decision.tier = MANGATA_BASELINE;
    decision.entry = decision.loop = MANGATA_NEVER;
    decision.sample = sample;
    decision.memory[0] = static_cast<uint64_t>(sample);
    decision.drop_regions = sample == 100;
    decision.compiler = sample == 100 ? MANGATA_COMPILER_LLVM : MANGATA_COMPILER_ANY;
    give_reason(&decision, reason);
    return decision;
  }
  std::unique_ptr<Policy> replay() {
    std::string error;
    auto policy = make_policy("replay:" + path_, &error);
    EXPECT_NE(policy, nullptr) << error;
    return policy;
  }
  static LogOptions deterministic() {
    LogOptions options;
    options.deterministic = true;
    return options;
  }
  static Decision ask(Policy& policy, uint32_t function, int32_t place, uint32_t asked) {
    ProfileSnapshot snapshot = {};
    snapshot.name = "f";
    snapshot.source = "a.lua";
    snapshot.line = place;
    snapshot.function = function;
    snapshot.asked = asked;
    Decision made = decision_to_start_from({}, MANGATA_INTERPRETER);
    policy.decide(snapshot, &made);
    return made;
  }

  std::string path_;
};

TEST_F(Records, AreReadAsTheyWereWritten) {
  const std::string written = line(4, 7, 2, decision(800, "why"));
  write(header() + written);
  DecisionRecord record;
  std::string error;
  ASSERT_TRUE(read_record(path_, &record, &error)) << error;
  EXPECT_EQ(record.header.loop, 6);
  ASSERT_EQ(record.decisions.size(), 1u);
  EXPECT_EQ(
      decision_to_json(record.decisions[0].snapshot.view(), record.decisions[0].decision, nullptr) + "\n",
      written);
  EXPECT_EQ(place_of(record.decisions[0].snapshot.view()), "a.lua:7:f");
}

TEST_F(Records, HaveRegionsWithoutWhatDiffersBetweenRuns) {
  const std::string written = line(4, 7, 2, decision(100, "why"));
  for (const char* measured : {"code_bytes", "milliseconds", "nanoseconds"}) EXPECT_EQ(written.find(measured), std::string::npos) << measured;
  write(header() + written);
  DecisionRecord record;
  std::string error;
  ASSERT_TRUE(read_record(path_, &record, &error)) << error;
  const ProfileSnapshot& seen = record.decisions[0].snapshot.view();
  ASSERT_EQ(seen.region_count, 2u);
  EXPECT_EQ(seen.regions[0].line, 8);
  EXPECT_EQ(seen.regions[0].saved_share, 0.75);
  EXPECT_EQ(seen.regions[0].code_bytes, 0u);
  EXPECT_EQ(seen.regions[0].unexpected, 25u);
  EXPECT_STREQ(seen.regions[1].why_not, "not yet");
  EXPECT_EQ(seen.regions[1].profitable_after, 5000u);
  EXPECT_EQ(record.decisions[0].decision.drop_regions, 1u);
  EXPECT_EQ(record.decisions[0].decision.compiler, MANGATA_COMPILER_LLVM);

  // The log has what was measured, and is read as well.
  const DecisionCost cost;
  for (const bool deterministic : {false, true}) {
    Snapshot snapshot;
    snapshot.set_names("f", "a.lua");
    mangata_region_snapshot region = {};
    region.code_bytes = 700;
    region.milliseconds = 1.5;
    snapshot.add_region(region, "");
    snapshot.fields().nanoseconds = 2.5;
    Decision read;
    Snapshot back;
    const std::string logged = decision_to_json(snapshot.view(), decision(1, ""), &cost, deterministic);
    ASSERT_TRUE(decision_from_json(logged, &back, &read, &error)) << error;
    EXPECT_EQ(back.view().regions[0].code_bytes, deterministic ? 0u : 700u);
    EXPECT_EQ(back.view().regions[0].milliseconds, deterministic ? 0 : 1.5);
    EXPECT_EQ(back.view().nanoseconds, deterministic ? 0 : 2.5);
  }
}

TEST_F(Records, OlderOnesHaveNoRegions) {
  std::string older = line(4, 7, 2, decision(800, "why"));
  const size_t from = older.find("\"regions\":"), to = older.find("],", from) + 2;
  ASSERT_NE(from, std::string::npos);
  older.erase(from, to - from);
  const std::string drops = "\"drop_regions\":false,";
  older.erase(older.find(drops), drops.size());
  write(header() + older);
  DecisionRecord record;
  std::string error;
  ASSERT_TRUE(read_record(path_, &record, &error)) << error;
  EXPECT_EQ(record.decisions[0].snapshot.view().region_count, 0u);
  EXPECT_EQ(record.decisions[0].snapshot.view().path_count, 1u);
}

TEST_F(Records, AreRefusedWithFileAndLine) {
  DecisionRecord record;
  std::string error;
  EXPECT_FALSE(read_record("no_such_file", &record, &error));
  EXPECT_EQ(error, "no_such_file: No such file or directory");
  write("");
  EXPECT_FALSE(read_record(path_, &record, &error));
  EXPECT_EQ(error, path_ + ":1: it is empty, not a record of decisions");
  write(line(1, 1, 0, decision(1, "")));
  EXPECT_FALSE(read_record(path_, &record, &error));
  EXPECT_NE(error.find(":1: no header"), std::string::npos) << error;
  write(header() + line(1, 1, 0, decision(1, "")) + "{}\n");
  EXPECT_FALSE(read_record(path_, &record, &error));
  EXPECT_NE(error.find(":3: no decision"), std::string::npos) << error;
}

TEST_F(Records, ReplayFindsFunctionsByPlaceAndOrder) {
  write(header() + line(1, 10, 0, decision(1, "a")) + line(2, 10, 0, decision(2, "b")) +
        line(3, 20, 0, decision(3, "c")) + line(1, 10, 1, decision(4, "d")));
  const auto policy = replay();
  Decision first{};
  policy->first(&first);
  EXPECT_EQ(first.entry, 5);
  EXPECT_TRUE(policy->samples());
  EXPECT_EQ(ask(*policy, 93, 20, 0).sample, 3);  // numbers are other ones in another run
  EXPECT_EQ(ask(*policy, 91, 10, 0).sample, 1);
  EXPECT_EQ(ask(*policy, 91, 10, 1).sample, 4);
  const Decision other = ask(*policy, 92, 10, 0);
  EXPECT_EQ(other.sample, 2);
  EXPECT_STREQ(other.reason, "b");
  for (const PolicyTotal& total : policy->totals())
    EXPECT_EQ(total.count, total.what == std::string("replayed") ? 4u : 0u) << total.what;
}

TEST_F(Records, ReplayCountsWhatIsNotRecorded) {
  write(header() + line(1, 10, 0, decision(1, "a")) + line(1, 10, 1, decision(1, "a")));
  const auto policy = replay();
  EXPECT_EQ(ask(*policy, 1, 10, 0).sample, 1);
  EXPECT_EQ(ask(*policy, 2, 10, 0).sample, MANGATA_NEVER);  // one function too many in this place
  EXPECT_EQ(ask(*policy, 3, 30, 0).sample, MANGATA_NEVER);
  EXPECT_EQ(ask(*policy, 1, 10, 2).tier, MANGATA_INTERPRETER);
  const auto totals = policy->totals();
  EXPECT_EQ(totals.at(0).count, 1u);
  EXPECT_EQ(totals.at(1).count, 3u);
  EXPECT_EQ(totals.at(2).count, 1u);
}

/// Asks again after twice as many events each time; remembers how many.
class Doubling : public Policy {
 public:
  void first(Decision* decision) override { decision->entry = 5; }
  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    decision->tier = MANGATA_BASELINE;
    decision->memory[0] = std::max<uint64_t>(2 * snapshot.memory[0], 1);
    decision->sample = static_cast<int32_t>(decision->memory[0]);
    if (snapshot.asked == 2) decision->profile = MANGATA_PROFILE_PATHS;
  }
};

TEST_F(Records, SimulationRemembersWhatThePolicySaidNotWhatIsRecorded) {
  write(header() + line(1, 10, 0, decision(1, "a")) + line(1, 10, 1, decision(100, "b")) +
        line(1, 10, 2, decision(4, "c")) + line(2, 20, 0, decision(1, "d")));
  DecisionRecord record;
  std::string error;
  ASSERT_TRUE(read_record(path_, &record, &error)) << error;
  Doubling policy;
  const std::string report = simulate(record, policy, deterministic());
  EXPECT_EQ(report,
            "Simulated 4 decisions about 2 functions. The counts are those of the recorded run.\n"
            "The same plan as in the record: 3 (75.0%); in every respect: 2 (50.0%)\n"
            "First other plan: decision 3, number 3 about f (a.lua:10), at clock 12\n"
            "  record: baseline, sample=4: c\n"
            "  policy: baseline + paths, sample=4: \n"
            "First with the plan but not the rest: decision 2, number 2 about f (a.lua:10), at clock 11\n"
            "  record: baseline, sample=100, drop regions, by llvm: b\n"
            "  policy: baseline, sample=2: \n"
            "Plans, function by function:\n"
            "  f (a.lua:10): baseline (2 times) > baseline + paths\n"
            "  1 function never had another plan than baseline\n");
}

TEST_F(Records, SimulationOfTheRecordedPolicyAgreesWithItself) {
  write(header() + line(1, 10, 0, decision(1, "a")) + line(1, 10, 1, decision(100, "b")));
  DecisionRecord record;
  std::string error;
  ASSERT_TRUE(read_record(path_, &record, &error)) << error;
  const std::string report = simulate(record, *replay(), deterministic());
  EXPECT_NE(report.find("2 (100.0%); in every respect: 2 (100.0%)"), std::string::npos) << report;
  EXPECT_NE(simulate(record, *replay(), {}).find(" decisions per second"), std::string::npos);
}

}  // namespace
}  // namespace mangata
