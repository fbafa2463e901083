// Whose time it is, with a clock that the tests set.
#include "vm/interpreter/path_clock.h"

#include <gtest/gtest.h>

#include <array>

#include "vm/interpreter/path_event.h"
#include "vm/object/thread.h"

namespace mangata {
namespace {

uint64_t now = 0;

/// Activations of functions with two paths each, on a stack of frames; what an event does takes no time.
class PathClockTest : public ::testing::Test {
 protected:
  PathClockTest() : clock_([] { return now; }) {
    for (PathCounters* counters : {&outer_, &inner_}) {
      counters->clock = &clock_;
      counters->cycles.array = LowArray<uint64_t>(2);
      counters->events = {{.kind = PathEventKind::ClockEntry},
                          {.kind = PathEventKind::ClockPath},
                          {.kind = PathEventKind::CountAndStart},
                          {.kind = PathEventKind::ClockExit},
                          {.kind = PathEventKind::Count}};
    }
  }

  enum Event { Entry = 0, Path = 1, Exit = 3 };
  /// `cycles` pass, and then the event happens.
  void after(uint64_t cycles, PathCounters& counters, Event event, size_t frame, uint64_t path = 0) {
    now += cycles;
    run_clock_event(counters, counters.events[event], path, &frames_[frame]);
  }
  static int64_t cycles(const PathCounters& counters, uint64_t path) {
    return static_cast<int64_t>(counters.cycles.value(path));
  }

  PathClock clock_;
  PathCounters outer_, inner_;
  std::array<FrameHeader, 4> frames_{};
};

TEST_F(PathClockTest, TimeInACalleeIsTheCallees) {
  after(5, outer_, Entry, 0);
  after(10, inner_, Entry, 1);
  after(100, inner_, Path, 1, 1);
  after(200, inner_, Exit, 1, 0);
  after(3, outer_, Exit, 0, 1);
  EXPECT_EQ(cycles(outer_, 1), 13);
  EXPECT_EQ(cycles(inner_, 1), 100);
  EXPECT_EQ(cycles(inner_, 0), 200);
}

TEST_F(PathClockTest, EachActivationOfARecursionHasItsOwn) {
  after(0, outer_, Entry, 0);
  after(7, outer_, Entry, 1);
  after(50, outer_, Exit, 1, 1);
  after(8, outer_, Exit, 0, 0);
  EXPECT_EQ(cycles(outer_, 1), 50);
  EXPECT_EQ(cycles(outer_, 0), 15);
}

TEST_F(PathClockTest, FramesThatAnErrorDiscardsAreForgotten) {
  after(0, outer_, Entry, 0);
  after(1, inner_, Entry, 1);
  after(2, inner_, Entry, 2);
  after(40, outer_, Path, 0, 1);  // the two above are gone: what passed until then was theirs
  EXPECT_EQ(cycles(outer_, 1), 1);
  after(6, inner_, Entry, 1);  // a new activation where one was
  after(9, inner_, Exit, 1, 0);
  EXPECT_EQ(cycles(inner_, 0), 9);
  after(2, outer_, Exit, 0, 0);
  EXPECT_EQ(cycles(outer_, 0), 8);
}

TEST_F(PathClockTest, ReadingIsSubtracted) {
  clock_.set_cycles_per_reading(4);
  after(0, outer_, Entry, 0);
  after(10, outer_, Path, 0, 0);
  after(3, outer_, Path, 0, 1);
  EXPECT_EQ(cycles(outer_, 0), 6);
  EXPECT_EQ(cycles(outer_, 1), -1);
  EXPECT_EQ(clock_.readings(), 2u);
}

TEST_F(PathClockTest, TimeWhileItStandsIsNobodys) {
  after(0, outer_, Entry, 0);
  now += 10;
  {
    const PathClock::Stop stop(&clock_);
    now += 1000;
  }
  after(5, outer_, Exit, 0, 0);
  EXPECT_EQ(cycles(outer_, 0), 15);
  EXPECT_EQ(clock_.stopped_cycles(), 1000u);
}

TEST_F(PathClockTest, CoroutinesHaveStacksOfTheirOwn) {
  std::array<Value, 2> stacks;
  Thread main_thread{}, coroutine{};
  main_thread.stack = &stacks[0];
  coroutine.stack = &stacks[1];
  clock_.change_thread(main_thread, true);
  after(0, outer_, Entry, 2);
  now += 10;
  clock_.change_thread(coroutine, true);
  after(1, inner_, Entry, 0);
  now += 100;
  clock_.change_thread(main_thread, false);
  after(20, outer_, Path, 2, 1);
  now += 2;
  clock_.change_thread(coroutine, false);
  after(300, inner_, Exit, 0, 1);
  clock_.change_thread(main_thread, false);
  EXPECT_EQ(cycles(outer_, 1), 30);
  EXPECT_EQ(cycles(inner_, 1), 400);
  // Another coroutine on the same stack.
  after(0, outer_, Exit, 2, 0);
  clock_.change_thread(coroutine, false);
  after(0, inner_, Entry, 0);
  clock_.change_thread(main_thread, false);
  clock_.change_thread(coroutine, true);
  after(7, inner_, Path, 1, 0);
  EXPECT_EQ(cycles(inner_, 0), 0);
}

TEST(PathClock, IsCalibratedByReadingIt) {
  static uint64_t ticks;
  PathClock clock([] { return ticks += 21; });
  calibrate(clock);
  EXPECT_EQ(clock.cycles_per_reading(), 21);
}

}  // namespace
}  // namespace mangata
