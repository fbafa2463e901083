// Whoever is asked how large the heap may become, where that is no fixed number.
#pragma once

#include <cstddef>

namespace mangata {

class MemoryGrant {
 public:
  virtual ~MemoryGrant() = default;
  /// The heap is about to hold `wanted_bytes`, more than it may. Returns the limit from now on: at least that, or, when it is refused,
  /// what it was. No safepoint.
  virtual size_t grow_to(size_t wanted_bytes) = 0;
  /// A collection has left `used_bytes`. Returns the limit from now on, at least 1; less than `used_bytes` only if it was.
  virtual size_t shrink_to(size_t used_bytes) = 0;
};

}  // namespace mangata
