// Arithmetic on corner values, judged by 128-bit integers and by the definitions in the manual.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "vm/operations/operations.h"

namespace mangata {
namespace {

using Wide = __int128;
using Op = ArithmeticOperator;

std::vector<int64_t> corner_integers() {
  std::vector<int64_t> corners = {0, 1,
                                  2, 3,
                                  5, 7,
                                  10, 31,
                                  32, 33,
                                  63, 64,
                                  65, 100,
                                  255, 256,
                                  INT64_MAX, INT64_MAX - 1,
                                  INT64_MIN, INT64_MIN + 1};
  for (int bit = 8; bit < 63; bit += 9) corners.push_back(int64_t{1} << bit);
  const size_t count = corners.size();
  for (size_t i = 0; i < count; ++i)
    corners.push_back(static_cast<int64_t>(0 - static_cast<uint64_t>(corners[i])));
  return corners;
}

int64_t wrapped(Wide value) { return static_cast<int64_t>(static_cast<uint64_t>(value)); }

/// Floor division by definition: the largest q with q * b <= a (or >= for negative b).
Wide floor_quotient(Wide a, Wide b) {
  Wide quotient = a / b;
  if (quotient * b != a && ((a < 0) != (b < 0))) --quotient;
  return quotient;
}

/// A logical shift, one bit at a time.
int64_t shifted_left(int64_t value, Wide count) {
  uint64_t bits = static_cast<uint64_t>(value);
  for (Wide i = 0; i < (count < 0 ? -count : count) && i < 64; ++i) bits = count < 0 ? bits >> 1 : bits << 1;
  return static_cast<int64_t>(bits);
}

int64_t integer_result(Op op, int64_t a, int64_t b) {
  Value result;
  EXPECT_TRUE(raw_arithmetic(op, Value::integer(a), Value::integer(b), &result));
  EXPECT_TRUE(result.is_integer());
  return result.as_integer();
}

TEST(IntegerArithmetic, WrapsAround) {
  for (const int64_t a : corner_integers()) {
    for (const int64_t b : corner_integers()) {
      ASSERT_EQ(integer_result(Op::Add, a, b), wrapped(Wide{a} + b));
      ASSERT_EQ(integer_result(Op::Sub, a, b), wrapped(Wide{a} - b));
      ASSERT_EQ(integer_result(Op::Mul, a, b), wrapped(Wide{a} * b));
      ASSERT_EQ(integer_result(Op::BitAnd, a, b), a & b);
      ASSERT_EQ(integer_result(Op::BitOr, a, b), a | b);
      ASSERT_EQ(integer_result(Op::BitXor, a, b), a ^ b);
    }
    ASSERT_EQ(integer_result(Op::Negate, a, a), wrapped(-Wide{a}));
    ASSERT_EQ(integer_result(Op::BitNot, a, a), wrapped(-Wide{a} - 1));
  }
}

TEST(IntegerArithmetic, DivisionRoundsDown) {
  for (const int64_t a : corner_integers()) {
    for (const int64_t b : corner_integers()) {
      Value ignored;
      if (b == 0) {
        ASSERT_FALSE(raw_arithmetic(Op::FloorDiv, Value::integer(a), Value::integer(b), &ignored));
        ASSERT_FALSE(raw_arithmetic(Op::Mod, Value::integer(a), Value::integer(b), &ignored));
        continue;
      }
      const Wide quotient = floor_quotient(a, b);
      ASSERT_EQ(integer_result(Op::FloorDiv, a, b), wrapped(quotient)) << a << " // " << b;
      ASSERT_EQ(integer_result(Op::Mod, a, b), wrapped(Wide{a} - quotient * b)) << a << " % " << b;
    }
  }
}

TEST(IntegerArithmetic, ShiftsAreLogicalAndTakeAnyCount) {
  for (const int64_t a : corner_integers()) {
    for (const int64_t count : corner_integers()) {
      ASSERT_EQ(integer_result(Op::ShiftLeft, a, count), shifted_left(a, count)) << a << " << " << count;
      ASSERT_EQ(integer_result(Op::ShiftRight, a, count), shifted_left(a, -Wide{count}))
          << a << " >> " << count;
    }
  }
}

TEST(IntegerArithmetic, DivisionAndPowerAreAlwaysFloats) {
  Value result;
  ASSERT_TRUE(raw_arithmetic(Op::Div, Value::integer(6), Value::integer(3), &result));
  EXPECT_TRUE(result.is_float());
  EXPECT_EQ(result.as_float(), 2.0);
  ASSERT_TRUE(raw_arithmetic(Op::Pow, Value::integer(2), Value::integer(10), &result));
  EXPECT_TRUE(result.is_float());
  EXPECT_EQ(result.as_float(), 1024.0);
}

std::vector<double> corner_floats() {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> corners = {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 5.3,
                                 1e15, 0x1p53, 0x1p63, 1e300, 5e-324, 1e-300, infinity};
  const size_t count = corners.size();
  for (size_t i = 0; i < count; ++i) corners.push_back(-corners[i]);
  corners.push_back(std::numeric_limits<double>::quiet_NaN());
  return corners;
}

/// Equal, or both NaN; zeros must agree in sign.
void expect_same(double actual, double expected, double a, double b) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << a << ", " << b;
  } else {
    EXPECT_EQ(std::bit_cast<uint64_t>(actual), std::bit_cast<uint64_t>(expected))
        << a << ", " << b << ": " << actual << " instead of " << expected;
  }
}

