// What a run wants of its tiers. Options of the command line say it (runtime/options/tier_settings.cpp), and hosts by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "jit/region/region_settings.h"
#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/policy.h"
#include "runtime/tiering/stress.h"

namespace mangata {

struct TierSettings {
  /// What is counted of the whole program, exactly: then policies decide about machine code only.
  enum class Counted : uint8_t {
    Nothing,
    Paths,
    Edges,
    Lines  ///< coverage
  };

  std::shared_ptr<Policy> policy;  ///< not null
  StressSpec stress;            ///< what changes at random, for tests
  LogOptions log;               ///< what is told of decisions
  jit::RegionSettings regions;  ///< how optimized code comes into being
  Counted counted = Counted::Nothing;
  bool reports_samples = false;     ///< what policies have counted is reported, so nothing is optimized, where nothing is sampled
  bool counts_allocations = false;  ///< what paths allocate is counted, which optimized code does not tell
  bool dumps_regions = false;       ///< on stdout, as `regions` has their text
  bool interruptible = false;       ///< machine code polls at calls, too: recursion can be stopped soon
  size_t max_code_bytes = size_t{64} << 20;  ///< of machine code
  // Who is told of machine code: jit/observers
  bool perf_map = false;
  bool jitdump = false;
  bool gdb = false;
};

}  // namespace mangata
