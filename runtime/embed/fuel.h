// Fuel: a limit of the events of a program, which are counted anyway.
//
// [DESIGN] Events are calls of Lua functions and backedges (vm/event_countdown.h); a unit of work of native functions (vm/poll.h) counts
// as one. What is left of the fuel is shared out: the interpreter, machine code, regions and native functions each get a part that they may
// spend unseen. Who has spent his part asks, native functions by taking the other parts away, so that the next event asks; then all is
// counted, and shared out again. Near the end the parts are 0, so that each event asks. So no event happens beyond the limit, and a
// program stops at the same one in every tier.
#pragma once

#include "vm/tier_hooks.h"
#include "vm/vm.h"

namespace mangata::abi {

struct Core;

class FuelMeter : public TierHooks {
 public:
  FuelMeter(Core& core, TierHooks& engine) : core_(core), engine_(engine) {}

  /// 0: unlimited.
  void fill(uint64_t fuel);
  uint64_t left();

  void proto_created(Proto& proto) override { engine_.proto_created(proto); }
  void proto_destroyed(Proto& proto) override { engine_.proto_destroyed(proto); }
  void path_cut(Proto& proto, const mangata::Value* base) override { engine_.path_cut(proto, base); }
  void function_is_hot(Proto& proto) override { engine_.function_is_hot(proto); }
  void loop_is_hot(Proto& proto) override { engine_.loop_is_hot(proto); }
  void sample_is_due(Proto& proto, int32_t events) override;
  void region_is_left(Proto& proto) override { engine_.region_is_left(proto); }
  void events_interpreted() override {
    if (is_limited_) charge();
  }
  void recording_ended(Proto& proto) override { engine_.recording_ended(proto); }
  void native_worked(int64_t work) override {
    native_work_ += work;
    if (native_work_ > share_of_native_work_ && is_limited_) ask_soon();
  }
  void process_exiting(Vm& vm) override { engine_.process_exiting(vm); }

 private:
  void begin_counting();
  void charge();
  void ask_soon();
  void share();

  Core& core_;
  TierHooks& engine_;
  bool is_limited_ = false;
  uint64_t left_ = 0;
  uint64_t interpreted_ = 0;  ///< events of each kind that have been taken off
  uint64_t in_machine_code_ = 0;
  int64_t native_work_ = 0;   ///< units that have not been taken off
  int64_t share_of_native_work_ = 0;
  uint64_t of_regions_ = 0;   ///< Vm::region_fuel then
  uint64_t told_ = 0;         ///< events of machine code that the engine has heard of
};

}  // namespace mangata::abi
