// Counts calls of Lua functions and backedges, the events of a program, by counting down to the next time that somebody looks.
//
// [DESIGN] An event is counted once, by who lets it happen: the interpreter and C++ code that starts a frame in Vm::interpreter_events,
// machine code in Vm::machine_events, and regions, where fuel is limited, in Vm::region_fuel. So the three together say at any safepoint
// how many events there have been, the same number in every tier (runtime/embed/fuel.h).
#pragma once

#include <atomic>
#include <cstdint>

namespace mangata {

struct EventCountdown {
  /// Events that still pass unseen; the one behind them makes this negative, and its owner looks. Another thread may only store 0.
  std::atomic<int32_t> left;
  int32_t armed;        ///< what `left` started at
  uint64_t before = 0;  ///< events counted before that

  explicit constexpr EventCountdown(int32_t period) : left(period), armed(period) {}

  /// All so far. Means nothing between Vm::request_interrupt() and Vm::forget_request().
  uint64_t count() const { return before + static_cast<uint64_t>(int64_t{armed} - left.load(std::memory_order_relaxed)); }
  /// Counts one event. True: it is time to look.
  bool take_one() {
    const int32_t now = left.load(std::memory_order_relaxed) - 1;
    left.store(now, std::memory_order_relaxed);
    return now < 0;
  }
  /// From here on, so many events pass unseen.
  void arm(int32_t period) {
    before = count();
    armed = period;
    left.store(period, std::memory_order_relaxed);
  }
  /// Somebody has asked for attention by making it end. How many events had happened since it was armed is lost; they do not count.
  void restart() { left.store(armed, std::memory_order_relaxed); }
};

}  // namespace mangata
