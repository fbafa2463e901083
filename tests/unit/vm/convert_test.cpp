// Numbers to and from text, judged by the C library's printf and strtod.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "vm/operations/operations.h"

namespace mangata {
namespace {

std::string formatted(Value number) {
  char text[64];
  return std::string(text, static_cast<size_t>(format_number(number, text)));
}

/// What PUC Lua prints: "%.14g", and ".0" behind what would look like an integer.
std::string printed(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.14g", number);
  std::string result = text;
  if (result.find_first_not_of("-0123456789") == std::string::npos) result += ".0";
  return result;
}

std::vector<double> corner_floats() {
  std::vector<double> corners = {0.0,
                                 0.1,
                                 1.0 / 3.0,
                                 0.5,
                                 1.0,
                                 1e14,
                                 1e15,
                                 1e16,
                                 1e100,
                                 123456.789,
                                 99999999999999.0,
                                 999999999999999.0,
                                 1e-4,
                                 1e-5,
                                 9.99999999999995e14,
                                 0.1 + 0.2,
                                 3.14159265358979};
  using Limits = std::numeric_limits<double>;
  for (const double extreme : {Limits::max(), Limits::min(), Limits::denorm_min(), Limits::epsilon(),
                               Limits::infinity(), Limits::quiet_NaN()}) {
    corners.push_back(extreme);
  }
  for (int exponent = -1074; exponent < 1024; exponent += 7) corners.push_back(std::ldexp(1.0, exponent));
  const size_t count = corners.size();
  for (size_t i = 0; i < count; ++i) corners.push_back(-corners[i]);
  return corners;
}

TEST(FormatNumber, FloatsAsPrintf) {
  for (const double number : corner_floats()) EXPECT_EQ(formatted(Value::number(number)), printed(number));
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const double number = std::bit_cast<double>(random());
    ASSERT_EQ(formatted(Value::number(number)), printed(number)) << std::hexfloat << number;
  }
}

TEST(FormatNumber, Integers) {
  for (const int64_t number : {INT64_MIN, INT64_MIN + 1, int64_t{-1}, int64_t{0}, int64_t{7}, INT64_MAX}) {
    EXPECT_EQ(formatted(Value::integer(number)), std::to_string(number));
  }
}

TEST(StringToNumber, DecimalIntegersThatFitAreIntegers) {
  for (const int64_t number : {INT64_MIN, INT64_MIN + 1, int64_t{-1}, int64_t{0}, int64_t{42}, INT64_MAX}) {
    const Value parsed = string_to_number(std::to_string(number));
    ASSERT_TRUE(parsed.is_integer());
    EXPECT_EQ(parsed.as_integer(), number);
  }
  // One beyond either end is a float.
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "18446744073709551616", "99999999999999999999"}) {
    const Value parsed = string_to_number(text);
    ASSERT_TRUE(parsed.is_float()) << text;
    EXPECT_EQ(parsed.as_float(), std::strtod(text, nullptr)) << text;
  }
}

TEST(StringToNumber, HexadecimalIntegersWrap) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t high = random() >> (random() % 64), low = random();
    char text[64];
    std::snprintf(text, sizeof text, "0x%llx%016llX", static_cast<unsigned long long>(high),
                  static_cast<unsigned long long>(low));
    const Value parsed = string_to_number(text);
    ASSERT_TRUE(parsed.is_integer()) << text;
    ASSERT_EQ(static_cast<uint64_t>(parsed.as_integer()), low) << text;
    const Value negated = string_to_number(std::string("-") + text);
    ASSERT_EQ(static_cast<uint64_t>(negated.as_integer()), 0 - low) << text;
  }
}

/// `text` must be a numeral that strtod takes, and no integer.
void expect_as_strtod(const std::string& text) {
  const Value parsed = string_to_number(text);
  ASSERT_TRUE(parsed.is_float()) << text;
  const double expected = std::strtod(text.c_str(), nullptr);
  ASSERT_EQ(std::bit_cast<uint64_t>(parsed.as_float()), std::bit_cast<uint64_t>(expected)) << text;
}

