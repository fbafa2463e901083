// Conversions of string.format against the C library's printf: random specifications, random and awkward
// values.
#include "runtime/lib/format_spec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

namespace mangata {
namespace {

/// A specification with some of `flags`, perhaps a width, perhaps a precision.
std::string random_spec(std::mt19937_64& random, const std::string& flags, bool precision, char conversion) {
  std::string spec = "%";
  for (const char flag : flags) {
    if (random() % 3 == 0) spec += flag;
  }
  if (random() % 2 == 0) spec += std::to_string(1 + random() % 40);
  if (precision && random() % 2 == 0) {
    spec += '.';
    if (random() % 4 != 0) spec += std::to_string(random() % 25);
  }
  return spec + conversion;
}

FormatSpec parse(const std::string& text) {
  FormatSpec spec;
  EXPECT_TRUE(parse_format_spec(text, &spec));
  return spec;
}

TEST(FormatSpec, IntegersAreWrittenAsByPrintf) {
  Vm vm;
  std::mt19937_64 random(1);
  const int64_t awkward[] = {0, 1, -1, 8, 42, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 20000; ++i) {
    const char conversion = "diuoxX"[random() % 6];
    const bool is_signed = conversion == 'd' || conversion == 'i';
    const std::string flags = is_signed ? "-+0 " : conversion == 'u' ? "-0"
                                                                     : "-#0";
    const std::string text = random_spec(random, flags, true, conversion);
    const int64_t value =
        i % 3 == 0 ? awkward[random() % 7] : static_cast<int64_t>(random()) >> (random() % 64);
    const FormatSpec spec = parse(text);
    ASSERT_TRUE(format_spec_fits(spec, flags.c_str(), true)) << text;
    StringBuilder out(vm);
    format_integer(out, spec, value);
    std::string format = text;
    format.insert(format.size() - 1, "ll");
    char expected[256];
    std::snprintf(expected, sizeof(expected), format.c_str(), static_cast<long long>(value));
    ASSERT_EQ(out.view(), expected) << text << " of " << value;
  }
}

TEST(FormatSpec, FloatsAreWrittenAsByPrintf) {
  Vm vm;
  std::mt19937_64 random(2);
  const double awkward[] = {0.0,
                            -0.0,
                            1.0,
                            0.1,
                            1e15,
                            1e16,
                            123456.5,
                            1e100,
                            -2.5,
                            std::numeric_limits<double>::max(),
                            std::numeric_limits<double>::denorm_min(),
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()};
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_spec(random, "-+ #0", true, "aAeEfgG"[random() % 7]);
    const double value = i % 2 == 0 ? awkward[random() % 14] : std::bit_cast<double>(random());
    StringBuilder out(vm);
    format_float(out, parse(text), value);
    char expected[512];
    std::snprintf(expected, sizeof(expected), text.c_str(), value);
    ASSERT_EQ(out.view(), expected) << text << " of " << value;
  }
}

TEST(FormatSpec, TextIsCutAndPaddedAsByPrintf) {
  Vm vm;
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = random_spec(random, "-", true, 's');
    const std::string value(random() % 50, 'x');
    StringBuilder out(vm);
    format_text(out, parse(text), value);
    char expected[256];
    std::snprintf(expected, sizeof(expected), text.c_str(), value.c_str());
    ASSERT_EQ(out.view(), expected) << text;
  }
}

TEST(FormatSpec, RefusesWhatLuaRefuses) {
  EXPECT_FALSE(format_spec_fits(parse("%123d"), "-+0 ", true));
  EXPECT_FALSE(format_spec_fits(parse("%.123d"), "-+0 ", true));
  EXPECT_FALSE(format_spec_fits(parse("%#d"), "-+0 ", true));
  EXPECT_FALSE(format_spec_fits(parse("%010s"), "-", true));
  EXPECT_FALSE(format_spec_fits(parse("%.3c"), "-", false));
  FormatSpec spec;
  EXPECT_FALSE(parse_format_spec("%0123456789012345678901234d", &spec));
  EXPECT_TRUE(parse_format_spec("%5", &spec));
  EXPECT_EQ(spec.conversion, '\0');
}

}  // namespace
}  // namespace mangata
