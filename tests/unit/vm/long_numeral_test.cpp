// Numerals read with polls have the values that plain reading gives; what is no numeral stays none.
#include "vm/operations/long_numeral.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

namespace mangata {
namespace {

class LongNumerals : public testing::Test {
 protected:
  void expect_as_plain(const std::string& text) {
    const Value expected = string_to_number(text);
    const Result<Value> read = long_string_to_number(vm_, text);
    ASSERT_TRUE(read.ok());
    const std::string shown = text.size() < 100 ? text : text.substr(0, 100) + "...";
    ASSERT_EQ(read.value().tag, expected.tag) << shown;
    if (expected.is_integer()) {
      ASSERT_EQ(read.value().as_integer(), expected.as_integer()) << shown;
    }
    if (expected.is_float()) {
      ASSERT_EQ(std::bit_cast<uint64_t>(read.value().as_float()), std::bit_cast<uint64_t>(expected.as_float())) << shown;
    }
  }

  std::string digits(size_t count, const char* alphabet) {
    std::string text;
    const size_t size = std::string_view(alphabet).size();
    while (text.size() < count) text += alphabet[random_() % size];
    return text;
  }

  Vm vm_;
  std::mt19937_64 random_{7};
};

TEST_F(LongNumerals, CornersAndFlaws) {
  for (const char* text :
       {"", " ", "-", "0", "-0", "0.0", "-0.0", "-0e99999", "1", "-1", "+1", "00012", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "0x", "0x.", "0x.p1", "0x0", "0x0p9", "0xffffffffffffffff", "-0x1",
        "0x10000000000000001", "0x1p4", "0x.8p-3", "0xA.8P+2", "1.", ".5", ".", "-.", "e1", "1e", "1e+", "1e5", "1E-5", "1e999", "1e-999",
        "1e99999999999999999999", "0e99999999999999999999", "1e-99999999999999999999", "4.9e-324", "2e-324", "2.5e-324",
        "1.7976931348623157e308", "1.7976931348623159e308", "0x1p1024", "0x1p-1074", "0x1p-1075", "0x1.8p-1075", "1..2", "1.2.3",
        "1e5.0", "--1", "- 1", "1 2", "inf", "nan", "0xinf", "0xep1", "1f", "\t7\v\n", "0x1p", "0x1p+-2", "1e+-2"})
    expect_as_plain(text);
  expect_as_plain(std::string("1\0", 2));
}

TEST_F(LongNumerals, RandomOnes) {
  for (int i = 0; i < 20000; ++i) {
    const bool is_hexadecimal = random_() % 3 == 0;
    const char* alphabet = is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    std::string text = random_() % 2 == 0 ? "-" : "";
    if (is_hexadecimal) text += "0x";
    text += std::string(random_() % 4 == 0 ? random_() % 1500 : 0, '0') + digits(random_() % 24, alphabet);
    if (random_() % 2 == 0) text += "." + std::string(random_() % 4 == 0 ? random_() % 400 : 0, '0') + digits(random_() % 24, alphabet);
    if (random_() % 2 == 0) text += (is_hexadecimal ? "p" : "e") + std::to_string(static_cast<int>(random_() % 3000) - 1500);
    expect_as_plain(text);
  }
}

TEST_F(LongNumerals, ThousandsOfDigits) {
  for (int i = 0; i < 300; ++i) {
    std::string text = digits(random_() % 3000, "0123456789");
    text += "." + digits(random_() % 3000, "0123456789") + "e" + std::to_string(static_cast<int>(random_() % 6000) - 4000);
    expect_as_plain(text);
    expect_as_plain("0x" + digits(random_() % 2000, "0123456789abcdef"));
  }
}

TEST_F(LongNumerals, ADigitFarOutDecidesATie) {
  // Halfway between 1 and the next double: the last digit that is not zero rounds up.
  const std::string half = "1.00000000000000011102230246251565404236316680908203125";
  for (const char* last : {"", "1", "5"}) {
    const std::string text = half + std::string(3000, '0') + last;
    expect_as_plain(text);
    EXPECT_EQ(long_string_to_number(vm_, text).value().as_float() > 1, *last != '\0');
  }
}

TEST_F(LongNumerals, AreInterrupted) {
  vm_.on_interrupt = [](Vm& vm) -> Status { return raise_plain(vm, "stopped"); };
  for (const std::string& text : {std::string(1 << 20, '1'), std::string(1 << 20, ' '), "1e" + std::string(1 << 20, '0')}) {
    vm_.request_interrupt();
    EXPECT_FALSE(long_string_to_number(vm_, text).ok());
    EXPECT_TRUE(long_string_to_number(vm_, text).ok());
  }
}

}  // namespace
}  // namespace mangata
