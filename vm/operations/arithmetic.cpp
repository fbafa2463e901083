// Arithmetic and bitwise operators (Lua 5.4 manual §3.4.1, §3.4.2), with their metamethods.
//
// Strings are not converted here: the string library gives strings arithmetic metamethods, as in Lua 5.4.
// Read next: vm/operations/raise.cpp for the messages.
#include <algorithm>
#include <bit>
#include <cmath>

#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {

int64_t integer_floor_divide(int64_t a, int64_t b) {
  if (b == -1)
    return static_cast<int64_t>(0 - static_cast<uint64_t>(a));  // the hardware traps on minimum / -1
  const int64_t quotient = a / b;
  return (a % b != 0 && (a ^ b) < 0) ? quotient - 1 : quotient;
}

int64_t integer_modulo(int64_t a, int64_t b) {
  if (b == -1) return 0;
  const int64_t remainder = a % b;
  return (remainder != 0 && (remainder ^ b) < 0) ? remainder + b : remainder;
}

namespace {

/// |x|, finite and not 0, as mantissa * 2^exponent.
struct Scaled {
  uint64_t mantissa;
  int exponent;

  explicit Scaled(double x) {
    constexpr int kMantissaBits = 52, kLeastExponent = -1074;
    const auto bits = std::bit_cast<uint64_t>(x);
    const int biased = static_cast<int>(bits >> kMantissaBits & 0x7ff);
    mantissa = bits & ((uint64_t{1} << kMantissaBits) - 1);
    if (biased != 0) mantissa |= uint64_t{1} << kMantissaBits;
    exponent = kLeastExponent + std::max(biased - 1, 0);
  }
};

uint64_t product_modulo(uint64_t a, uint64_t b, uint64_t divisor) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(Wide{a} * b % divisor);
}

/// 2^exponent modulo `divisor`, which is less than 2^53: the exponent's bits from the highest on, the first of them at once.
uint64_t power_of_two_modulo(int exponent, uint64_t divisor) {
  int rest = 0;
  while (exponent >> rest > 63) ++rest;
  uint64_t power = (uint64_t{1} << (exponent >> rest)) % divisor;
  while (rest-- > 0) {
    power = product_modulo(power, power, divisor);
    if ((exponent >> rest & 1) != 0) power = power * 2 % divisor;
  }
  return power;
}

/// A quotient of at least 2^53, infinite or NaN.
bool is_distant(double quotient) { return !(std::fabs(quotient) < 0x1p53); }

/// fmod where the quotient is distant. The C library's subtracts for each bit of the quotient, and takes 0.4 us where
/// the exponents are far apart; here these are a power of two modulo the divisor.
double distant_remainder(double a, double b) {
  if (!std::isfinite(a) || std::isnan(b) || b == 0) return std::fmod(a, b);
  const Scaled dividend(a);
  Scaled divisor(b);
  const int zeros = std::countr_zero(divisor.mantissa);
  divisor.mantissa >>= zeros;
  divisor.exponent += zeros;
  const uint64_t power = power_of_two_modulo(dividend.exponent - divisor.exponent, divisor.mantissa);
  const uint64_t rest = product_modulo(dividend.mantissa % divisor.mantissa, power, divisor.mantissa);
  return std::copysign(std::ldexp(static_cast<double>(rest), divisor.exponent), a);
}

}  // namespace

// The remainder is exact in both functions below, as it is in fmod. Where the quotient is less than 2^53, the quotient that is
// rounded and then truncated is the true one, n, or n + 1, if rounding reached that. So a - whole * b is the remainder r or, of
// the other sign, r - b (with the sign of a): either is a multiple of the last place of the smaller operand and less than b,
// hence a float, and fma computes it without rounding.

double float_remainder(double a, double b) {
  const double quotient = a / b;
  if (is_distant(quotient)) return distant_remainder(a, b);
  const auto whole = static_cast<double>(static_cast<int64_t>(quotient));
  if (whole == 0) return a;  // b may be infinite
  const double rest = std::fma(-whole, b, a);
  if (rest == 0) return std::copysign(0.0, a);
  return (rest < 0) == (a < 0) ? rest : rest + std::copysign(b, a);
}

/// The result has the sign of the divisor; adding an infinite divisor is right, too (manual §3.4.1).
double float_modulo(double a, double b) {
  const double remainder = float_remainder(a, b);
  const bool opposite_signs = remainder > 0 ? b < 0 : remainder < 0 && b > 0;
  return opposite_signs ? remainder + b : remainder;
}

double charged_float_modulo(Vm& vm, double a, double b) {
  constexpr int64_t kWork = 8;
  if (is_distant(a / b)) charge_native(vm, kWork);
  return float_modulo(a, b);
}

