// The default policy from literals: it is a pure function of its snapshot.
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/tiering/policy.h"

namespace mangata {
namespace {

/// A function's way through the policy: each decision's memory is part of the next snapshot.
class Adaptive : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    policy_ = make_policy("adaptive:warm=100,sample=10,quiet=1000", &error);
    ASSERT_NE(policy_, nullptr) << error;
    loop_ = {.line = 3, .is_innermost = 1, .k = 1, .distinct = 2, .iterations = 1000, .top_share = 0.5, .second_share = 0.5,
             .accuracy_count = 1, .accuracy = {0.5}};
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
  loop_.second_share = 0;
  warm_up();
  decide();
  decide();
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_NONE);
  EXPECT_EQ(decision_.sample, 1000);
  EXPECT_EQ(decide().profile, MANGATA_PROFILE_PATHS);
  EXPECT_EQ(decide().sample, 2000);
}

TEST_F(Adaptive, DriftStartsOverAndForgets) {
  loop_.second_share = 0;
  warm_up();
  decide();
  decide();
  ASSERT_EQ(decide().profile, MANGATA_PROFILE_NONE);
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

}  // namespace
}  // namespace mangata
