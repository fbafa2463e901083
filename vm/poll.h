// For native functions that may take long: they let interrupts happen, and say how much they have done.
#pragma once

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

}  // namespace mangata
