// The tier manager in an engine: what it asks, and that it does what policies say.
#include "runtime/tiering/tier_manager.h"

#include <gtest/gtest.h>

#include <functional>

#include "runtime/engine.h"
#include "vm/bytecode/chunk.h"
#include "vm/bytecode/proto.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// What a policy was shown.
struct Shown {
  std::string name;
  uint32_t occasion, asked, tier, profile, versions;
  uint64_t events, events_since;
};

/// Asked after five calls or ten iterations; decides what the test says.
class Scripted : public Policy {
 public:
  bool samples() const override { return true; }
  bool optimizes() const override { return true; }
  int32_t sample_period() const override { return 8; }
  void first(Decision* decision) override {
    decision->entry = 5;
    decision->loop = 10;
  }
  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    shown.push_back({snapshot.name, snapshot.occasion, snapshot.asked, snapshot.tier, snapshot.profile, snapshot.versions, snapshot.events,
                     snapshot.events_since});
    decision->tier = MANGATA_BASELINE;
    if (decides) decides(snapshot, decision);
  }
  std::vector<Shown> about(const std::string& name) const {
    std::vector<Shown> found;
    for (const Shown& each : shown) {
      if (each.name == name) found.push_back(each);
    }
    return found;
  }

  std::function<void(const ProfileSnapshot&, Decision*)> decides;
  std::vector<Shown> shown;
};

class Tiering : public ::testing::Test {
 protected:
  Tiering() {
    options_.policy = policy_;
    options_.log.deterministic = true;  // regions are waited for
    options_.regions.checks_profitability = false;
    options_.regions.recorded = 200;
    options_.log.listener = [this](const LogEvent& event) { (event.kind == LogEvent::Kind::Decided ? decided_ : of_regions_).emplace_back(event.text); };
    engine_ = std::make_unique<Engine>(options_);
  }
  void SetUp() override {
    if (!tiers().is_on()) GTEST_SKIP() << "there is no machine code";
  }
  TierManager& tiers() { return engine_->tiers(); }

  /// Runs a chunk; its first nested function is `f_`.
  void run(const std::string& text) {
    Vm& vm = engine_->vm();
    const auto chunk = load(vm, text, "=test");
    ASSERT_TRUE(chunk.ok());
    chunk_ = chunk.value()->proto;
    run_again(chunk.value());
  }
  void run_again(LuaFunction* chunk) {
    Vm& vm = engine_->vm();
    Value* function = vm.main_thread->top;
    function[0] = Value::function(chunk);
    function[1].set_nil();
    function[2].set_nil();
    vm.main_thread->top = function + kCallOverheadSlots;
    EXPECT_TRUE(protected_call(vm, function, 0, 1, Value::nil()));
    vm.main_thread->top = function;
    returned_ = function[0];
  }
  /// The chunk returns a function: calls it so often.
  void call_returned(int times) {
    for (int i = 0; i < times; ++i) {
      LuaFunction* function = returned_.as_lua_function();
      run_again(function);
      returned_ = Value::function(function);
    }
  }
  Proto& returned() { return *returned_.as_lua_function()->proto; }

  std::shared_ptr<Scripted> policy_ = std::make_shared<Scripted>();
  Options options_;
  std::vector<std::string> decided_, of_regions_;
  std::unique_ptr<Engine> engine_;
  Proto* chunk_ = nullptr;
  Value returned_ = Value::nil();
};

TEST_F(Tiering, FunctionsAreAskedAboutAfterTheirFirstCallsAndCompiled) {
  run("local function f() return 1 end return f");
  call_returned(5);
  EXPECT_TRUE(policy_->shown.empty());
  EXPECT_EQ(tiers().state_of(returned()).tier, std::string("interpreter"));
  call_returned(1);
  ASSERT_EQ(policy_->shown.size(), 1u);
  EXPECT_EQ(policy_->shown[0].occasion, static_cast<uint32_t>(MANGATA_ASKED_CALLS));
  EXPECT_EQ(policy_->shown[0].asked, 0u);
  EXPECT_EQ(policy_->shown[0].events_since, 6u);
  EXPECT_EQ(policy_->shown[0].events, 6u);
  EXPECT_EQ(tiers().state_of(returned()).tier, std::string("baseline"));
  EXPECT_EQ(decided_.size(), 1u) << "each decision is a line of the log";
}

