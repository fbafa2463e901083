// Native stacks of coroutines: what lies below them.
#include "vm/interpreter/native_stack.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace mangata {
namespace {

/// Writes to the highest and the lowest byte of the stack.
void touch_ends(NativeStack& stack) {
  stack.high()[-1] = 1;
  *stack.low = 2;
}

TEST(NativeStackPool, EachStackEndsInAGuard) {
  NativeStackPool pool;
  std::vector<NativeStack*> stacks;
  for (int i = 0; i < 130; ++i) stacks.push_back(pool.take());  // more than one mapping
  for (NativeStack* stack : stacks) {
    ASSERT_NE(stack, nullptr);
    touch_ends(*stack);
    EXPECT_TRUE(stack->has_guard);
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const size_t at : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{129}}) {
    EXPECT_DEATH(*(stacks[at]->low - 1) = 1, "") << at;
    EXPECT_DEATH(*(stacks[at]->low - NativeStack::kGuardBytes) = 1, "") << at;
  }
}

TEST(NativeStackPool, StacksAreReusedLastInFirstOut) {
  NativeStackPool pool;
  NativeStack* first = pool.take();
  NativeStack* second = pool.take();
  touch_ends(*first);
  pool.give_back(first);
  pool.give_back(second);
  EXPECT_EQ(pool.take(), second);
  EXPECT_EQ(pool.take(), first);
  EXPECT_EQ(*first->low, 2);
}

TEST(NativeStackPool, TrimmedStacksAreEmptyAndTheOthersAreNot) {
  NativeStackPool pool;
  std::vector<NativeStack*> stacks;
  for (int i = 0; i < 100; ++i) stacks.push_back(pool.take());
  for (NativeStack* stack : stacks) touch_ends(*stack);
  for (NativeStack* stack : stacks) pool.give_back(stack);
  pool.trim(10);
  for (int i = 0; i < 90; ++i) EXPECT_EQ(*stacks[static_cast<size_t>(i)]->low, 0) << i;
  for (int i = 90; i < 100; ++i) EXPECT_EQ(*stacks[static_cast<size_t>(i)]->low, 2) << i;
  // What is used again is trimmed again.
  NativeStack* last = nullptr;
  for (int i = 0; i < 60; ++i) last = pool.take();
  touch_ends(*last);
  pool.give_back(last);
  pool.trim(0);
  EXPECT_EQ(*last->low, 0);
}

TEST(NativeStackPool, ThousandsAreApart) {
  NativeStackPool pool;
  std::set<char*> lows;
  for (int i = 0; i < 9000; ++i) {
    NativeStack* stack = pool.take();
    ASSERT_NE(stack, nullptr) << i;
    stack->high()[-1] = 1;
    lows.insert(stack->low);
  }
  char* previous = nullptr;
  for (char* low : lows) {
    if (previous != nullptr) ASSERT_GE(low - previous, static_cast<ptrdiff_t>(NativeStack::kBytes + NativeStack::kGuardBytes));
    previous = low;
  }
}

}  // namespace
}  // namespace mangata
