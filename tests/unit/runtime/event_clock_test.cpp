#include "runtime/tiering/event_clock.h"

#include <gtest/gtest.h>

namespace mangata {
namespace {

TEST(EventClock, CountsEventsNotTime) {
  EventClock clock;
  clock.advance(100);
  clock.advance(20);
  EXPECT_EQ(clock.now(), 120u);
  clock.sample(1000, 5, 0);
  EXPECT_EQ(clock.now(), 120u) << "whoever counts them advances it";
}

TEST(EventClock, EventsOfRepeatableRunsAllLastEquallyLong) {
  EventClock clock;
  clock.make_repeatable();
  EXPECT_DOUBLE_EQ(clock.sample(1000, 0, 0), 1000 * EventClock::kUsualNanoseconds);
  EXPECT_DOUBLE_EQ(clock.sample(1000, 77, 5000), 1000 * EventClock::kUsualNanoseconds);
}

TEST(EventClock, OthersLastAsLongAsHasPassedSinceTheLastSample) {
  EventClock clock;
  EXPECT_DOUBLE_EQ(clock.sample(1000, 0.02, 0), 20000);
  EXPECT_DOUBLE_EQ(clock.sample(1000, 0.05, 0), 30000);
}

TEST(EventClock, WaitingIsNotTheTimeOfEvents) {
  EventClock clock;
  EXPECT_DOUBLE_EQ(clock.sample(10, 1000, 0), 10 * EventClock::kMostNanoseconds);
}

TEST(EventClock, TimeInRegionsIsThatOfTheSameEventsOutside) {
  EventClock clock;
  EXPECT_DOUBLE_EQ(clock.sample(1000, 0.02, 0), 20000);
  EXPECT_DOUBLE_EQ(clock.sample(500, 0.06, 251), 10000) << "as before, 20 for each";
  EXPECT_NEAR(clock.sample(1000, 0.07, 251 + 250), 10000, 1e-6) << "so few iterations are hardly any";
}

}  // namespace
}  // namespace mangata