TEST_F(Tiering, LoopsAreAskedAboutAfterTheirFirstIterations) {
  run("local x = 0 for i = 1, 100 do x = x + i end return x");
  ASSERT_FALSE(policy_->shown.empty());
  EXPECT_EQ(policy_->shown[0].occasion, static_cast<uint32_t>(MANGATA_ASKED_ITERATIONS));
  EXPECT_EQ(policy_->shown[0].events_since, 11u);
  EXPECT_EQ(returned_.as_integer(), 5050);
}

TEST_F(Tiering, FunctionsThatMayNotBeCompiledAreNotAskedAbout) {
  run("local function f() return 1 end return f");
  tiers().turn(returned(), false);
  call_returned(20);
  EXPECT_TRUE(policy_->shown.empty());
  EXPECT_FALSE(tiers().state_of(returned()).is_on);
  tiers().turn(returned(), true);
  tiers().turn(false);
  call_returned(20);
  EXPECT_TRUE(policy_->shown.empty());
  tiers().turn(true);
  call_returned(6);
  EXPECT_EQ(policy_->shown.size(), 1u);
}

TEST_F(Tiering, FlushedFunctionsAreNewToThePolicy) {
  run("local function f() return 1 end return f");
  call_returned(6);
  tiers().flush(returned());
  EXPECT_EQ(tiers().state_of(returned()).tier, std::string("interpreter"));
  call_returned(6);
  ASSERT_EQ(policy_->shown.size(), 2u);
  EXPECT_EQ(policy_->shown[1].asked, 0u);
  EXPECT_EQ(tiers().state_of(returned()).tier, std::string("baseline"));
}

TEST_F(Tiering, WhatADecisionWantsCountedIsInTheNextSnapshot) {
  policy_->decides = [](const ProfileSnapshot& snapshot, Decision* decision) {
    decision->sample = 50;
    if (snapshot.asked == 0) decision->profile = MANGATA_PROFILE_PATHS;
    if (snapshot.asked == 1) decision->profile = MANGATA_PROFILE_NONE;
  };
  run("local function f(x) if x then return 1 end return 2 end\n"
      "for i = 1, 2000 do f(i % 2 == 0) end return f");
  const std::vector<Shown> shown = policy_->about("f");
  ASSERT_GE(shown.size(), 3u);
  EXPECT_EQ(shown[0].versions, 0u);
  EXPECT_EQ(shown[1].occasion, static_cast<uint32_t>(MANGATA_ASKED_SAMPLE));
  EXPECT_EQ(shown[1].tier, static_cast<uint32_t>(MANGATA_BASELINE));
  EXPECT_EQ(shown[1].profile, static_cast<uint32_t>(MANGATA_PROFILE_PATHS));
  EXPECT_EQ(shown[1].versions, 1u);
  EXPECT_GE(shown[1].events_since, 50u);
  EXPECT_EQ(shown[2].profile, static_cast<uint32_t>(MANGATA_PROFILE_NONE));
  EXPECT_EQ(tiers().state_of(returned()).profile, std::string("none"));
}

TEST_F(Tiering, OptimizedCodeIsRecordedRequestedAndTold) {
  if (!tiers().forms_regions()) GTEST_SKIP() << "there is no optimizer";
  policy_->decides = [](const ProfileSnapshot& snapshot, Decision* decision) {
    decision->sample = 100;
    if (snapshot.asked >= 1) decision->tier = MANGATA_OPTIMIZED;
    if (snapshot.asked >= 1) decision->sample = MANGATA_NEVER;
  };
  run("local x = 0 for i = 1, 100000 do x = x + i end return x");
  EXPECT_EQ(returned_.as_integer(), 5000050000);
  ASSERT_FALSE(of_regions_.empty());
  EXPECT_NE(of_regions_[0].find("loop 1 "), std::string::npos) << of_regions_[0];
}

}  // namespace
}  // namespace mangata