TEST(StringToNumber, FloatsAsStrtod) {
  for (const char* text : {"0.0",
                           "-0.0",
                           ".5",
                           "5.",
                           "+1.5",
                           "1e1",
                           "1E+1",
                           "1e-1",
                           "1e308",
                           "1e309",
                           "-1e309",
                           "1e-400",
                           "-1e-400",
                           "4.9e-324",
                           "2.4e-324",
                           "2.5e-324",
                           "1.7976931348623157e308",
                           "1.7976931348623159e308",
                           "0e99999999999999999999",
                           "1e99999999999999999999",
                           "1e-99999999999999999999",
                           "0.00000000000000000000000000000000001e35",
                           "0x.8",
                           "0x8.",
                           "0x.8p4",
                           "0xA.8P+2",
                           "-0x1p-1074",
                           "0x1p-1075",
                           "0x1p1023",
                           "0x1p1024",
                           "0x0p99999",
                           "0x1p99999999999999999999",
                           "0x1p-99999999999999999999",
                           "0x1.fffffffffffff8p0",
                           "0x1.fffffffffffff7p0",
                           "0x0.0000000000000000000000000000000001p200",
                           "0x10000000000000000000000000000000.0p-400"}) {
    expect_as_strtod(text);
  }
}

TEST(StringToNumber, RandomFloatsAsStrtod) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 50000; ++i) {
    const double number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(random() % 20), number);
    expect_as_strtod(text);
    std::snprintf(text, sizeof text, "%a", number);
    if (std::string_view(text).find('p') != std::string_view::npos) expect_as_strtod(text);
    std::string digits = std::to_string(random()) + "." + std::to_string(random());
    if (random() % 2 == 0) digits += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
    expect_as_strtod(digits);
  }
}

TEST(StringToNumber, SurroundingSpaceIsIgnored) {
  EXPECT_EQ(string_to_number(" \t\n\v\f\r10 \t\n\v\f\r").as_integer(), 10);
  EXPECT_EQ(string_to_number(" -0x10 ").as_integer(), -16);
  EXPECT_EQ(string_to_number(" 1.5\n").as_float(), 1.5);
}

TEST(StringToNumber, RefusesWhatIsNoNumeral) {
  for (const std::string_view text :
       {"", " ", "-", "+", "--1", "+-1", "- 1", "1 2", "0x", "0X",
        "-0x", "0x.", "0x.p1", "0xp1", "0x1p", "0x1p+", "0xg", ".", "-.", "e1",
        ".e1", "1e", "1e+", "1e1.5", "1..2", "1.2.3", "0x1.2.3", "inf", "-inf", "nan",
        "NaN", "infinity", "0xinf", "0xnan", "1f", "1_000", "1,5", "abc", "0b1", "1n"}) {
    EXPECT_TRUE(string_to_number(text).is_nil()) << text;
  }
  EXPECT_TRUE(string_to_number(std::string_view("1\0", 2)).is_nil());
  EXPECT_TRUE(string_to_number(std::string_view("\0001", 2)).is_nil());
  EXPECT_TRUE(string_to_number(std::string_view("1.5\0", 4)).is_nil());
}

TEST(FloatToInteger, OnlyExactValuesInRange) {
  std::vector<double> candidates = corner_floats();
  for (const double edge :
       {9223372036854775808.0, 9223372036854774784.0, 9007199254740993.0, 4503599627370496.5}) {
    for (const double near : {edge, std::nextafter(edge, 0), std::nextafter(edge, HUGE_VAL), -edge,
                              -std::nextafter(edge, HUGE_VAL)}) {
      candidates.push_back(near);
    }
  }
  for (const double number : candidates) {
    const long double wide = number;  // 64 bits of mantissa: exact for both subtypes
    const bool expected = wide >= -0x1p63L && wide < 0x1p63L && std::floor(wide) == wide;
    int64_t integer = 0;
    ASSERT_EQ(float_to_integer(number, &integer), expected) << number;
    if (expected) {
      EXPECT_EQ(static_cast<long double>(integer), wide);
    }
  }
}

}  // namespace
}  // namespace mangata
