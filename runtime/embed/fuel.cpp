#include "runtime/embed/fuel.h"

#include "runtime/embed/core.h"
#include "vm/bytecode/proto.h"
#include "vm/heap/collector.h"

namespace mangata::abi {

void FuelMeter::fill(uint64_t fuel) {
  is_limited_ = fuel != 0;
  left_ = fuel;
  core_.vm->leave_regions_for(kLeaveToSpendFuel, is_limited_);
  if (!is_limited_) return;
  for (Proto* proto : core_.vm->heap.collector().protos) cut(*proto);
}

void FuelMeter::cut(Proto& proto) {
  const auto [place, is_new] = functions_.try_emplace(&proto);
  if (!is_new) return;
  cut(&proto.entry_countdown, &place->second.entry);
  cut(&proto.loop_countdown, &place->second.loop);
}

void FuelMeter::charge(int64_t events) {
  if (!is_limited_) return;
  const auto spent = static_cast<uint64_t>(events);
  if (spent < left_) {
    left_ -= spent;
    return;
  }
  left_ = 0;
  ErrorKind none = ErrorKind::None;
  core_.watched.requested.compare_exchange_strong(none, ErrorKind::Fuel);
  core_.vm->request_interrupt();
}

void FuelMeter::cut(int32_t* countdown, Countdown* its) {
  its->rest = 0;
  if (*countdown > kSlice) {
    its->rest = *countdown == INT32_MAX ? INT32_MAX : *countdown - kSlice;  // INT32_MAX: never
    *countdown = kSlice;
  }
  its->slice = *countdown + 1;
}

bool FuelMeter::goes_on(int32_t* countdown, Countdown* its) {
  charge(its->slice);
  if (its->rest == 0) return false;
  *countdown = its->rest;
  cut(countdown, its);
  return true;
}

void FuelMeter::proto_created(Proto& proto) {
  engine_.proto_created(proto);
  if (is_limited_) cut(proto);
}

void FuelMeter::proto_destroyed(Proto& proto) {
  functions_.erase(&proto);
  engine_.proto_destroyed(proto);
}

void FuelMeter::function_is_hot(Proto& proto) {
  const auto found = functions_.find(&proto);
  if (found == functions_.end()) return engine_.function_is_hot(proto);
  Function& function = found->second;
  if (goes_on(&proto.entry_countdown, &function.entry)) return;
  const int32_t loop = proto.loop_countdown;
  engine_.function_is_hot(proto);
  cut(&proto.entry_countdown, &function.entry);
  if (proto.loop_countdown != loop) cut(&proto.loop_countdown, &function.loop);
}

void FuelMeter::loop_is_hot(Proto& proto) {
  const auto found = functions_.find(&proto);
  if (found == functions_.end()) return engine_.loop_is_hot(proto);
  Function& function = found->second;
  if (goes_on(&proto.loop_countdown, &function.loop)) return;
  const int32_t entry = proto.entry_countdown;
  engine_.loop_is_hot(proto);
  cut(&proto.loop_countdown, &function.loop);
  if (proto.entry_countdown != entry) cut(&proto.entry_countdown, &function.entry);
}

void FuelMeter::sample_is_due(Proto& proto, int32_t events) {
  engine_.sample_is_due(proto, events);
  charge(events);
}

}  // namespace mangata::abi
