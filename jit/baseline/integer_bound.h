// An integer compared with a float constant, as a comparison of integers.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace mangata::jit {

enum class Order : uint8_t {
  Less,
  LessEqual,
  Greater,
  GreaterEqual
};

/// What `i order c` means for every integer i.
struct IntegerBound {
  enum class Holds : uint8_t {
    Always,
    Never,
    AsIntegers
  } holds;
  int64_t value = 0;  ///< AsIntegers: `i order value` is the same
};

/// i < c iff i < ceil(c), and i <= c iff i <= floor(c); >= and > are their opposites, but for NaN, which is
/// in no order (manual §3.4.4).
inline IntegerBound integer_bound(Order order, double constant) {
  using Holds = IntegerBound::Holds;
  if (std::isnan(constant)) return {Holds::Never};
  const bool rounds_up = order == Order::Less || order == Order::GreaterEqual;
  const double bound = rounds_up ? std::ceil(constant) : std::floor(constant);
  const bool is_upper = order == Order::Less || order == Order::LessEqual;
  if (bound >= 0x1p63) return {is_upper ? Holds::Always : Holds::Never};
  if (bound < -0x1p63) return {is_upper ? Holds::Never : Holds::Always};
  return {Holds::AsIntegers, static_cast<int64_t>(bound)};
}

/// The integer that the constant is equal to.
inline std::optional<int64_t> equal_integer(double constant) {
  if (!(constant >= -0x1p63 && constant < 0x1p63) || std::trunc(constant) != constant) return {};
  return static_cast<int64_t>(constant);
}

}  // namespace mangata::jit
