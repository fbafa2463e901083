// What something cost: the vector of values that every view adds up.
#pragma once

#include <cstdint>

namespace mangata {

/// Sums over executions. What was not measured is 0 everywhere (RunProfile tells what was).
struct Cost {
  uint64_t count = 0;      ///< of a path: completed executions; of a function: calls
  uint64_t bytecodes = 0;  ///< executed
  uint64_t nanoseconds = 0;  ///< of processor time
  uint64_t samples = 0;      ///< that nanoseconds is the sum of
  uint64_t allocated_bytes = 0;  ///< by paths, with --profile-memory
  uint64_t allocated_objects = 0;  ///< likewise

  Cost& operator+=(const Cost& other) {
    count += other.count;
    bytecodes += other.bytecodes;
    nanoseconds += other.nanoseconds;
    samples += other.samples;
    allocated_bytes += other.allocated_bytes;
    allocated_objects += other.allocated_objects;
    return *this;
  }
  friend bool operator==(const Cost&, const Cost&) = default;
};

}  // namespace mangata
