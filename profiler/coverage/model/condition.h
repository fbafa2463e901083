// A condition of a source, and which of its outcomes came about.
//
// Read next: profiler/coverage/conditions.h (where conditions come from).
#pragma once

#include <array>
#include <cstdint>

#include "profiler/outcome.h"

namespace mangata::coverage {

struct Condition {
  int32_t line = 0;  ///< of its first byte
  std::array<Outcome, 2> outcomes{};  ///< true or going on first
  std::array<uint64_t, 2> counts{};  ///< by index of `outcomes`

  uint64_t reached() const { return counts[0] + counts[1]; }
};

/// "never true": what an outcome that did not come about is called.
const char* never(Outcome outcome);

}  // namespace mangata::coverage
