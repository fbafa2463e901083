// Who asks policies: when, and what is made of the answer.
#include "runtime/tiering/asker.h"

#include <gtest/gtest.h>

#include <cstring>

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

/// Wants what the test wants.
class Wishes : public Policy {
 public:
  bool samples() const override { return is_sampling; }
  int32_t sample_period() const override { return 100; }
  void first(Decision* decision) override {
    decision->entry = 7;
    decision->loop = -1;
  }
  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    seen = *decision;
    events = snapshot.events;
    decision->profile = MANGATA_PROFILE_PATHS;
    decision->sample = 500;
    std::memset(decision->reason, 'x', sizeof decision->reason);
  }

  bool is_sampling = true;
  Decision seen = {};
  uint64_t events = 0;
};

TEST(Asker, FirstCountdownsAreThePolicys) {
  Wishes policy;
  Asker asker(policy, true);
  Proto proto;
  asker.set_first_countdowns(proto);
  EXPECT_EQ(proto.entry_countdown, 7);
  EXPECT_EQ(proto.loop_countdown, MANGATA_NEVER) << "less than nothing is never";
}

TEST(Asker, EventsBeforeAQuestionAreThoseOfTheLastCountdown) {
  Wishes policy;
  Asker asker(policy, true);
  FunctionState function;
  EXPECT_EQ(asker.events_before(function, MANGATA_ASKED_CALLS), 8u) << "the first one";
  function.asked = 1;
  function.decision.entry = 30;
  function.decision.loop = 99;
  EXPECT_EQ(asker.events_before(function, MANGATA_ASKED_CALLS), 31u);
  EXPECT_EQ(asker.events_before(function, MANGATA_ASKED_ITERATIONS), 100u);
}

TEST(Asker, IsDueWhenSoManyEventsWereCountedAsTheDecisionWanted) {
  FunctionState function;
  function.decision.sample = 1000;
  function.credit = 999;
  EXPECT_FALSE(Asker::is_due(function));
  function.credit = 1000;
  EXPECT_TRUE(Asker::is_due(function));
  for (const int32_t never : {MANGATA_NEVER, -1}) {
    function.decision.sample = never;
    function.credit = uint64_t{1} << 40;
    EXPECT_FALSE(Asker::is_due(function));
  }
}

TEST(Asker, DistancesBetweenSamplesVaryAroundThePeriod) {
  Wishes policy;
  Asker asker(policy, true), again(policy, true);
  int64_t sum = 0;
  int32_t shortest = 1000, longest = 0;
  for (int i = 0; i < 1000; ++i) {
    const int32_t distance = asker.next_sample_distance(1u << 30);
    EXPECT_EQ(distance, again.next_sample_distance(1u << 30)) << "the same in each run";
    sum += distance;
    shortest = std::min(shortest, distance);
    longest = std::max(longest, distance);
  }
  EXPECT_GE(shortest, 51);
  EXPECT_LE(longest, 150);
  EXPECT_NEAR(static_cast<double>(sum) / 1000, 100, 5);
}

TEST(Asker, UsualDistancesGrowWithTheRun) {
  class Usual : public Wishes {
    int32_t sample_period() const override { return kSamplePeriod; }
  } policy;
  Asker asker(policy, true);
  const auto average = [&asker](uint64_t so_far) {
    int64_t sum = 0;
    for (int i = 0; i < 1000; ++i) sum += asker.next_sample_distance(so_far);
    return static_cast<double>(sum) / 1000;
  };
  EXPECT_NEAR(average(0), 1024, 50);
  EXPECT_NEAR(average(1u << 22), 1024, 50);
  EXPECT_NEAR(average(1u << 23), 2048, 100);
  EXPECT_NEAR(average(1u << 30), 4096, 200);
}

TEST(Asker, DecisionsArriveFilledInWithWhatIsInstalled) {
  Wishes policy;
  Asker asker(policy, true);
  FunctionState function;
  function.decision.tier = MANGATA_OPTIMIZED;  // was not followed
  function.decision.memory[2] = 42;
  function.decision.forget = function.decision.drop_regions = 1;
  function.decision.loop = 60;
  ProfileSnapshot snapshot = {};
  snapshot.events = 11;
  const Decision decision = asker.ask(snapshot, function, MANGATA_BASELINE);
  EXPECT_EQ(policy.events, 11u);
  EXPECT_EQ(policy.seen.tier, static_cast<uint32_t>(MANGATA_BASELINE));
  EXPECT_EQ(policy.seen.memory[2], 42u);
  EXPECT_EQ(policy.seen.forget, 0u);
  EXPECT_EQ(policy.seen.drop_regions, 0u);
  EXPECT_EQ(policy.seen.loop, MANGATA_NEVER);
  EXPECT_EQ(decision.profile, static_cast<uint32_t>(MANGATA_PROFILE_PATHS));
  EXPECT_EQ(decision.sample, 500);
  EXPECT_EQ(std::strlen(decision.reason), sizeof decision.reason - 1) << "it ends";
}

TEST(Asker, WhatIsNotUpToPoliciesIsNotCounted) {
  Wishes policy;
  Asker asker(policy, false);
  const ProfileSnapshot snapshot = {};
  Decision decision = asker.ask(snapshot, {}, MANGATA_BASELINE);
  EXPECT_EQ(decision.profile, static_cast<uint32_t>(MANGATA_PROFILE_NONE));
  EXPECT_EQ(decision.sample, 500) << "it may still be asked";
  policy.is_sampling = false;
  decision = asker.ask(snapshot, {}, MANGATA_BASELINE);
  EXPECT_EQ(decision.sample, MANGATA_NEVER);
}

}  // namespace
}  // namespace mangata
