// Counters by key, against std::map; and that they lie where machine code can name them.
#include "vm/interpreter/count_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace mangata {
namespace {

std::map<uint64_t, uint64_t> counts_of(const CountTable& table) {
  std::map<uint64_t, uint64_t> counts;
  table.for_each(
      [&](uint64_t key, uint64_t count) { EXPECT_TRUE(counts.emplace(key, count).second) << key; });
  return counts;
}

TEST(CountTable, AHashTableCountsAsAMapDoes) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    std::mt19937_64 random(seed);
    const unsigned shift = seed % 40;  // keys that differ in upper bits only
    CountTable table;
    std::map<uint64_t, uint64_t> expected;
    for (int i = 0; i < 5000; ++i) {
      const uint64_t key = (random() % 2000) << shift;
      table.add(key);
      ++expected[key];
    }
    EXPECT_EQ(counts_of(table), expected) << seed;
  }
}

TEST(CountTable, WhatIsTakenBackIsNoCounter) {
  CountTable table;
  EXPECT_TRUE(table.hash.empty());
  table.add(7);
  --table.counter(7);
  EXPECT_TRUE(table.hash.empty());
  table.add(7);
  EXPECT_EQ(counts_of(table), (std::map<uint64_t, uint64_t>{{7, 1}}));
}

TEST(CountTable, AnArrayTakesTheKeysItHas) {
  CountTable table;
  table.array = LowArray<uint64_t>(10);
  table.add(9);
  table.add(10);
  EXPECT_EQ(table.array[9], 1u);
  EXPECT_EQ(counts_of(table), (std::map<uint64_t, uint64_t>{{9, 1}, {10, 1}}));
}

TEST(LowMemory, IsZeroAndLowAndUsedAgain) {
  std::mt19937_64 random(1);
  std::vector<LowArray<uint64_t>> arrays(100);
  uint64_t highest = 0;
  for (int i = 0; i < 20000; ++i) {
    LowArray<uint64_t> array(1 + random() % (i % 10 == 0 ? 10000 : 100));
    for (const uint64_t element : array) ASSERT_EQ(element, 0u);
    for (uint64_t& element : array) element = ~uint64_t{0};
    highest = std::max<uint64_t>(highest, reinterpret_cast<uint64_t>(array.end()));
    arrays[random() % arrays.size()] = std::move(array);
  }
  EXPECT_LE(highest, uint64_t{1} << 31);
}

}  // namespace
}  // namespace mangata
