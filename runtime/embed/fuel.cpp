#include "runtime/embed/fuel.h"

#include <algorithm>
#include <utility>

#include "runtime/embed/core.h"
#include "runtime/tiering/tier_manager.h"

namespace mangata::abi {
namespace {

/// Of what is left, for the interpreter, machine code and native functions; regions get half, for to be left without need is dear.
constexpr uint64_t kSmallShare = 6;

int32_t small_share_of(uint64_t left, int32_t most) {
  return static_cast<int32_t>(std::min<uint64_t>(left / kSmallShare, static_cast<uint64_t>(most)));
}

}  // namespace

void FuelMeter::fill(uint64_t fuel) {
  Vm& vm = *core_.vm;
  const bool is_requested = vm.interrupt.load(std::memory_order_relaxed);
  if (is_requested) vm.forget_request();  // countdowns have to mean something
  is_limited_ = fuel != 0;
  left_ = fuel;
  vm.leave_regions_for(kLeaveToSpendFuel, is_limited_);
  if (is_limited_) {
    core_.engine->tiers().count_events_in_regions();
    begin_counting();
    share();
  } else {
    vm.region_fuel = Vm::kUnlimitedFuel;
    vm.interpreter_events.arm(Vm::kInterpreterPeriod);
  }
  if (is_requested) vm.request_interrupt();
}

void FuelMeter::begin_counting() {
  interpreted_ = core_.vm->interpreter_events.count();
  in_machine_code_ = told_ = core_.vm->machine_events.count();
  native_work_ = 0;
}

/// Takes off what has been spent since the last time, and shares out the rest.
void FuelMeter::charge() {
  Vm& vm = *core_.vm;
  if (vm.interrupt.load(std::memory_order_relaxed)) return;  // it is about to stop, and countdowns mean nothing
  const uint64_t interpreted = vm.interpreter_events.count(), in_machine_code = vm.machine_events.count();
  const auto spent = static_cast<int64_t>(interpreted - interpreted_ + in_machine_code - in_machine_code_ + of_regions_ - vm.region_fuel) +
                     std::exchange(native_work_, 0);
  interpreted_ = interpreted;
  in_machine_code_ = in_machine_code;
  const bool is_enough = spent <= 0 || static_cast<uint64_t>(spent) <= left_;
  left_ = is_enough ? left_ - static_cast<uint64_t>(spent) : 0;
  share();
  if (is_enough) return;
  ErrorKind none = ErrorKind::None;
  core_.watched.requested.compare_exchange_strong(none, ErrorKind::Fuel);
  vm.request_interrupt();
}

/// The next event, in any tier, is looked at before it happens.
void FuelMeter::ask_soon() {
  Vm& vm = *core_.vm;
  if (vm.interrupt.load(std::memory_order_relaxed)) return;  // as it is
  vm.interpreter_events.arm(0);
  vm.machine_events.arm(0);
  of_regions_ -= std::exchange(vm.region_fuel, 0);
}

void FuelMeter::share() {
  Vm& vm = *core_.vm;
  vm.interpreter_events.arm(small_share_of(left_, Vm::kInterpreterPeriod));
  // The engine wants to hear from machine code by then.
  vm.machine_events.arm(small_share_of(left_, vm.machine_events.left.load(std::memory_order_relaxed)));
  share_of_native_work_ = static_cast<int64_t>(left_ / kSmallShare);
  of_regions_ = vm.region_fuel = left_ / 2;
}

uint64_t FuelMeter::left() {
  if (is_limited_) charge();
  return left_;
}

/// The engine hears of as many events as there have been, in portions that are small near the end.
void FuelMeter::sample_is_due(Proto& proto, int32_t events) {
  if (!is_limited_) return engine_.sample_is_due(proto, events);
  const uint64_t all = core_.vm->machine_events.count();
  const auto untold = static_cast<int64_t>(all - told_);
  told_ = all;
  engine_.sample_is_due(proto, static_cast<int32_t>(std::clamp<int64_t>(untold, 1, INT32_MAX)));
  charge();
}

}  // namespace mangata::abi
