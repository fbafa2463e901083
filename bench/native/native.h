// What the native programs share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace mangata::native {

/// A value that the compiler cannot know, so that no repetition is computed ahead or left out.
template <typename T>
T unknown(T value) {
  asm volatile("" : "+r"(value) : : "memory");
  return value;
}

/// Lua's % for a divisor above 0.
inline int64_t floor_mod(int64_t dividend, int64_t divisor) {
  const int64_t rest = dividend % divisor;
  return rest < 0 ? rest + divisor : rest;
}

/// The scale, as the programs of bench/suite have it: a factor on `repetitions` at scale 1.
inline int64_t repetitions(int count, char** arguments, int64_t at_scale_one) {
  const double scale = count > 1 ? std::atof(arguments[1]) : 1;
  const auto scaled = static_cast<int64_t>(static_cast<double>(at_scale_one) * scale);
  return scaled < 1 ? 1 : scaled;
}

/// The result that bench/suite asserts, or the end.
inline void expect(int64_t got, int64_t wanted) {
  if (got == wanted) return;
  std::fprintf(stderr, "got %lld, not %lld\n", static_cast<long long>(got), static_cast<long long>(wanted));
  std::exit(1);
}

}  // namespace mangata::native
