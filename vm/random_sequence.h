// Numbers that look random and are the same in every run: for distances that must not fall in step with what a program does.
#pragma once

#include <cstdint>

namespace mangata {

/// A linear congruential sequence with Knuth's factor; the upper half of each state is given out, for the lower bits have short periods.
struct RandomSequence {
  uint64_t state = 0;  ///< it begins with the number after this one

  /// Below 2^31.
  uint64_t next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
  }
  /// From a half of `average` on, below three halves of it.
  uint64_t around(uint64_t average) { return average / 2 + next() % average; }
};

}  // namespace mangata
