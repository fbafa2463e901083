// The default policy from literals: it is a pure function of its snapshot.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/tiering/policy.h"

namespace mangata {
namespace {

/// A function's way through the policy: each decision's memory is part of the next snapshot.
class Adaptive : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    policy_ = make_policy("adaptive:warm=100,sample=10,quiet=1000,rest=3000", &error);
    ASSERT_NE(policy_, nullptr) << error;
    loop_ = {.line = 3, .is_innermost = 1, .k = 1, .distinct = 2, .iterations = 1000, .top_share = 0.5, .second_share = 0.5, .accuracy_count = 1, .accuracy = {0.5}};
    snapshot_.size = sizeof snapshot_;
    snapshot_.stability = 1;
    snapshot_.loops = &loop_;
    snapshot_.loop_count = 1;
  }

  const Decision& decide() {
    snapshot_.profile = decision_.profile;
    decision_.entry = decision_.loop = decision_.sample = MANGATA_NEVER;
    std::memcpy(snapshot_.memory, decision_.memory, sizeof snapshot_.memory);
    policy_->decide(snapshot_, &decision_);
    ++snapshot_.asked;
    return decision_;
  }
  void warm_up() {
    decide();
    decide();
  }
  /// Until it stops counting.
  void settle() {
    loop_.second_share = 0;
    warm_up();
    for (int i = 0; i < 3; ++i) decide();
  }
  /// The loop is now counted over k iterations, with these accuracies.
  void counted(std::initializer_list<double> accuracy) {
    loop_.k = loop_.accuracy_count = static_cast<uint32_t>(accuracy.size());
    std::copy(accuracy.begin(), accuracy.end(), loop_.accuracy);
  }

  std::unique_ptr<Policy> policy_;
  mangata_loop_snapshot loop_ = {};
  ProfileSnapshot snapshot_ = {};
  Decision decision_ = {};
};

TEST_F(Adaptive, CompilesFirstAndCountsLater) {
  EXPECT_EQ(decide().tier, MANGATA_BASELINE);
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_NONE);
  EXPECT_EQ(decision_.sample, 100);
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
  EXPECT_EQ(decision_.sample, 10);
}

TEST_F(Adaptive, LargeFunctionsWaitUntilTheirCodeIsWorthItsPrice) {
  snapshot_.bytecodes = 50;
  snapshot_.events = 21;
  EXPECT_EQ(decide().tier, MANGATA_INTERPRETER);
  EXPECT_EQ(decision_.entry, 3 * 50 - 21);
  EXPECT_EQ(decision_.loop, decision_.entry);
  EXPECT_EQ(std::string(decision_.reason), "lukewarm: 50 bytecodes wait for 129 calls or iterations more");
  snapshot_.events = 21 + 130;
  EXPECT_EQ(decide().tier, MANGATA_BASELINE);
  EXPECT_EQ(std::string(decision_.reason), "warm: 151 calls and iterations");
}

TEST_F(Adaptive, SmallOrBusyFunctionsDoNotWait) {
  snapshot_.bytecodes = 2;
  snapshot_.events = 21;
  EXPECT_EQ(decide().tier, MANGATA_BASELINE);
}

TEST_F(Adaptive, WhatIsTooLargeForItsCallsWaitsForItsLoopsNoLongerThanOthers) {
  snapshot_.bytecodes = 1000000;
  snapshot_.events = 61;
  EXPECT_EQ(decide().loop, 3 * 2000 - 61);
}

TEST_F(Adaptive, WhoSaysHowManyCallsMeansAllFunctions) {
  std::string error;
  policy_ = make_policy("adaptive:entry=20", &error);
  snapshot_.bytecodes = 50;
  snapshot_.events = 21;
  EXPECT_EQ(decide().tier, MANGATA_BASELINE);
  policy_ = make_policy("adaptive:entry=20,size=1", &error);
  decision_ = {};
  EXPECT_EQ(decide().entry, 50 - 21);
}

