// What tiering knows of each function that was asked about.
//
// Each part of a state has one owner, which alone changes it; the others read.
// Read next: asker.h, region_scheduler.h, tier_manager.h.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "profiler/sampled_function.h"
#include "profiler/sampling_plan.h"
#include "runtime/tiering/policy.h"

namespace mangata {

struct Proto;

struct FunctionState {
  // Of TierManager: what was decided, and what is installed
  Decision decision = {};    ///< the last one
  uint32_t asked = 0;        ///< decisions so far
  uint32_t versions = 0;     ///< of the bytecode that were made
  SamplingPlan plan = {};    ///< installed
  uint32_t generation = 0;   ///< of preferred paths
  bool is_off = false;       ///< jit.off(function)
  SampledFunction* sampled = nullptr;  ///< its counters; null: snapshots do not need them
  uint64_t credit = 0;       ///< events in machine code since the last decision
  uint64_t logged_at_clock = 0;  ///< when a decision was logged last
  double logged_at_milliseconds = 0;

  // Of RegionScheduler
  struct Regions {
    uint32_t invalidated = 0;       ///< regions that were left too often
    bool was_recorded = false;      ///< or shall not be recorded because a function that it calls is
    uint64_t profitable_after = 0;  ///< calls and backedges from which a region pays that was asked for; 0: there is none
  };
  Regions regions = {};
};

class FunctionTable {
 public:
  /// The state of `proto`, made when there is none. References stay valid until it is forgotten.
  FunctionState& operator[](const Proto& proto) { return states_[&proto]; }
  /// Null: nobody has asked about `proto`.
  FunctionState* find(const Proto& proto) {
    const auto found = states_.find(&proto);
    return found == states_.end() ? nullptr : &found->second;
  }
  void forget(const Proto& proto) { states_.erase(&proto); }

  /// jit.on(), jit.off(): whether anything may be compiled.
  bool is_on() const { return is_on_; }
  void turn(bool on) { is_on_ = on; }
  bool may_compile(const FunctionState& function) const { return is_on_ && !function.is_off; }

 private:
  std::unordered_map<const Proto*, FunctionState> states_;
  bool is_on_ = true;
};

}  // namespace mangata
