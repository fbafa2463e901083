#include "runtime/tiering/asker.h"

#include <algorithm>

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

/// A sample stands for one of so many parts of the run so far: that is near enough, and samples find the caches of the processor cold.
constexpr uint64_t kSamplesOfARun = 4096;
/// But no more than so many times the period.
constexpr uint64_t kLongest = 4;

}  // namespace

void Asker::set_first_countdowns(Proto& proto) {
  Decision decision{};
  decision.size = sizeof decision;
  policy_.first(&decision);
  proto.entry_countdown = countdown(decision.entry);
  proto.loop_countdown = countdown(decision.loop);
}

int32_t Asker::next_sample_distance(uint64_t so_far) {
  const auto shortest = static_cast<uint64_t>(policy_.sample_period());
  const uint64_t period = shortest < Policy::kSamplePeriod ? shortest : std::clamp(so_far / kSamplesOfARun, shortest, kLongest * shortest);
  return static_cast<int32_t>(random_.around(period) + 1);
}

uint64_t Asker::events_before(const FunctionState& function, mangata_occasion occasion) {
  Decision last = function.decision;
  if (function.asked == 0) policy_.first(&last);
  return static_cast<uint64_t>(countdown(occasion == MANGATA_ASKED_CALLS ? last.entry : last.loop)) + 1;
}

bool Asker::is_due(const FunctionState& function) {
  const int32_t wanted = countdown(function.decision.sample);
  return wanted != MANGATA_NEVER && function.credit >= static_cast<uint64_t>(wanted);
}

Decision Asker::ask(const ProfileSnapshot& snapshot, const FunctionState& function, uint32_t tier) {
  Decision decision = decision_to_start_from(function.decision, tier);
  policy_.decide(snapshot, &decision);
  decision.reason[sizeof decision.reason - 1] = '\0';
  if (!decides_what_is_counted_) {
    decision.profile = MANGATA_PROFILE_NONE;
    if (!policy_.samples()) decision.sample = MANGATA_NEVER;
  }
  return decision;
}

}  // namespace mangata