TEST_F(Adaptive, KGrowsAsLongAsItPays) {
  warm_up();
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_ITERATIONS);
  EXPECT_EQ(decision_.loop_k[0], 2);
  counted({0.5, 0.8});
  EXPECT_EQ(decide().loop_k[0], 3);
  counted({0.5, 0.8, 0.81});
  EXPECT_EQ(decide().loop_k[0], 2);
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_ITERATIONS);
}

TEST_F(Adaptive, ALoopWithOneFrequentWayIsNotLookedAtTwice) {
  loop_.top_share = 0.95;
  loop_.second_share = 0.05;
  warm_up();
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
}

TEST_F(Adaptive, RandomBranchesAreCountedOneByOneAgain) {
  warm_up();
  decide();
  counted({0.5, 0.52});
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
  EXPECT_EQ(decision_.loop_k[0], 1);
}

TEST_F(Adaptive, ManyPathsArePreferred) {
  warm_up();
  snapshot_.is_hashed = 1;
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PREFERENTIAL);
}

TEST_F(Adaptive, QuietGrowsLongerWhileNothingChanges) {
  settle();
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_NONE);
  EXPECT_EQ(decision_.sample, 1000);
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
  EXPECT_EQ(decide().sample, 2000);
}

TEST_F(Adaptive, SilencesDoNotGrowForEver) {
  settle();
  std::vector<int32_t> silences;
  for (int i = 0; i < 5; ++i) {
    silences.push_back(decision_.sample);
    EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
    EXPECT_EQ(decision_.sample, 10);
    EXPECT_EQ(decide().profile, MANGATA_PROFILE_NONE);
  }
  EXPECT_EQ(silences, (std::vector<int32_t>{1000, 2000, 3000, 3000, 3000}));
}

TEST_F(Adaptive, WhatAlwaysChangesIsLookedAtForLonger) {
  loop_.second_share = 0;
  warm_up();
  decide();
  snapshot_.stability = 0.5;
  decide();
  decide();
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_PATHS);  // twice may be chance
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_NONE);
  EXPECT_NE(std::string(decision_.reason).find("restless: only 50%"), std::string::npos) << decision_.reason;
  EXPECT_EQ(decision_.sample, 2000);
  EXPECT_EQ(decision_.forget, 0u);
  EXPECT_EQ(decide().sample, 20);
  EXPECT_EQ(decision_.forget, 1u);
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_PATHS);
  EXPECT_EQ(decide().sample, 20);
  snapshot_.stability = 1;
  snapshot_.paths = 2;
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_NONE);
  EXPECT_EQ(decision_.sample, 2000);  // silences keep step
  EXPECT_EQ(decide().sample, 20);
}

TEST_F(Adaptive, WhatIsNeverTheSameIsLeftAlone) {
  loop_.second_share = 0;
  warm_up();
  snapshot_.stability = 0.5;
  std::vector<int32_t> looks, silences;
  do {
    looks.push_back(decision_.sample);
    while (decide().profile != MANGATA_PROFILE_NONE) {
    }
    silences.push_back(decision_.sample);
  } while (std::string(decision_.reason).find("restless") == 0 && decide().profile == MANGATA_PROFILE_PATHS);
  EXPECT_EQ(looks, (std::vector<int32_t>{10, 20, 40, 80, 160}));
  EXPECT_EQ(silences, (std::vector<int32_t>{2000, 4000, 8000, 16000, 16000}));
  EXPECT_NE(std::string(decision_.reason).find("never the same"), std::string::npos) << decision_.reason;
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
}

