// What following a decision will cost, before it is done.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/tiering/policy.h"

namespace mangata {

struct PredictedCost {
  uint64_t code_bytes = 0;  ///< of new machine code; 0: none is expected
  double milliseconds = 0;  ///< of compiling
  double slowdown = 0;      ///< share by which the function is slower while it is counted
};

/// Of compiling code with so many instructions, those that count included.
PredictedCost predict_compiling(size_t instructions);

/// Of counting as the decision says: its PredictedCost::slowdown.
double predict_counting(const Decision& decision);

}  // namespace mangata