int64_t shift_left(int64_t value, int64_t count) {
  const uint64_t bits = static_cast<uint64_t>(value);
  if (count >= 0) return count >= 64 ? 0 : static_cast<int64_t>(bits << count);
  return count <= -64 ? 0 : static_cast<int64_t>(bits >> -count);
}

namespace {

/// Two's complement arithmetic that wraps; false for what is no integer operation (or divides by zero).
bool integer_arithmetic(ArithmeticOperator op, int64_t a, int64_t b, Value* result) {
  const uint64_t x = static_cast<uint64_t>(a);
  const uint64_t y = static_cast<uint64_t>(b);
  uint64_t bits = 0;
  switch (op) {
    case ArithmeticOperator::Add:
      bits = x + y;
      break;
    case ArithmeticOperator::Sub:
      bits = x - y;
      break;
    case ArithmeticOperator::Mul:
      bits = x * y;
      break;
    case ArithmeticOperator::Mod:
      if (b == 0) return false;
      bits = static_cast<uint64_t>(integer_modulo(a, b));
      break;
    case ArithmeticOperator::FloorDiv:
      if (b == 0) return false;
      bits = static_cast<uint64_t>(integer_floor_divide(a, b));
      break;
    case ArithmeticOperator::BitAnd:
      bits = x & y;
      break;
    case ArithmeticOperator::BitOr:
      bits = x | y;
      break;
    case ArithmeticOperator::BitXor:
      bits = x ^ y;
      break;
    case ArithmeticOperator::ShiftLeft:
      bits = static_cast<uint64_t>(shift_left(a, b));
      break;
    case ArithmeticOperator::ShiftRight:
      // Negating the minimum overflows, but any count that large shifts everything out.
      bits = static_cast<uint64_t>(b == INT64_MIN ? 0 : shift_left(a, -b));
      break;
    case ArithmeticOperator::Negate:
      bits = 0 - x;
      break;
    case ArithmeticOperator::BitNot:
      bits = ~x;
      break;
    case ArithmeticOperator::Div:
    case ArithmeticOperator::Pow:
      return false;
  }
  *result = Value::integer(static_cast<int64_t>(bits));
  return true;
}

double float_arithmetic(ArithmeticOperator op, double a, double b) {
  switch (op) {
    case ArithmeticOperator::Add:
      return a + b;
    case ArithmeticOperator::Sub:
      return a - b;
    case ArithmeticOperator::Mul:
      return a * b;
    case ArithmeticOperator::Div:
      return a / b;
    case ArithmeticOperator::Mod:
      return float_modulo(a, b);
    case ArithmeticOperator::Pow:
      return b == 2 ? a * a : std::pow(a, b);
    case ArithmeticOperator::FloorDiv:
      return std::floor(a / b);
    default:
      return -a;  // Negate: the only other one that takes floats
  }
}

bool is_bitwise(ArithmeticOperator op) {
  return (op >= ArithmeticOperator::BitAnd && op <= ArithmeticOperator::ShiftRight) ||
         op == ArithmeticOperator::BitNot;
}

bool is_always_float(ArithmeticOperator op) {
  return op == ArithmeticOperator::Div || op == ArithmeticOperator::Pow;
}

}  // namespace

bool raw_arithmetic(ArithmeticOperator op, Value a, Value b, Value* result) {
  if (!a.is_number() || !b.is_number()) return false;
  if (is_bitwise(op)) {
    int64_t x, y;
    return number_to_integer(a, &x) && number_to_integer(b, &y) && integer_arithmetic(op, x, y, result);
  }
  if (a.is_integer() && b.is_integer() && !is_always_float(op)) {
    return integer_arithmetic(op, a.as_integer(), b.as_integer(), result);
  }
  *result = Value::number(float_arithmetic(op, a.as_number(), b.as_number()));
  return true;
}

Result<Value> arithmetic(Vm& vm, ArithmeticOperator op, Value a, Value b) {
  Value result;
  if (op == ArithmeticOperator::Mod && a.is_number() && b.is_number() && (a.is_float() || b.is_float())) {
    return Value::number(charged_float_modulo(vm, a.as_number(), b.as_number()));
  }
  if (raw_arithmetic(op, a, b, &result)) return result;
  if (a.is_integer() && b.is_integer()) {  // only division by zero does not fit
    return raise_message(
        vm, op == ArithmeticOperator::Mod ? "attempt to perform 'n%0'" : "attempt to divide by zero");
  }
  Value method = vm.metamethod(a, event_of(op));
  if (method.is_nil()) method = vm.metamethod(b, event_of(op));
  if (!method.is_nil()) return call_metamethod(vm, method, a, b);
  return raise_arithmetic_error(vm, op, a, b);
}

}  // namespace mangata
