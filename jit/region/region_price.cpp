#include "jit/region/region_price.h"

#include <algorithm>

#include "jit/region/why_not.h"

namespace mangata::jit {
namespace {

/// Of a leaf, so many times as much. Alone it gains little, for calls remain calls; where it is inlined,
/// it is called no more.
constexpr double kLeafFactor = 8;

/// For each instruction of bytecode there are more than these: while not so many are worth it, there is no
/// need to look closer. Then the region is generated, which takes a fifth of the time of compiling it, to
/// find out how many they are.
constexpr uint64_t kLeastPerPlace = 7;

/// Half of all regions have more, by what quick code of public programs has; of those that are large by what was executed, calls that
/// cannot be inlined take away a part. Generating one that turns out too large costs a third of compiling it.
constexpr uint64_t kLikelyPerPlace = 24;
constexpr uint64_t kLargeByLikelihood = 3000;

/// Not before another such part of the events: while other functions are optimized, the share that is left to
/// save shrinks.
constexpr uint64_t kShortestWait = 8;

/// Hardly a region saves more of the time.
constexpr double kBestShare = 0.8;
/// Functions that are inlined have so many times as many events at most as the one that calls them; what a region saves there is its.
constexpr double kMostInlined = 3;

double saved(const RegionBenefit& benefit) { return benefit.saved_nanoseconds() / (benefit.is_leaf ? kLeafFactor : 1); }

/// Nanoseconds that are not given yet.
double risked(const RegionBenefit& benefit) {
  const double share = benefit.saved_share();
  if (share < kLeastPromising && !benefit.funds.price.is_low) return 0;
  const auto attempts = static_cast<double>(uint64_t{1} << (2 * std::min<size_t>(benefit.failed_attempts, 8)));
  if (benefit.funds.price.is_low) return kMostInAdvance * benefit.funds.ran / attempts;
  return std::min(kMostRisked * share * share * share * share / attempts * saved(benefit), kMostInAdvance * benefit.funds.ran);
}

}  // namespace

uint64_t affordable_instructions(const RegionBenefit& benefit) {
  const double limit = std::min(saved(benefit), benefit.funds.left() + risked(benefit)) - benefit.funds.fixed - benefit.funds.price.per_region;
  return limit <= 0 ? 0 : static_cast<uint64_t>(std::min(limit / benefit.funds.price.per_instruction, 1e9));
}

uint64_t least_instructions(const RegionBenefit& benefit) { return kLeastPerPlace * benefit.places; }

uint64_t likely_instructions(const RegionBenefit& benefit) {
  const uint64_t least = least_instructions(benefit);
  if (!benefit.funds.price.is_low) return least;
  return std::max(least, std::min(kLikelyPerPlace * benefit.places, kLargeByLikelihood));
}

/// What it saves, and what the program gives, grows with its events; what was spent stays.
uint64_t events_until_affordable(const RegionBenefit& benefit, uint64_t instructions) {
  const double price = price_of(instructions, benefit.funds.price) + benefit.funds.fixed;
  const double by_saving = price / std::max(saved(benefit), 1.0);
  const double by_budget = (price + benefit.funds.owed) / std::max(benefit.funds.given + risked(benefit), 1.0);
  const uint64_t events = std::max<uint64_t>(benefit.so_far.events, 1);
  const double enough = std::clamp(std::max(by_saving, by_budget), 1 + 1.0 / kShortestWait, static_cast<double>(kLongestWait));
  return static_cast<uint64_t>(static_cast<double>(events) * enough) + 1;
}

RegionCode too_little(const RegionBenefit& benefit, double share) {
  RegionCode code;
  code.profitable_after = std::max<uint64_t>(benefit.so_far.events, 1) * kLongestWait;
  code.error = why_no_region(WhyNot::SavesLittle, {static_cast<int>(100 * share)});
  return code;
}

RegionCode not_yet(const RegionBenefit& benefit, uint64_t instructions) {
  RegionCode code;
  code.ir_instructions = instructions;
  code.profitable_after = events_until_affordable(benefit, instructions);
  code.error = why_no_region(WhyNot::NotYet, {std::max<uint64_t>(benefit.so_far.events, 1), affordable_instructions(benefit), instructions});
  return code;
}

RegionBenefit best_benefit(const RunSoFar& so_far, const RegionFunds& funds) {
  RegionBenefit benefit;
  benefit.so_far = so_far;
  benefit.events_per_event = kMostInlined;
  benefit.cycles_per_event = so_far.events == 0 ? 0 : 1e3 * so_far.nanoseconds / static_cast<double>(so_far.events);  // as many as there were
  benefit.baseline_cycles = 1;
  benefit.region_cycles = 1 - kBestShare;
  benefit.funds = funds;
  return benefit;
}

}  // namespace mangata::jit
