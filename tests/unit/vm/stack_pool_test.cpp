// Stacks of threads: what lies around them, and who gets which.
#include "vm/object/stack_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mangata {
namespace {

/// Writes to the highest and the lowest byte of the native stack.
void touch_ends(StackPool& pool, StackPair& pair) {
  pool.prepare_native(pair);
  pair.native_high()[-1] = 1;
  *pair.guard_high() = 2;
}

std::vector<StackPair*> take(StackPool& pool, size_t count) {
  std::vector<StackPair*> pairs;
  for (size_t i = 0; i < count; ++i) pairs.push_back(pool.take());
  return pairs;
}

TEST(StackPool, EachNativeStackEndsInAGuard) {
  StackPool pool;
  const std::vector<StackPair*> pairs = take(pool, 400);  // of two kinds, more than one mapping of each
  for (StackPair* pair : pairs) {
    ASSERT_NE(pair, nullptr);
    touch_ends(pool, *pair);
    EXPECT_TRUE(pair->has_guard);
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const size_t at : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{399}}) {
    EXPECT_DEATH(*(pairs[at]->guard_high() - 1) = 1, "") << at;
    EXPECT_DEATH(*(pairs[at]->guard_high() - NativeStack::kGuardBytes) = 1, "") << at;
  }
}

TEST(StackPool, PairsAreReusedLastInFirstOutAndDeepOnesFirst) {
  StackPool pool;
  constexpr size_t kDeep = kStackKinds[0].most;
  const std::vector<StackPair*> pairs = take(pool, kDeep + 100);
  EXPECT_EQ(pairs[0]->slots, Thread::kMaxStackSlots);
  EXPECT_EQ(pairs[kDeep + 99]->slots, kStackKinds[1].slots);
  for (const int i : {99, 0, 1, 98})
    pool.give_back(pairs[static_cast<size_t>(i)], pairs[static_cast<size_t>(i)]->bottom);
  for (const int i : {1, 0, 98, 99}) EXPECT_EQ(pool.take(), pairs[static_cast<size_t>(i)]) << i;
}

TEST(StackPool, AVmStackGivenBackIsNil) {
  StackPool pool;
  for (const int slots : {1, 80, 500, 3000, 200000}) {
    StackPair* pair = pool.take();
    for (int i = 0; i < slots; ++i) pair->bottom[i] = Value::integer(i);
    pool.give_back(pair, pair->bottom + slots);
    ASSERT_EQ(pool.take(), pair);
    for (int i = 0; i < slots; ++i)
      ASSERT_TRUE(pair->bottom[i].is_nil() && pair->bottom[i].payload == 0) << i;
    pool.give_back(pair, pair->bottom);
  }
}

TEST(StackPool, AllButTheWarmPairsAreEmpty) {
  constexpr size_t kPairs = 400, kWarm = 128;
  StackPool pool;
  const std::vector<StackPair*> pairs = take(pool, kPairs);
  for (StackPair* pair : pairs) {
    touch_ends(pool, *pair);
    *pair->bottom = Value::integer(1);
  }
  pool.set_warm_limit(size_t{64} << 20);
  for (StackPair* pair : pairs) pool.give_back(pair, pair->bottom + 1);
  for (StackPair* pair : pairs) EXPECT_EQ(pair->native_high()[-1], 1);
  pool.set_warm_limit(0);
  pool.trim();
  size_t counts[kStackKindCount] = {}, warm_counts[kStackKindCount] = {};
  for (const StackPair* pair : pairs) {
    const bool is_warm = pair->native_high()[-1] == 1;
    EXPECT_TRUE(pair->bottom->is_nil());
    EXPECT_EQ(*pair->guard_high() == 2, is_warm);
    ++counts[pair->kind];
    warm_counts[pair->kind] += is_warm ? 1 : 0;
  }
  for (size_t kind = 0; kind < kStackKindCount; ++kind)
    EXPECT_EQ(warm_counts[kind], std::min(counts[kind], kWarm));
}

TEST(StackPool, ThousandsAreApartByOddNumbersOfPages) {
  StackPool pool;
  std::vector<StackPair*> pairs = take(pool, 9000);
  for (StackPair* pair : pairs) {
    ASSERT_NE(pair, nullptr);
    *pair->bottom = Value::integer(1);
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const StackPair* a, const StackPair* b) { return a->bottom < b->bottom; });
  int odd = 0;
  for (size_t i = 1; i < pairs.size(); ++i) {
    const Value* end = pairs[i - 1]->bottom + pairs[i - 1]->slots + StackReserve::kSpareSlots;
    ASSERT_LE(reinterpret_cast<const char*>(end), pairs[i]->guard_high() - NativeStack::kGuardBytes) << i;
    if (pairs[i]->kind != pairs[i - 1]->kind) continue;
    const ptrdiff_t distance = pairs[i]->first_page() - pairs[i - 1]->first_page();
    odd += distance / static_cast<ptrdiff_t>(StackPair::kPageBytes) % 2 != 0 ? 1 : 0;
  }
  EXPECT_GT(odd, 8000);  // mappings may be any distance apart
}

}  // namespace
}  // namespace mangata
