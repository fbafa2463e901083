// Where fuel is limited: calls and backedges (vm/event_countdown.h) are counted, each before it happens.
//
// [DESIGN] A region takes some events at a time off Vm::region_fuel, as iterations are granted otherwise (Lowering::poll), and counts them
// down in a register. It gives back what it has not used where it ends, and before each runtime call: whoever runs there may count or
// limit all. Where there are not so many left, the region leaves before the instruction, whose event baseline code then counts.
//
// What is known while code is generated costs nothing when it runs. State::reserved_events says how many may happen yet without a look:
// a check makes sure of kReservedEvents, and versions of code (enter_version) count on what came with the first who entered them, so that
// an iteration with all calls that are inlined has one check, at its backedge, and copies of an iteration have one together.
// State::uncounted_events says how many have happened since the register was brought up to date, which is done at heads of loops, at
// returns and before runtime calls; of those that leave otherwise, ExitSite::events tells complete_exit(), so that nothing is computed for
// exits that are not taken. Checks of backedges are not shared: what merges before a head is one loop, where there could be one within
// another, with what is invariant in it moved out (`dfa` then takes 1.6 times as long). Nor are portions granted by a function that is
// called: as a call it is in the way of LLVM, and of registers of floats (`dfa` 2.3, `julia_sets` 1.7).
//
// A function without loops counts in memory: it calls more than it goes back, and has nothing to give back. Where a function is not
// entered, complete_exit() counts its call.
#include <utility>

#include "jit/build/lowering.h"

namespace mangata::jit {

/// Whether nobody has asked for attention. That fuel is limited is no reason to leave where events are counted.
ir::Value Lowering::nobody_asks() {
  static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
  constexpr auto kAsks = static_cast<uint16_t>(0xff | kLeaveToCountPaths << 8);
  IrValue asked = b_.load(IrType::I16, b_.at(b_.vm(), offsetof(Vm, interrupt)), 0, Memory::Any, true);
  if (input_.counts_events) asked = b_.bit_and(asked, b_.i16(kAsks));
  return b_.eq(asked, b_.i16(0));
}

ir::Value Lowering::region_fuel() { return b_.load(IrType::I64, b_.at(b_.vm(), offsetof(Vm, region_fuel)), Memory::Machine); }
void Lowering::set_region_fuel(IrValue events) { b_.store(events, b_.at(b_.vm(), offsetof(Vm, region_fuel)), Memory::Machine); }
/// What `left_` holds where there are none: it is kReservedEvents less than there are, so that its sign tells whether there are enough.
uint64_t Lowering::no_events() const { return input_.counts_events ? uint64_t{0} - kReservedEvents : 0; }

/// To reserve kReservedEvents, of those in memory.
ir::Value Lowering::is_enough(IrValue fuel) { return b_.sge(fuel, b_.word(kReservedEvents)); }

/// Goes on with kReservedEvents at least, or else leaves to `pc` of the running function.
void Lowering::reserve_events(int pc) {
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
  b_.set_position(leaves);
  emit_exit(pc, ExitSite::Why::Other);
  b_.set_position(goes_on);
  walk_.state.reserved_events = kReservedEvents;
}

/// The running instruction, which has had no effect yet, may be a backedge, or a call that is inlined.
void Lowering::reserve_event() {
  if (input_.counts_events && walk_.state.reserved_events == 0) reserve_events(walk_.pc);
}

/// What a new version of the code at `pc` counts on, with what there is now. Heads of loops are entered with all counted.
void Lowering::expect_events(State* state, int pc) const {
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

/// Where the walk enters it, with its values.
ir::BlockId Lowering::entrance(Version& version, int pc) {
  if (walk_.state.reserved_events >= version.state.reserved_events) return version.block;
  if (pc <= walk_.pc) return reserve_events(pc), version.block;
  if (!version.reserves) {
    version.reserves = b_.make_block("reserves");
    const Block resume = b_.position();
    State state = std::move(walk_.state);
    walk_.state = version.state;
    b_.set_position(version.reserves);
    reserve_events(pc);
    b_.jump(version.block);
    walk_.state = std::move(state);
    b_.set_position(resume);
  }
  return version.reserves;
}

/// One that was reserved happens.
void Lowering::take_event() {
  if (!input_.counts_events) return;
  --walk_.state.reserved_events;
  ++walk_.state.uncounted_events;
}

/// Those that have happened, but for some.
void Lowering::count_events(int uncounted) {
  const int counted = walk_.state.uncounted_events - uncounted;
  walk_.state.uncounted_events = uncounted;
  if (counted == 0) return;
  IrValue events = b_.word(static_cast<uint64_t>(counted));
  if (counts_in_memory_) return set_region_fuel(b_.sub(region_fuel(), events));
  b_.set(left_, b_.sub(b_.get(left_), events));
}

/// Of those granted.
ir::Value Lowering::unused() { return b_.sub(b_.get(left_), b_.word(no_events())); }

/// Before others count.
void Lowering::give_back_events() {
  if (!input_.counts_events) return;
  count_events();
  walk_.state.reserved_events = 0;
  if (counts_in_memory_) return;
  set_region_fuel(b_.add(region_fuel(), unused()));
  poll_soon();
}

/// The generated function returns.
void Lowering::end_events() {
  if (input_.counts_events && !counts_in_memory_) set_region_fuel(b_.add(region_fuel(), unused()));
  count_rounds();
}

/// It is entered.
void Lowering::count_own_call() {
  if (!input_.counts_events || !input_.is_function) return;
  walk_.state.uncounted_events = 1;
  walk_.state.reserved_events = counts_in_memory_ ? kReservedEvents - 1 : 0;
}

}  // namespace mangata::jit