TEST_F(Adaptive, PathsAreOnlyDecodedWhileAPlanIsLookedFor) {
  warm_up();
  EXPECT_TRUE(policy_->looks_at_paths(decision_.memory));
  decide();
  ASSERT_EQ(decision_.profile, MANGATA_PROFILE_ITERATIONS);
  EXPECT_TRUE(policy_->looks_at_paths(decision_.memory));
  counted({0.5, 1});
  decide();
  for (int i = 0; i < 4; ++i, decide()) EXPECT_FALSE(policy_->looks_at_paths(decision_.memory)) << i;
  snapshot_.stability = 0.5;
  while (decision_.forget == 0) decide();
  EXPECT_TRUE(policy_->looks_at_paths(decision_.memory));
}

TEST_F(Adaptive, CountdownsDoNotOverflow) {
  std::string error;
  policy_ = make_policy("adaptive:warm=0,sample=2000000000,quiet=2000000000,rest=2000000000,optimize=0", &error);
  ASSERT_NE(policy_, nullptr) << error;
  snapshot_.stability = 0.5;
  for (int i = 0; i < 60; ++i) {
    decide();
    ASSERT_GE(decision_.sample, 2000000000) << i;
    ASSERT_LT(decision_.sample, MANGATA_NEVER) << i;
  }
}

TEST_F(Adaptive, DriftStartsOverAndForgets) {
  settle();
  ASSERT_EQ(decision_.profile, MANGATA_PROFILE_NONE);
  decide();
  snapshot_.stability = 0.5;
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
  EXPECT_EQ(decision_.forget, 1u);
  EXPECT_NE(std::string(decision_.reason).find("drift"), std::string::npos);
}

TEST(Policies, BadParametersAreNamed) {
  std::string error;
  EXPECT_EQ(make_policy("adaptive:nope=1", &error), nullptr);
  EXPECT_NE(error.find("bad parameter 'nope=1'"), std::string::npos) << error;
  EXPECT_EQ(make_policy("baseline:entry=1", &error), nullptr);
  EXPECT_EQ(make_policy("counter:entry=-1", &error), nullptr);
  EXPECT_NE(make_policy("counter:entry=1,loop=2", &error), nullptr);
  EXPECT_EQ(make_policy("unknown", &error), nullptr);
  EXPECT_NE(error.find("adaptive"), std::string::npos) << error;
}

TEST_F(Adaptive, OptimizesWhatIsQuietAndHasGoneBackOftenEnough) {
  std::string error;
  policy_ = make_policy("adaptive:warm=100,sample=10,quiet=1000,rest=3000,optimize=5000", &error);
  ASSERT_NE(policy_, nullptr) << error;
  EXPECT_TRUE(policy_->optimizes());
  snapshot_.events = 4999;
  settle();
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_NONE);
  EXPECT_NE(decision_.tier, MANGATA_OPTIMIZED);
  snapshot_.events = 5000;
  EXPECT_EQ(decide().tier, MANGATA_OPTIMIZED);
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_NONE);
  decision_.tier = MANGATA_BASELINE;
  EXPECT_NE(decide().tier, MANGATA_OPTIMIZED);  // once is enough
}

TEST_F(Adaptive, WhatIsRestlessIsOptimizedOnceByWhatIsFoundFirst) {
  std::string error;
  policy_ = make_policy("adaptive:warm=100,sample=10,quiet=1000,rest=3000,optimize=5000", &error);
  ASSERT_NE(policy_, nullptr) << error;
  loop_.second_share = 0;
  snapshot_.events = 5000;
  snapshot_.stability = 0.5;
  int times = 0;
  do {
    decide();
    times += decision_.tier == MANGATA_OPTIMIZED ? 1 : 0;
    decision_.tier = MANGATA_BASELINE;
  } while (std::string(decision_.reason).find("never the same") == std::string::npos);
  EXPECT_EQ(times, 1);
}

TEST_F(Adaptive, OptimizesByDefaultAlsoWhileItLooksAtNoPaths) {
  settle();
  ASSERT_FALSE(policy_->looks_at_paths(decision_.memory));
  snapshot_.events = 100'000'000;
  snapshot_.loop_count = 0;  // as it is then
  EXPECT_EQ(decide().tier, MANGATA_OPTIMIZED);
}

