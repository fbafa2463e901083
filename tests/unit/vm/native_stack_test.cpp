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
