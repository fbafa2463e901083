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

/// Each key has its count, less than what rounds have given up; and nothing is lost of the sum.
TEST(CountTable, WithinABudgetTheFrequentKeysStay) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    std::mt19937_64 random(seed);
    CountBudget budget{.bytes_left = size_t{1} << 18};
    std::map<uint64_t, uint64_t> expected;
    {
      CountTable table;
      table.hash.set_budget(budget);
      constexpr uint64_t kEvents = 100000, kFrequent = 20;
      for (uint64_t i = 0; i < kEvents; ++i) {
        const uint64_t key = random() % 4 == 0 ? random() % kFrequent : random() >> 8;
        table.add(key);
        ++expected[key];
      }
      const GivenUpCounts& given_up = table.hash.given_up();
      EXPECT_GT(given_up.keys, 0u);
      uint64_t sum = given_up.executions;
      size_t kept = 0;
      table.hash.for_each([&](uint64_t key, uint64_t count) {
        sum += count;
        ++kept;
        EXPECT_LE(count, expected[key]);
        EXPECT_GE(count + given_up.most_missing, expected[key]);
      });
      EXPECT_EQ(sum, kEvents);
      EXPECT_LE(kept, 8192u);
      for (uint64_t key = 0; key < kFrequent; ++key) EXPECT_EQ(table.value(key), expected[key]);
      EXPECT_LT(budget.bytes_left, size_t{1} << 18);
    }
    EXPECT_EQ(budget.bytes_left, size_t{1} << 18);
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
