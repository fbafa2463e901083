// What the tier may cost, in counts: a call or backedge is ten units of time, and each work takes its price.
#include "jit/region/region_price.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "jit/region/region_budget.h"

namespace mangata::jit {
namespace {

/// A function that has done so much, of whose time a region would save this share.
RegionBenefit benefit_of(double share, const RunSoFar& so_far, const RegionFunds& funds) {
  RegionBenefit benefit = best_benefit(so_far, funds);
  benefit.events_per_event = 1;
  benefit.region_cycles = 1 - share;
  return benefit;
}

TEST(RegionBudget, IsSetRightByWhatWasMeasured) {
  RegionBudget budget;
  budget.spend(300);
  EXPECT_EQ(budget.spent(), 300);
  budget.set_right(300, 4000);
  EXPECT_EQ(budget.spent(), 4000);
  EXPECT_EQ(RegionBudget::given(1000), 50);
}

TEST(RegionPrice, SavesNoMoreThanTheWholeProgramHasTaken) {
  RegionBenefit benefit = benefit_of(0.5, {.events = 1000, .nanoseconds = 8e6}, {.given = 1e6, .ran = 20e6});
  benefit.events_per_event = 1;
  EXPECT_EQ(benefit.saved_nanoseconds(), 4e6);
  benefit.events_per_event = 100;  // a function that is recursive, or calls many others
  benefit.cycles_per_event *= 100;
  EXPECT_EQ(benefit.saved_nanoseconds(), 10e6);
}

TEST(RegionPrice, LoadingTheCompilerBelongsToTheFirstRegion) {
  const RunSoFar so_far{.events = 1000000, .nanoseconds = 2e8};
  RegionFunds funds{.given = 5e7, .ran = 1e9};
  const uint64_t later = affordable_instructions(benefit_of(0.3, so_far, funds));
  funds.fixed = kPriceOfLoading;
  const uint64_t first = affordable_instructions(benefit_of(0.3, so_far, funds));
  EXPECT_NEAR(static_cast<double>(later - first), kPriceOfLoading / kPriceOfLlvm.per_instruction, 1);
}

TEST(RegionPrice, WhoHasSpentMoreThanWasGivenAffordsNothingThatSavesLittle) {
  EXPECT_EQ(affordable_instructions(benefit_of(0.3, {.events = 1000000, .nanoseconds = 1e8}, {.given = 5e7, .owed = 6e7, .ran = 1e9})), 0u);
}

TEST(RegionPrice, QuickCodeIsTriedWhenItsLikelySizeIsAffordable) {
  RegionBenefit benefit = best_benefit({}, {.price = kPriceOfQuick});
  benefit.places = 10;
  EXPECT_GT(likely_instructions(benefit), 3 * least_instructions(benefit));
  benefit.places = 100;
  const uint64_t large = likely_instructions(benefit);
  benefit.places = 200;
  EXPECT_LT(likely_instructions(benefit), 2 * large) << "what is large shares much, or turns out to be smaller";
  benefit.places = 100'000;
  EXPECT_EQ(likely_instructions(benefit), least_instructions(benefit));
  benefit.funds.price = kPriceOfLlvm;
  benefit.places = 100;
  EXPECT_EQ(likely_instructions(benefit), least_instructions(benefit)) << "LLVM's passes may leave little";
}

TEST(RegionPrice, IsAffordableWhenItWasForetold) {
  const RegionFunds funds{.given = 5e6, .owed = 2e6, .ran = 1e8};
  const RegionBenefit benefit = benefit_of(0.3, {.events = 1000000, .nanoseconds = 5e7}, funds);
  const uint64_t wanted = 500;
  ASSERT_LT(affordable_instructions(benefit), wanted);
  const double grown = static_cast<double>(events_until_affordable(benefit, wanted)) / 1e6;
  ASSERT_GT(grown, 1.1);
  ASSERT_LT(grown, static_cast<double>(kLongestWait));
  const auto at = [&](double times) {
    return benefit_of(0.3, {.events = static_cast<uint64_t>(times * 1e6), .nanoseconds = times * 5e7},
                      {.given = times * 5e6, .owed = 2e6, .ran = times * 1e8});
  };
  EXPECT_GE(affordable_instructions(at(grown)), wanted);
  EXPECT_LT(affordable_instructions(at(grown * 0.98)), wanted) << "not sooner than needed";
}

TEST(RegionPrice, NothingIsHopedForFromWhatHasHardlyRun) {
  const RegionFunds early{.given = 2.5e6, .ran = 5e7, .fixed = kPriceOfLoading};
  const RegionBenefit hope = best_benefit({.events = 150000, .nanoseconds = 1e6}, early);
  EXPECT_LT(affordable_instructions(hope), kSmallestRegion);
  EXPECT_GT(events_until_affordable(hope, kSmallestRegion), 150000u);
}

/// Programs of functions that each take some share of the time, and whose regions save some of that once they are there.
struct Simulated {
  double time_share, saved_share;
  uint64_t instructions;
  RunSoFar so_far;
  bool made = false;
};

class Program {
 public:
  Program(unsigned seed, double most_saved) : random_(seed) {
    std::uniform_real_distribution<double> share(0.05, most_saved), part(0.02, 1);
    double sum = 0;
    for (int i = 0; i < 12; ++i) {
      functions_.push_back({.time_share = part(random_), .saved_share = share(random_), .instructions = 100 + random_() % 4000, .so_far = {}});
      sum += functions_.back().time_share;
    }
    for (Simulated& simulated : functions_) simulated.time_share /= sum;
  }

