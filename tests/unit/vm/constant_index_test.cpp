// vm/frontend/constant_index: few probes, whatever the constants are.
#include "vm/frontend/constant_index.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace mangata {
namespace {

using Sequence = std::function<size_t(uint32_t)>;

/// Places looked at to find a free one for each, on average, in a table as full as it gets.
double probes(uint32_t count, const Sequence& hash_at) {
  std::vector<bool> taken(std::bit_ceil(2 * count));
  uint64_t sum = 0;
  for (uint32_t number = 1; number <= count; number++) {
    size_t place = hash_at(number) & (taken.size() - 1);
    for (sum++; taken[place]; sum++) place = (place + 1) & (taken.size() - 1);
    taken[place] = true;
  }
  return static_cast<double>(sum) / count;
}

size_t integer(uint32_t function, int64_t value) {
  return ConstantIndex::hash_of(function, Value::integer(value));
}
size_t number(uint32_t function, double value) {
  return ConstantIndex::hash_of(function, Value::number(value));
}

TEST(ConstantIndex, FewProbesWhateverTheConstantsAre) {
  const std::pair<const char*, Sequence> sequences[] = {
      {"the function's number", [](uint32_t n) { return integer(n, n); }},
      {"its complement", [](uint32_t n) { return integer(n, ~int64_t{n}); }},
      {"one more", [](uint32_t n) { return integer(n, n + 1); }},
      {"twice that", [](uint32_t n) { return integer(n, 2 * int64_t{n}); }},
      {"the same in every function", [](uint32_t n) { return integer(n, 1); }},
      {"integers", [](uint32_t n) { return integer(1, n); }},
      {"multiples of a power of two", [](uint32_t n) { return integer(1, int64_t{n} << 40); }},
      {"floats", [](uint32_t n) { return number(1, n + 0.5); }},
      {"floats by function", [](uint32_t n) { return number(n, n); }},
      {"powers of two",
       [](uint32_t n) { return number(n / 1000 + 1, std::ldexp(1, static_cast<int>(n % 1000))); }},
      {"short strings, by address", [](uint32_t n) { return integer(1, 0x100000000 + 48 * int64_t{n}); }},
  };
  for (const auto& [name, hash_at] : sequences) {
    // A random function needs 1.5 when half of the places are taken.
    for (const uint32_t count : {1u << 10, 1u << 13, 1u << 17})
      EXPECT_LT(probes(count, hash_at), 3) << name << ", " << count;
  }
}

TEST(ConstantIndex, KeysAreExactBits) {
  ConstantIndex index;
  EXPECT_EQ(index.find_or_add(1, Value::integer(1), 0), 0);
  EXPECT_EQ(index.find_or_add(1, Value::number(1), 1), 1);
  EXPECT_EQ(index.find_or_add(1, Value::number(0.0), 2), 2);
  EXPECT_EQ(index.find_or_add(1, Value::number(-0.0), 3), 3);
  EXPECT_EQ(index.find_or_add(2, Value::integer(1), 0), 0);
  EXPECT_EQ(index.find_or_add(1, Value::integer(1), 9), 0);
}

}  // namespace
}  // namespace mangata
