// Events while a region runs: calls and backedges where fuel is limited, and iterations everywhere.
//
// [DESIGN] Backedges use up iterations that were granted; when none are left, somebody looks whether attention is asked for. So iterations
// are counted, too (RegionCode::iterations). Where fuel is limited (vm/event_countdown.h), calls and backedges are counted, each before it
// happens.
//
// A region takes some events at a time off Vm::region_fuel, as iterations are granted otherwise, and counts them
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
#pragma once

#include <memory>

#include "jit/build/running_walk.h"
#include "jit/build/writer.h"
#include "jit/region/region_input.h"

namespace mangata::jit {

class EventCounter {
 public:
  /// `is_interim`: a loop is left when it has run for long enough.
  EventCounter(Writer& writer, RunningWalk& walk, const RegionInput& input, bool is_interim);

  /// At the start of the region, before anything else.
  void begin();
  /// Behind the checks of its entry: of a function, its own call.
  void count_own_call();
  /// Before the generated function returns.
  void end();

  // --- events: nothing is written where fuel is not limited
  /// Whether the next one has to be reserved first.
  bool needs_reserve() const { return input_.counts_events && walk_.state.reserved_events == 0; }
  struct Reserve {
    Block goes_on;  ///< with kReservedEvents at least
    Block leaves;   ///< has to
  };
  /// Makes sure of kReservedEvents. What is written next belongs to one of the two blocks.
  Reserve reserve();
  /// One that was reserved happens.
  void take();
  /// Those that have happened, but for some.
  void count(int uncounted = 0);
  /// What a new version of the code at `pc` of the running function counts on, with what there is now. Heads of loops are entered with all
  /// counted.
  void expect(State* state, int pc) const;
  /// Before others count.
  void give_back();
  /// Whether there are enough to begin at all.
  IrValue is_enough_to_begin();
  /// Whether nobody has asked for attention. That fuel is limited is no reason to leave where events are counted.
  IrValue nobody_asks();

  // --- iterations, where fuel is not limited
  IrValue has_none_left() { return b_.eq(b_.get(left_), b_.word(0)); }
  /// When none are left: so many more.
  void grant(uint64_t iterations);
  /// One happens.
  void use_one();
  /// What was called may have asked for attention: somebody is to look soon.
  void look_soon();
  bool may_be_upgraded() const { return upgrade_at_ != nullptr; }
  /// Whether the region has not run for long enough yet. All that were granted have been used.
  IrValue is_before_upgrade();

  std::unique_ptr<uint64_t> take_iterations() { return std::move(iterations_); }
  /// Null: it is no interim form of a loop.
  std::unique_ptr<uint64_t> take_upgrade_at() { return std::move(upgrade_at_); }

 private:
  IrValue region_fuel();
  void set_region_fuel(IrValue events);
  IrValue is_enough(IrValue fuel, int besides = 0);
  IrValue unused();
  uint64_t none() const;
  void count_iterations();

  Writer& b_;
  RunningWalk& walk_;
  const RegionInput& input_;
  bool counts_in_memory_ = false;  ///< events; otherwise they are counted like iterations
  ir::Variable granted_;           ///< since the region was entered,
  ir::Variable left_;              ///< and those of them that have not been used; both from none() on
  std::unique_ptr<uint64_t> iterations_ = std::make_unique<uint64_t>(0);
  std::unique_ptr<uint64_t> upgrade_at_;
};

}  // namespace mangata::jit
