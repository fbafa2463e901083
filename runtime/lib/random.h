// The generator of math.random: xoshiro256** [Blackman & Vigna 2018], seeded as in Lua 5.4.
//
// The same seed gives the same sequence as PUC Lua 5.4 on a machine with 64-bit integers.
#pragma once

#include <bit>
#include <cstdint>

namespace mangata {

class Random {
 public:
  void seed(uint64_t first, uint64_t second) {
    state_[0] = first;
    state_[1] = 0xff;  // never all zero
    state_[2] = second;
    state_[3] = 0;
    for (int i = 0; i < 16; ++i) next();  // spreads the seed over the state
  }

  /// 64 random bits.
  uint64_t next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// A float in [0, 1) from 64 random bits: the upper 53 of them.
  static double to_float(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

  /// An integer in [0, limit], the first try being `bits`: masks to the next power of two and draws again
  /// while too big.
  uint64_t project(uint64_t bits, uint64_t limit) {
    const uint64_t mask = limit == 0 ? 0 : ~static_cast<uint64_t>(0) >> std::countl_zero(limit);
    while ((bits &= mask) > limit) bits = next();
    return bits;
  }

 private:
  uint64_t state_[4];
};

}  // namespace mangata