TEST_F(Adaptive, NothingIsCountedWherePathsMakeNoDifference) {
  std::string error;
  policy_ = make_policy("adaptive:warm=100,sample=10,quiet=1000,rest=3000,optimize=5000", &error);
  ASSERT_NE(policy_, nullptr) << error;
  snapshot_.is_straight = 1;
  decide();
  snapshot_.events = 120;
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_NONE);
  EXPECT_NE(decision_.tier, MANGATA_OPTIMIZED);
  EXPECT_EQ(decision_.sample, 5000 - 120);
  uint64_t wait = 5000;
  for (int attempt = 0; attempt < 4; ++attempt) {
    snapshot_.events += wait;
    decision_.tier = MANGATA_BASELINE;
    EXPECT_EQ(decide().tier, MANGATA_OPTIMIZED);
    EXPECT_EQ(decision_.profile, MANGATA_PROFILE_NONE);
    wait *= 16;
    EXPECT_EQ(decision_.sample, static_cast<int32_t>(wait)) << "each time it waits much longer for loops that have not run yet";
  }
  decision_.tier = MANGATA_BASELINE;
  EXPECT_NE(decide().tier, MANGATA_OPTIMIZED);
  EXPECT_EQ(decision_.sample, MANGATA_NEVER);
}

TEST_F(Adaptive, OptimizesByTheRecordingBeforeItCounts) {
  std::string error;
  policy_ = make_policy("adaptive:sample=10,quiet=1000,rest=3000,optimize=500", &error);
  ASSERT_NE(policy_, nullptr) << error;
  snapshot_.is_optimizable = 1;
  decide();
  snapshot_.events = 120;
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_NONE);
  EXPECT_NE(decision_.tier, MANGATA_OPTIMIZED);
  EXPECT_EQ(decision_.sample, 500 - 120);
  snapshot_.events = 510;
  EXPECT_EQ(decide().tier, MANGATA_OPTIMIZED);
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_NONE);
  EXPECT_EQ(decision_.sample, 1'600'000 - 510);
  snapshot_.events = 1'600'000;
  decision_.tier = MANGATA_BASELINE;
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS) << "it still runs in baseline code: the recording was not enough";
  EXPECT_NE(decision_.tier, MANGATA_OPTIMIZED);
  loop_.second_share = 0;
  for (int i = 0; i < 3 && decision_.tier != MANGATA_OPTIMIZED; ++i) decide();
  EXPECT_EQ(decision_.tier, MANGATA_OPTIMIZED) << "by what was counted";
}

TEST_F(Adaptive, CountsFirstWhereItIsToldTo) {
  std::string error;
  policy_ = make_policy("adaptive:warm=100,sample=10,optimize=2000", &error);
  ASSERT_NE(policy_, nullptr) << error;
  snapshot_.is_optimizable = 1;
  decide();
  snapshot_.events = 100;
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
}

TEST_F(Adaptive, CountsAllWhereCountingIsAllThatItDoes) {
  std::string error;
  policy_ = make_policy("adaptive:warm=100,sample=10,optimize=0", &error);
  ASSERT_NE(policy_, nullptr) << error;
  snapshot_.is_straight = 1;
  warm_up();
  EXPECT_EQ(decision_.profile, MANGATA_PROFILE_PATHS);
}

TEST_F(Adaptive, CanBeToldNotToOptimize) {
  std::string error;
  policy_ = make_policy("adaptive:warm=100,sample=10,quiet=1000,rest=3000,optimize=0", &error);
  ASSERT_NE(policy_, nullptr) << error;
  EXPECT_FALSE(policy_->optimizes());
  snapshot_.events = 100'000'000;
  settle();
  for (int i = 0; i < 5; ++i) EXPECT_NE(decide().tier, MANGATA_OPTIMIZED);
}

}  // namespace
}  // namespace mangata