  /// The tier's cost beyond what it may be, at its highest; 0: it never was.
  double run(int steps) {
    double worst = 0;
    for (int step = 0; step < steps; ++step) {
      for (Simulated& simulated : functions_) happen(&simulated);
      for (Simulated& simulated : functions_) consider(&simulated);
      worst = std::max(worst, budget_.spent() - RegionBudget::given(ran_) - saved_);
    }
    return worst;
  }
  size_t made() const {
    return static_cast<size_t>(std::count_if(functions_.begin(), functions_.end(), [](const Simulated& simulated) { return simulated.made; }));
  }

 private:
  static constexpr uint64_t kEvents = 50000;

  void happen(Simulated* simulated) {
    const auto events = static_cast<uint64_t>(kEvents * simulated->time_share);
    ran_ += 10.0 * static_cast<double>(events);
    simulated->so_far.events += events;
    simulated->so_far.nanoseconds += 10.0 * static_cast<double>(events);
    if (simulated->made) saved_ += simulated->saved_share * 10 * static_cast<double>(events);
  }
  void consider(Simulated* simulated) {
    if (simulated->made) return;
    const RegionFunds funds{.given = RegionBudget::given(ran_), .owed = budget_.spent() - saved_, .ran = ran_};
    const RegionBenefit benefit = benefit_of(simulated->saved_share, simulated->so_far, funds);
    if (affordable_instructions(benefit) < simulated->instructions) return;
    budget_.spend(price_of(simulated->instructions, kPriceOfLlvm));
    simulated->made = true;
  }

  std::mt19937 random_;
  std::vector<Simulated> functions_;
  RegionBudget budget_;
  double ran_ = 0, saved_ = 0;
};

TEST(RegionPrice, CostStaysWithinFivePercentOfTheTimeAndWhatWasSaved) {
  size_t made = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Program program(seed, kLeastPromising);
    EXPECT_EQ(program.run(2000), 0) << seed;
    made += program.made();
  }
  EXPECT_GT(made, 200u) << "a budget that nobody uses proves nothing";
}

TEST(RegionPrice, WhatPromisesMuchMayCostAShareOfItMore) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1), time(0, 1e8);
  for (int i = 0; i < 1000; ++i) {
    const RegionFunds funds{.given = time(random) / 20, .owed = time(random) / 20, .ran = 10 * time(random)};
    RegionBenefit benefit = benefit_of(share(random), {.events = 1000000, .nanoseconds = time(random)}, funds);
    benefit.failed_attempts = random() % 3;
    const uint64_t instructions = affordable_instructions(benefit);
    if (instructions == 0) continue;
    const double promise = benefit.saved_share() < kLeastPromising ? 0 : std::pow(benefit.saved_share(), 4);
    const double promised = kMostRisked * promise * benefit.saved_nanoseconds() / (1 << (2 * benefit.failed_attempts));
    const double risked = std::min(promised, kMostInAdvance * funds.ran);
    EXPECT_LE(price_of(instructions, kPriceOfLlvm), std::min(funds.left() + risked, benefit.saved_nanoseconds()));
  }
}

}  // namespace
}  // namespace mangata::jit
