// For native functions that may take long: they let interrupts happen, and say how much they have done.
#pragma once

#include <utility>

#include "vm/interpreter/slow_paths.h"
#include "vm/vm.h"

namespace mangata {

/// How many steps a native function may do without a poll: some ten microseconds.
inline constexpr int64_t kNativePollPeriod = 1 << 14;

/// Work that was done. A unit is some nanoseconds, as an iteration of an empty loop, or at most twenty times as long: 16 bytes that are
/// copied, a comparison, a value that is pushed. The counted work has to be the same in every tier, so functions that tiers have inline
/// code for (vm/intrinsics.def) charge nothing where that code does their work. What is too much ends the program at the next event, so
/// that this may be called anywhere; optimized code has given back the events that it has not used (jit/build/event_counter.h).
inline void charge_native(Vm& vm, int64_t work) {
  if (vm.embedder != nullptr) [[unlikely]]
    vm.hooks->native_worked(work);  // others limit no fuel
}

/// Charged where some tiers do little work inline, and only much of it in code that all share: what is less is free everywhere.
inline void charge_if_much(Vm& vm, int64_t work) {
  constexpr int64_t kLeastCharge = 16;
  if (work >= kLeastCharge) charge_native(vm, work);
}

/// The same, where a limit is noticed at once.
inline void charge_at_poll(Vm& vm, int64_t work) {
  if (vm.embedder == nullptr) return;
  vm.hooks->native_worked(work);
  vm.hooks->events_interpreted();  // they are all looked at
}

/// A safepoint only in that it may raise; no Lua code runs.
inline Status poll_native(Vm& vm, int64_t work) {
  charge_at_poll(vm, work);
  if (vm.interrupt.load(std::memory_order_relaxed)) [[unlikely]]
    return handle_interrupt(vm);
  return {};
}

/// What the text of a number takes to be made.
inline void charge_number_text(Vm& vm, Value number) {
  constexpr int64_t kWorkOfInteger = 4, kWorkOfFloat = 10;
  charge_native(vm, number.is_integer() ? kWorkOfInteger : kWorkOfFloat);
}

/// What asking the system takes.
inline constexpr int64_t kWorkOfSystemCall = 100;

/// Bytes that were copied or compared as a block.
inline void charge_bytes(Vm& vm, size_t bytes) { charge_if_much(vm, static_cast<int64_t>(bytes >> 4)); }

/// Steps of a loop, of which some take a unit: a poll every kNativePollPeriod of them, and the rest charged at the end.
class PolledSteps {
 public:
  explicit PolledSteps(Vm& vm) : vm_(vm) {}
  PolledSteps(const PolledSteps&) = delete;
  PolledSteps& operator=(const PolledSteps&) = delete;
  ~PolledSteps() { charge_native(vm_, steps_); }
  /// May poll, which raises when the host stops the program or fuel is spent.
  Status add(int64_t steps = 1) {
    steps_ += steps;
    if (steps_ < kNativePollPeriod) [[likely]]
      return {};
    return poll_native(vm_, std::exchange(steps_, 0));
  }
  /// Steps whose poll can wait.
  void note(int64_t steps) { steps_ += steps; }

 private:
  Vm& vm_;
  int64_t steps_ = 0;
};

}  // namespace mangata
