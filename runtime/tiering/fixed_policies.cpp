// Policies that decide once.
#include <algorithm>

#include "jit/region/region_settings.h"
#include "runtime/tiering/built_in_policies.h"
#include "runtime/tiering/policy_parameters.h"

namespace mangata {
namespace {

/// Everything stays in the interpreter.
class InterpreterPolicy : public Policy {
 public:
  bool compiles() const override { return false; }
  void first(Decision* decision) override { decision->entry = decision->loop = MANGATA_NEVER; }
  void decide(const ProfileSnapshot&, Decision* decision) override { give_reason(decision, "nothing is compiled"); }
};

/// A function is compiled when it has been called `entry` times, or its loops have gone back `loop` times. Compiling costs about as
/// much as interpreting a function's code some dozen times.
class CounterPolicy : public Policy {
 public:
  CounterPolicy(int32_t entry, int32_t loop) : entry_(entry), loop_(loop) {}
  void first(Decision* decision) override {
    decision->entry = entry_;
    decision->loop = loop_;
  }
  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    decision->tier = MANGATA_BASELINE;
    give_reason(decision, snapshot.occasion == MANGATA_ASKED_CALLS ? "called " + std::to_string(entry_) + " times"
                                                                   : "went back " + std::to_string(loop_) + " times");
  }

 private:
  int32_t entry_, loop_;
};

/// Machine code from the first call, and at once the deepest profile: paths over two iterations.
class EagerPolicy : public Policy {
 public:
  bool samples() const override { return true; }
  void first(Decision* decision) override { decision->entry = decision->loop = 0; }
  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    decision->tier = MANGATA_BASELINE;
    decision->profile = MANGATA_PROFILE_ITERATIONS;
    for (uint32_t i = 0; i < snapshot.loop_count; ++i) decision->loop_k[i] = snapshot.loops[i].is_innermost != 0 ? 2 : 1;
    give_reason(decision, "at the first call");
  }
};

/// Optimized code at the first chance: paths over k iterations are counted from the first call, and loops optimized soon after.
class OptimizerPolicy : public Policy {
 public:
  OptimizerPolicy(int32_t warm, int32_t k) : warm_(warm), k_(k) {}
  bool samples() const override { return true; }
  bool optimizes() const override { return true; }
  int32_t sample_period() const override { return std::clamp(warm_ / 4, 16, kSamplePeriod); }
  void first(Decision* decision) override { decision->entry = decision->loop = 0; }
  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    decision->tier = MANGATA_BASELINE;
    if (snapshot.asked == 0) {
      decision->profile = k_ < 2 ? MANGATA_PROFILE_PATHS : MANGATA_PROFILE_ITERATIONS;
      for (uint32_t i = 0; i < snapshot.loop_count; ++i) decision->loop_k[i] = static_cast<uint8_t>(snapshot.loops[i].is_innermost != 0 ? k_ : 1);
      decision->sample = warm_;
      give_reason(decision, "counts paths");
      return;
    }
    decision->tier = MANGATA_OPTIMIZED;
    decision->profile = MANGATA_PROFILE_NONE;
    give_reason(decision, "paths were counted");
  }

 private:
  int32_t warm_, k_;
};

}  // namespace

std::unique_ptr<Policy> make_optimizer_policy(std::string_view parameters, jit::RegionSettings& regions, std::string* error) {
  int32_t warm = 2000, k = 2, record = 12000;
  if (!parse_parameters(parameters, {{"warm", &warm}, {"k", &k}, {"record", &record}}, error)) return nullptr;
  regions.checks_profitability = false;
  regions.recorded = static_cast<uint64_t>(record);
  return std::make_unique<OptimizerPolicy>(warm, k);
}

std::unique_ptr<Policy> make_interpreter_policy(std::string_view parameters, jit::RegionSettings&, std::string* error) {
  return parse_parameters(parameters, {}, error) ? std::make_unique<InterpreterPolicy>() : nullptr;
}

std::unique_ptr<Policy> make_baseline_policy(std::string_view parameters, jit::RegionSettings&, std::string* error) {
  return parse_parameters(parameters, {}, error) ? std::make_unique<CounterPolicy>(0, 0) : nullptr;
}

std::unique_ptr<Policy> make_eager_policy(std::string_view parameters, jit::RegionSettings&, std::string* error) {
  return parse_parameters(parameters, {}, error) ? std::make_unique<EagerPolicy>() : nullptr;
}

std::unique_ptr<Policy> make_counter_policy(std::string_view parameters, jit::RegionSettings&, std::string* error) {
  int32_t entry = 20, loop = 60;
  if (!parse_parameters(parameters, {{"entry", &entry}, {"loop", &loop}}, error)) return nullptr;
  return std::make_unique<CounterPolicy>(entry, loop);
}

}  // namespace mangata
