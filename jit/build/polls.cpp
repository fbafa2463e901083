#include "jit/build/polls.h"

namespace mangata::jit {

void Polls::poll(int pc) {
  if (input_.counts_events) return leave_now_and_then(pc);  // reserve() has looked
  constexpr uint64_t kGranted = 256;
  static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
  Block used_up = b_.make_block("used_up");
  Block granted = b_.make_block("granted");
  Block goes_on = b_.make_block("goes_on");
  Block leaves = b_.make_block("leaves");
  b_.set_likely(b_.branch(events_.has_none_left(), used_up, goes_on), false);
  b_.set_position(used_up);
  IrValue asked = b_.load(IrType::I16, b_.at(b_.vm(), offsetof(Vm, interrupt)), 0, Memory::Any, true);
  b_.set_likely(b_.branch(b_.eq(asked, b_.i16(0)), granted, leaves), true);
  b_.set_position(granted);
  if (events_.may_be_upgraded()) leave_for_upgrade(pc);
  events_.grant(kGranted);
  b_.jump(goes_on);
  b_.set_position(goes_on);
  events_.use_one();
  leave_now_and_then(pc);
  b_.write_in(leaves, [&] { exits_.emit(pc, ExitSite::Why::Other); });
}

/// All iterations that were granted have been used.
void Polls::leave_for_upgrade(int pc) {
  Block stays = b_.make_block("stays");
  Block leaves = b_.make_block("leaves");
  b_.set_likely(b_.branch(events_.is_before_upgrade(), stays, leaves), true);
  b_.set_position(leaves);
  exits_.emit(pc, ExitSite::Why::Upgrade);
  b_.set_position(stays);
}

/// For tests.
void Polls::leave_now_and_then(int pc) {
  if (input_.leave_every == 0) return;
  Block stays = b_.make_block("stays");
  Block leaves = b_.make_block("leaves");
  b_.branch(failures_.now_and_then(b_.boolean(true), input_.leave_every), stays, leaves);
  b_.set_position(leaves);
  exits_.emit(pc, ExitSite::Why::Other);
  b_.set_position(stays);
}

void Polls::reserve(int pc) {
  const EventCounter::Reserve reserve = events_.reserve();
  b_.set_position(reserve.leaves);
  exits_.emit(pc, ExitSite::Why::Other);
  b_.set_position(reserve.goes_on);
}

}  // namespace mangata::jit