/// The definition in the manual (§3.4.1): a - floor(a / b) * b, of the sign of b; computed from the exact
/// fmod.
double modulo_by_definition(double a, double b) {
  double remainder = std::fmod(a, b);
  if (remainder != 0 && std::signbit(remainder) != std::signbit(b)) remainder += b;
  return remainder;
}

TEST(FloatArithmetic, CornerValues) {
  for (const double a : corner_floats()) {
    for (const double b : corner_floats()) {
      const auto result = [a, b](Op op) {
        Value value;
        EXPECT_TRUE(raw_arithmetic(op, Value::number(a), Value::number(b), &value));
        EXPECT_TRUE(value.is_float());
        return value.as_float();
      };
      expect_same(result(Op::Add), a + b, a, b);
      expect_same(result(Op::Sub), a - b, a, b);
      expect_same(result(Op::Mul), a * b, a, b);
      expect_same(result(Op::Div), a / b, a, b);
      expect_same(result(Op::FloorDiv), std::floor(a / b), a, b);
      expect_same(result(Op::Mod), modulo_by_definition(a, b), a, b);
      expect_same(result(Op::Pow), std::pow(a, b), a, b);
    }
  }
}

/// Quotients beyond 2^53, of all exponents and of short and long mantissas, subnormal ones included.
TEST(FloatArithmetic, RemaindersOfDistantFloatsAreExact) {
  std::mt19937_64 random(1);
  int distant = 0;
  for (int i = 0; i < 200000; ++i) {
    uint64_t x = random(), y = random();
    if (i % 3 == 0) y &= ~uint64_t{0} << random() % 52;
    if (i % 5 == 0) y &= 0x800fffffffffffff;
    if (i % 7 == 0) y &= 0xfff;
    if (i % 11 == 0) x &= 0x801fffffffffffff;
    const double a = std::bit_cast<double>(x), b = std::bit_cast<double>(y);
    distant += std::fabs(a / b) >= 0x1p53;
    expect_same(float_remainder(a, b), std::fmod(a, b), a, b);
  }
  EXPECT_GT(distant, 50000);
}

TEST(MixedArithmetic, IntegersBecomeFloats) {
  for (const int64_t a : corner_integers()) {
    for (const double b : corner_floats()) {
      Value result;
      ASSERT_TRUE(raw_arithmetic(Op::Add, Value::integer(a), Value::number(b), &result));
      expect_same(result.as_float(), static_cast<double>(a) + b, static_cast<double>(a), b);
      ASSERT_TRUE(raw_arithmetic(Op::Mod, Value::number(b), Value::integer(a), &result));
      expect_same(result.as_float(), modulo_by_definition(b, static_cast<double>(a)), b,
                  static_cast<double>(a));
    }
  }
}

TEST(BitwiseOperators, TakeFloatsWithIntegerValuesOnly) {
  Value result;
  ASSERT_TRUE(raw_arithmetic(Op::BitOr, Value::number(2.0), Value::integer(1), &result));
  EXPECT_TRUE(result.is_integer());
  EXPECT_EQ(result.as_integer(), 3);
  for (const double misfit : {1.5, 0x1p63, -0x1.8p63, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(raw_arithmetic(Op::BitOr, Value::number(misfit), Value::integer(1), &result));
    EXPECT_FALSE(raw_arithmetic(Op::BitNot, Value::number(misfit), Value::number(misfit), &result));
  }
}

TEST(RawArithmetic, RefusesEverythingButNumbers) {
  Value result;
  for (const Value& other : {Value::nil(), Value::boolean(true), Value::light_userdata(nullptr)}) {
    EXPECT_FALSE(raw_arithmetic(Op::Add, other, Value::integer(1), &result));
    EXPECT_FALSE(raw_arithmetic(Op::Add, Value::number(1), other, &result));
  }
}

}  // namespace
}  // namespace mangata
