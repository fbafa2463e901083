#include "jit/region/region_price.h"

#include <algorithm>

namespace mangata::jit {
namespace {

/// What compiling takes of the processor for each IR instruction, on an idle machine.
constexpr double kNanosecondsPerInstruction = 11000;

/// Of what the region would have saved so far, times the square of the share of the time that this is; a quarter of that for each earlier one that
/// did not do what was predicted.
constexpr double kRiskedShare = 1.5;

/// Of a leaf, so many times as much. Alone it gains little, for calls remain calls; where it is walked into,
/// it is called no more.
constexpr double kLeafFactor = 8;

/// For each instruction of bytecode there are more than these: while not so many are worth it, there is no
/// need to look closer. Then the region is generated, which takes a fifth of the time of compiling it, to
/// find out how many they are.
constexpr uint64_t kLeastPerPlace = 15;

/// Not before another such part of the events: while other functions are optimized, the share that is left to
/// save shrinks.
constexpr uint64_t kShortestWait = 8;

}  // namespace

uint64_t affordable_instructions(const RegionWorth& worth) {
  const double saved = worth.saved_nanoseconds() / (worth.is_leaf ? kLeafFactor : 1);
  const double share = worth.saved_share();
  const double risked = kRiskedShare * share * share / static_cast<double>(uint64_t{1} << (2 * std::min<size_t>(worth.failed_attempts, 8)));
  const double limit = std::max(std::min(saved, worth.budget_nanoseconds + risked * saved), 0.0);
  return static_cast<uint64_t>(limit / kNanosecondsPerInstruction);
}

uint64_t least_instructions(const RegionWorth& worth) { return kLeastPerPlace * worth.places; }

RegionCode not_yet(const RegionWorth& worth, uint64_t instructions) {
  const uint64_t events = std::max<uint64_t>(worth.so_far.events, 1);
  const uint64_t paid = affordable_instructions(worth);
  RegionCode code;
  const uint64_t enough = events * instructions / std::max<uint64_t>(paid, 1);
  code.worth_after = std::clamp(enough, events + events / kShortestWait, events * kLongestWait) + 1;
  code.error = "not yet: what it would have saved in " + std::to_string(events) +
               " calls and iterations is worth " + std::to_string(paid) + " of " +
               std::to_string(instructions) + " IR instructions";
  return code;
}

}  // namespace mangata::jit
