// What is counted in a function whose profile may change its kind while the program runs.
#pragma once

#include <cstdint>
#include <vector>

namespace mangata {

struct SamplingPlan {
  enum class Mode : uint8_t {
    None,
    Paths,         ///< acyclic [Ball & Larus 1996]
    Iterations,    ///< over `iterations` of the innermost loops
    Preferential,  ///< the hottest paths found so far through a compact table; all others are residual
  };
  Mode mode = Mode::None;
  std::vector<uint8_t> iterations;  ///< k per loop (row of LoopForest::find); missing ones are 1
  uint32_t generation = 0;          ///< with Preferential: which set of hottest paths

  friend bool operator==(const SamplingPlan&, const SamplingPlan&) = default;
};

}  // namespace mangata
