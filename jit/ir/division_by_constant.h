// Division by an invariant integer, by multiplication [Granlund & Montgomery 1994].
//
// For 0 <= n < 2^63 and d >= 3, no power of two, with 2^(l-1) < d < 2^l: n / d = (n * m) >> (63 + l), where
// m = floor(2^(63+l) / d) + 1 has 64 bits. A negative n is complemented before and its quotient afterwards,
// which rounds towards minus infinity: floor(n / d) = ~(~n / d).
#pragma once

#include <bit>
#include <cstdint>

namespace mangata::jit {

struct DivisionByConstant {
  uint64_t multiplier;  ///< the upper half of its product with the dividend, shifted, is the quotient
  int shift;  ///< of the upper half of the product
};

/// divisor: 3 <= divisor < 2^63, no power of two
constexpr DivisionByConstant division_by_constant(uint64_t divisor) {
  const int bits = std::bit_width(divisor);
  const unsigned __int128 power = static_cast<unsigned __int128>(1) << (63 + bits);
  return {static_cast<uint64_t>(power / divisor) + 1, bits - 1};
}

}  // namespace mangata::jit
