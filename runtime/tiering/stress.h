// --stress=KIND: tiers and profiles that change at random, for tests. None may change what a program does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/tiering/policy.h"

namespace mangata {

struct StressSpec {
  /// Resume: compiled frames go on in the interpreter after every runtime call, and return at the next backedge or call.
  /// Schedule: functions are compiled after a random number of calls and iterations; frames change tier at random.
  enum class Kind : unsigned char {
    None,
    Resume,
#define STRESS(kind, word, what) kind,
#include "runtime/tiering/stress_kinds.def"
  };
  Kind kind = Kind::None;
  uint64_t seed = 0;
  bool runs_passes = true;    ///< false ("SEED,O0"): regions are compiled in a third of the time
  uint32_t leave_period = 0;  ///< frames leave compiled code after one of so many runtime calls; 0: never
};

bool parse_stress(std::string_view text, StressSpec* spec, std::string* error);

/// The policy that takes the place of the one asked for; null for StressSpec::Kind::None.
std::unique_ptr<Policy> make_stress_policy(const StressSpec& spec);
/// Has regions recorded, compiled and left as `spec` wants.
void set_regions(const StressSpec& spec, jit::RegionSettings* regions);

}  // namespace mangata
