// Order and equality of numbers across subtypes, judged by long double, which holds both exactly; and of
// other values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "vm/operations/operations.h"

namespace mangata {
namespace {

static_assert(std::numeric_limits<long double>::digits >= 64, "the oracle must hold every integer exactly");

std::vector<Value> corner_numbers() {
  std::vector<Value> numbers;
  for (const int64_t base :
       {int64_t{0}, int64_t{1}, int64_t{1} << 53, int64_t{1} << 62, INT64_MAX - 1024, INT64_MIN + 1024}) {
    for (int64_t offset = -3; offset <= 3; ++offset) {
      numbers.push_back(Value::integer(base + offset));
      numbers.push_back(Value::integer(-(base + offset)));
    }
  }
  for (const int64_t edge :
       {INT64_MAX, INT64_MAX - 1, INT64_MAX - 511, INT64_MAX - 512, INT64_MIN, INT64_MIN + 1}) {
    numbers.push_back(Value::integer(edge));
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double base : {0.0, 0.5, 1.0, 1.5, 0x1p52, 0x1p53, 0x1p62, 0x1p63, 0x1p64, 1e300, infinity}) {
    for (const double near : {base, std::nextafter(base, -infinity), std::nextafter(base, infinity)}) {
      numbers.push_back(Value::number(near));
      numbers.push_back(Value::number(-near));
    }
  }
  numbers.push_back(Value::number(std::numeric_limits<double>::quiet_NaN()));
  return numbers;
}

long double exact(Value number) {
  return number.is_integer() ? static_cast<long double>(number.as_integer())
                             : static_cast<long double>(number.as_float());
}

TEST(CompareNumbers, ByMathematicalValue) {
  const std::vector<Value> numbers = corner_numbers();
  for (const Value& a : numbers) {
    for (const Value& b : numbers) {
      ASSERT_EQ(number_less_than(a, b), exact(a) < exact(b)) << double(exact(a)) << " < " << double(exact(b));
      ASSERT_EQ(number_less_equal(a, b), exact(a) <= exact(b))
          << double(exact(a)) << " <= " << double(exact(b));
      ASSERT_EQ(raw_equals(a, b), exact(a) == exact(b)) << double(exact(a)) << " == " << double(exact(b));
    }
  }
}

TEST(CompareValues, StringsBytewiseWithEmbeddedZeros) {
  Vm vm;
  const std::vector<std::string_view> ordered = {"",
                                                 std::string_view("\0", 1),
                                                 std::string_view("\0a", 2),
                                                 "A",
                                                 "a",
                                                 std::string_view("a\0", 2),
                                                 std::string_view("a\0b", 3),
                                                 "aa",
                                                 "ab",
                                                 "b",
                                                 "\xC3\xA9",
                                                 "\xFF"};
  for (size_t i = 0; i < ordered.size(); ++i) {
    for (size_t j = 0; j < ordered.size(); ++j) {
      const Value a = vm.string_value(ordered[i]), b = vm.string_value(ordered[j]);
      EXPECT_EQ(less_than(vm, a, b).value(), i < j);
      EXPECT_EQ(less_equal(vm, a, b).value(), i <= j);
      EXPECT_EQ(raw_equals(a, b), i == j);
    }
  }
}

TEST(CompareValues, LongStringsByContent) {
  Vm vm;
  const std::string text(1000, 'x');
  const Value a = Value::string(vm.new_string(text).value()), b = Value::string(vm.new_string(text).value());
  EXPECT_TRUE(raw_equals(a, b));
  EXPECT_FALSE(less_than(vm, a, b).value());
  EXPECT_TRUE(less_equal(vm, a, b).value());
  EXPECT_FALSE(raw_equals(a, Value::string(vm.new_string(text + "y").value())));
}

TEST(CompareValues, EqualityOfDifferentTypes) {
  Vm vm;
  const Value values[] = {Value::nil(),
                          Value::boolean(false),
                          Value::boolean(true),
                          Value::integer(1),
                          vm.string_value("1"),
                          Value::table(table_new(vm)),
                          Value::table(table_new(vm)),
                          Value::light_userdata(nullptr)};
  for (const Value& a : values) {
    for (const Value& b : values) EXPECT_EQ(equals(vm, a, b).value(), &a == &b);
  }
}

TEST(CompareValues, OrderOfOtherTypesIsAnError) {
  Vm vm;
  EXPECT_FALSE(less_than(vm, Value::nil(), Value::integer(1)).ok());
  EXPECT_EQ(vm.error.as_string()->view(), "attempt to compare nil with number");
  EXPECT_FALSE(less_equal(vm, Value::boolean(true), Value::boolean(false)).ok());
  EXPECT_EQ(vm.error.as_string()->view(), "attempt to compare two boolean values");
  EXPECT_FALSE(less_than(vm, Value::integer(1), vm.string_value("2")).ok());
  EXPECT_EQ(vm.error.as_string()->view(), "attempt to compare number with string");
}

}  // namespace
}  // namespace mangata
