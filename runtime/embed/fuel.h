// Fuel: hears what the engine hears, and charges it.
//
// [DESIGN] Nothing is counted that is not counted anyway. Machine code counts calls and backedges down between two polls, and the
// interpreter per function until it asks the engine; countdowns of the interpreter are cut into slices so that it asks often
// enough. The engine notices nothing: a slice that is not the last one is charged and not passed on. So fuel is charged late, by a
// slice of each function that is interpreted and by one poll period of machine code, and always the same for the same program.
#pragma once

#include <unordered_map>

#include "vm/tier_hooks.h"
#include "vm/vm.h"

namespace mangata::abi {

struct Core;

class FuelMeter : public TierHooks {
 public:
  FuelMeter(Core& core, TierHooks& engine) : core_(core), engine_(engine) {}

  /// 0: unlimited.
  void fill(uint64_t fuel);
  uint64_t left() const { return left_; }

  void proto_created(Proto& proto) override;
  void proto_destroyed(Proto& proto) override;
  void path_cut(Proto& proto, const mangata::Value* base) override { engine_.path_cut(proto, base); }
  void function_is_hot(Proto& proto) override;
  void loop_is_hot(Proto& proto) override;
  void sample_is_due(Proto& proto, int32_t events) override;
  void instruction_starts(Thread& thread, Proto& proto, int original_pc) override {
    engine_.instruction_starts(thread, proto, original_pc);
  }
  void native_worked(int64_t work) override { charge(work); }
  void process_exiting(Vm& vm) override { engine_.process_exiting(vm); }

 private:
  static constexpr int32_t kSlice = 1000;
  /// A countdown of the interpreter: what runs now, and what is left of the engine's.
  struct Countdown {
    int32_t slice = 0;
    int32_t rest = 0;
  };
  struct Function {
    Countdown entry, loop;
  };

  void charge(int64_t events);
  void cut(Proto& proto);
  static void cut(int32_t* countdown, Countdown* its);
  /// A slice has ended. True: it was not the last one.
  bool goes_on(int32_t* countdown, Countdown* its);

  Core& core_;
  TierHooks& engine_;
  bool is_limited_ = false;
  uint64_t left_ = 0;
  std::unordered_map<const Proto*, Function> functions_;
};

}  // namespace mangata::abi
