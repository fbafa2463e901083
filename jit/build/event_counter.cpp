#include "jit/build/event_counter.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace mangata::jit {
namespace {

bool has_loops(const RegionInput& input) {
  return std::any_of(input.functions.begin(), input.functions.end(),
                     [](const auto& function) { return std::any_of(function->code.begin(), function->code.end(), is_backedge); });
}

}  // namespace

EventCounter::EventCounter(Writer& writer, RunningWalk& walk, const RegionInput& input, bool is_interim) : b_(writer), walk_(walk), input_(input) {
  counts_in_memory_ = input.is_function && !has_loops(input);
  if (is_interim && !input.is_function) upgrade_at_ = std::make_unique<uint64_t>(std::numeric_limits<uint64_t>::max());
}

void EventCounter::begin() {
  granted_ = b_.new_variable(IrType::I64);
  left_ = b_.new_variable(IrType::I64);
  const uint64_t iterations = input_.is_function && (!input_.counts_events || counts_in_memory_) ? 1 : 0;
  b_.set(granted_, b_.word(none() + iterations));
  b_.set(left_, b_.word(none()));
}

void EventCounter::count_own_call() {
  if (!input_.counts_events || !input_.is_function) return;
  walk_.state.uncounted_events = 1;
  walk_.state.reserved_events = counts_in_memory_ ? kReservedEvents - 1 : 0;
}

void EventCounter::end() {
  if (input_.counts_events && !counts_in_memory_) set_region_fuel(b_.add(region_fuel(), unused()));
  count_iterations();
}

/// Those since the region was entered.
void EventCounter::count_iterations() {
  IrValue all = b_.address_constant(iterations_.get());
  IrValue now = b_.sub(b_.get(granted_), b_.get(left_));
  b_.store(b_.add(b_.load(IrType::I64, all, Memory::Counts), now), all, Memory::Counts);
}

// --- events

IrValue EventCounter::nobody_asks() {
  static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
  constexpr auto kAsks = static_cast<uint16_t>(0xff | kLeaveToCountPaths << 8);
  IrValue asked = b_.load(IrType::I16, b_.at(b_.vm(), offsetof(Vm, interrupt)), 0, Memory::Any, true);
  if (input_.counts_events) asked = b_.bit_and(asked, b_.i16(kAsks));
  return b_.eq(asked, b_.i16(0));
}

IrValue EventCounter::region_fuel() { return b_.load(IrType::I64, b_.at(b_.vm(), offsetof(Vm, region_fuel)), Memory::Machine); }
void EventCounter::set_region_fuel(IrValue events) { b_.store(events, b_.at(b_.vm(), offsetof(Vm, region_fuel)), Memory::Machine); }
/// What `left_` holds where there are none: it is kReservedEvents less than there are, so that its sign tells whether there are enough.
uint64_t EventCounter::none() const { return input_.counts_events ? uint64_t{0} - kReservedEvents : 0; }

/// To reserve kReservedEvents, of those in memory, and so many besides.
IrValue EventCounter::is_enough(IrValue fuel, int besides) { return b_.sge(fuel, b_.word(static_cast<uint64_t>(kReservedEvents + besides))); }

/// Its own call is one of those that are reserved, or (where the next check counts it as one that has happened) one more.
IrValue EventCounter::is_enough_to_begin() { return is_enough(region_fuel(), counts_in_memory_ ? 0 : 1); }

EventCounter::Reserve EventCounter::reserve() {
  constexpr uint64_t kGranted = 256;
  IrValue uncounted = b_.word(static_cast<uint64_t>(walk_.state.uncounted_events));
  Block goes_on = b_.make_block("goes_on");
  Block leaves = b_.make_block("leaves");
  if (counts_in_memory_) {
    IrValue fuel = region_fuel();
    if (walk_.state.uncounted_events != 0) fuel = b_.sub(fuel, uncounted);
    b_.set_likely(b_.branch(b_.bit_and(nobody_asks(), is_enough(fuel)), goes_on, leaves), true);
  } else {
    Block used_up = b_.make_block("used_up");
    Block granted = b_.make_block("granted");
    IrValue left = b_.get(left_);
    b_.set_likely(b_.branch(b_.sge(left, uncounted), goes_on, used_up), true);
    b_.set_position(used_up);
    IrValue fuel = region_fuel();
    b_.set_likely(b_.branch(b_.bit_and(nobody_asks(), is_enough(fuel)), granted, leaves), true);
    b_.set_position(granted);
    IrValue taken = b_.select(b_.ult(fuel, b_.word(kGranted)), fuel, b_.word(kGranted));
    set_region_fuel(b_.sub(fuel, taken));
    b_.set(granted_, b_.add(b_.get(granted_), taken));
    b_.set(left_, b_.add(left, taken));
    b_.jump(goes_on);
  }
  walk_.state.reserved_events = kReservedEvents;
  return {goes_on, leaves};
}

void EventCounter::expect(State* state, int pc) const {
  constexpr int kFew = 8;
  if (!input_.counts_events) return;
  const std::vector<Instruction>& code = walk_.function().code;
  bool is_head = pc <= walk_.pc;
  for (size_t i = static_cast<size_t>(pc); i < code.size() && !is_head; ++i)
    is_head = is_backedge(code[i]) && static_cast<int>(i) + 1 + code[i].imm == pc;
  if (!is_head) {
    state->reserved_events -= state->reserved_events / 4;
  } else {
    state->uncounted_events = 0;
    if (state->reserved_events < kFew) state->reserved_events = kReservedEvents - kFew;
  }
}

void EventCounter::take() {
  if (!input_.counts_events) return;
  --walk_.state.reserved_events;
  ++walk_.state.uncounted_events;
}

void EventCounter::count(int uncounted) {
  const int counted = walk_.state.uncounted_events - uncounted;
  walk_.state.uncounted_events = uncounted;
  if (counted == 0) return;
  IrValue events = b_.word(static_cast<uint64_t>(counted));
  if (counts_in_memory_) return set_region_fuel(b_.sub(region_fuel(), events));
  b_.set(left_, b_.sub(b_.get(left_), events));
}

/// Of those granted.
IrValue EventCounter::unused() { return b_.sub(b_.get(left_), b_.word(none())); }

void EventCounter::give_back() {
  if (!input_.counts_events) return;
  count();
  walk_.state.reserved_events = 0;
  if (counts_in_memory_) return;
  set_region_fuel(b_.add(region_fuel(), unused()));
  look_soon();
}

// --- iterations

void EventCounter::grant(uint64_t iterations) {
  b_.set(granted_, b_.add(b_.get(granted_), b_.word(iterations)));
  b_.set(left_, b_.word(iterations));
}

void EventCounter::use_one() { b_.set(left_, b_.sub(b_.get(left_), b_.word(1))); }

void EventCounter::look_soon() {
  IrValue left = b_.get(left_);
  IrValue used = b_.sub(b_.get(granted_), left);
  b_.set(granted_, input_.counts_events ? b_.add(used, b_.word(none())) : used);
  b_.set(left_, b_.word(none()));
}

IrValue EventCounter::is_before_upgrade() {
  IrValue now = b_.add(b_.load(IrType::I64, b_.address_constant(iterations_.get()), Memory::Counts), b_.get(granted_));
  IrValue limit = b_.load(IrType::I64, b_.address_constant(upgrade_at_.get()), Memory::Counts);
  return b_.ult(now, limit);
}

}  // namespace mangata::jit
