// For native functions that may take long: they let interrupts happen, and say how much they have done.
#pragma once

#include <utility>

#include "vm/interpreter/slow_paths.h"
#include "vm/vm.h"

namespace mangata {

/// How many steps a native function may do without a poll: some ten microseconds.
inline constexpr int64_t kNativePollPeriod = 1 << 14;

/// A safepoint only in that it may raise; no Lua code runs.
inline Status poll_native(Vm& vm, int64_t work) {
  if (vm.hooks != nullptr) vm.hooks->native_worked(work);
  if (vm.interrupt.load(std::memory_order_relaxed)) [[unlikely]] return handle_interrupt(vm);
  return {};
}

/// Work that was done, without a poll: where nothing may be raised, and for what is left of it behind the last poll. A unit is some
/// nanoseconds, as an iteration of an empty loop, or at most forty: 16 bytes that are copied, a comparison, a value that is pushed.
/// What is less than kLeastCharge is not worth telling.
inline void charge_native(Vm& vm, int64_t work) {
  constexpr int64_t kLeastCharge = 16;
  if (work >= kLeastCharge && vm.hooks != nullptr) [[unlikely]] vm.hooks->native_worked(work);
}

/// Bytes that were copied or compared as a block.
inline void charge_bytes(Vm& vm, size_t bytes) { charge_native(vm, static_cast<int64_t>(bytes >> 4)); }

/// Steps of a loop, of which some take a unit: a poll every kNativePollPeriod of them, and the rest charged at the end.
class PolledSteps {
 public:
  explicit PolledSteps(Vm& vm) : vm_(vm) {}
  PolledSteps(const PolledSteps&) = delete;
  PolledSteps& operator=(const PolledSteps&) = delete;
  ~PolledSteps() { charge_native(vm_, steps_); }
  Status add(int64_t steps = 1) {
    steps_ += steps;
    if (steps_ < kNativePollPeriod) [[likely]] return {};
    return poll_native(vm_, std::exchange(steps_, 0));
  }
  /// Steps whose poll can wait.
  void note(int64_t steps) { steps_ += steps; }

 private:
  Vm& vm_;
  int64_t steps_ = 0;
};

}  // namespace mangata
