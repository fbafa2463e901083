// What a hash of bytes is keyed by: the plain key, which is the same in every process, so that programs see
// tables in the same order in every run; and random ones, for what must hold when somebody has looked for
// keys whose plain hashes agree.
#pragma once

#include <cstdint>

namespace mangata {

/// 2^64 by the golden ratio: multiples of it are far from each other in their upper bits.
inline constexpr uint64_t kHashMultiplier = 0x9E3779B97F4A7C15u;

struct HashKey {
  uint64_t offset;  ///< where the hash begins
  uint64_t factor;  ///< odd
};

inline constexpr HashKey kPlainHashKey = {0xC2B2AE3D27D4EB4Fu, kHashMultiplier};

/// A key that nobody can foretell, as far as the system has such numbers.
HashKey random_hash_key();

}  // namespace mangata
