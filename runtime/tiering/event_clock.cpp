#include "runtime/tiering/event_clock.h"

#include <algorithm>
#include <utility>

namespace mangata {

double EventClock::sample(uint64_t events, double milliseconds, uint64_t region_iterations) {
  const auto count = static_cast<double>(events);
  if (is_repeatable_) return kUsualNanoseconds * count;
  const double passed = std::min(1e6 * (milliseconds - std::exchange(sampled_at_, milliseconds)), kMostNanoseconds * count);
  const bool ran_in_regions = region_iterations - std::exchange(region_iterations_, region_iterations) > events / 4;
  if (ran_in_regions && outside_regions_.events != 0)
    return outside_regions_.nanoseconds / static_cast<double>(outside_regions_.events) * count;
  outside_regions_.events += events;
  outside_regions_.nanoseconds += passed;
  return passed;
}

}  // namespace mangata
