// States on several threads at once: whatever the machines share is to be synchronised. Run under ThreadSanitizer, too.
#include <gtest/gtest.h>

#include <atomic>
#include <mangata/mangata.hpp>
#include <thread>

namespace {

using namespace mangata;

constexpr const char* kPrograms[] = {
    "local n = 0 for i = 1, 200000 do if i % 7 == 0 then n = n + i end end return n",
    "local t = {} for i = 1, 20000 do t[i] = {i, tostring(i)} end table.sort(t, function(a, b) return a[2] < b[2] end) return t[1][1] * #t",
    "local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end return fib(22)",
    "local n = 0 for w in (('alpha beta gamma '):rep(2000)):gmatch('%a+') do n = n + #w end return n",
    "local n = 0 local co = coroutine.wrap(function() for i = 1, 20000 do coroutine.yield(i) end return 0 end) "
    "for i = 1, 20000 do n = n + co() end return n",
    "local s = 0 for i = 1, 300 do local f = load('local a = ... return a + ' .. i) s = s + f(i) end return s",
    "local C = {} C.__index = C function C:add(n) self.n = self.n + n return self end local o = setmetatable({n = 0}, C) "
    "for i = 1, 50000 do o:add(i) end return o.n",
    "local x, n = 1, 0 for i = 1, 30000 do x = (x * 1103515245 + 12345) & 0x7fffffff if x & 1 == 0 then n = n + 1 else n = n - 1 end end return n",
};

/// 8 states, each moving between 4 threads from program to program.
void run_everywhere(const char* policy) {
  const Engine engine({.policy = policy});
  std::vector<int64_t> expected;
  for (const char* program : kPrograms) expected.push_back(State(engine).run<int64_t>(program).value());
  constexpr int kStates = 8, kThreads = 4, kRounds = 1;
  struct Slot {
    std::atomic<bool> is_taken{false};
    std::optional<State> state;
  };
  std::vector<Slot> slots(kStates);
  for (Slot& slot : slots) slot.state.emplace(engine, StateOptions{{.memory_bytes = size_t{256} << 20, .timeout = std::chrono::seconds(100)}, {}});
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      constexpr int kCount = static_cast<int>(std::size(kPrograms));
      for (int job = next++; job < kRounds * kCount * kStates; job = next++) {
        Slot& slot = slots[static_cast<size_t>(job % kStates)];
        if (slot.is_taken.exchange(true)) continue;
        const size_t program = static_cast<size_t>(job / kStates % kCount);
        EXPECT_EQ(slot.state->run<int64_t>(kPrograms[program]).value_or(-1), expected[program]);
        if (job % 5 == 0) slot.state.emplace(engine);
        slot.is_taken = false;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, RunStatesUnderAdaptive) { run_everywhere("adaptive"); }
TEST(Threads, RunStatesAsBaselineCode) { run_everywhere("baseline"); }
TEST(Threads, RunStatesInTheInterpreter) { run_everywhere("interpreter"); }
TEST(Threads, RunStatesWithOptimizedLoops) { run_everywhere("optimizer:warm=500"); }

TEST(Threads, OneStateIsRefusedWhileAnotherThreadIsInside) {
  const Engine engine;
  State state(engine, {{.fuel = 1000000}, {}});
  std::atomic<bool> is_inside{false}, may_leave{false};
  state["wait"] = [&] {
    is_inside = true;
    while (!may_leave) std::this_thread::yield();
  };
  std::thread other([&] { EXPECT_TRUE(state.run("wait()").ok()); });
  while (!is_inside) std::this_thread::yield();
  EXPECT_EQ(state.run("x = 1").error().kind, ErrorKind::Misuse);
  EXPECT_EQ(state.paths().start().error().kind, ErrorKind::Misuse);
  EXPECT_EQ(state.paths().top(3).error().kind, ErrorKind::Misuse);
  EXPECT_EQ(state.paths().report().error().kind, ErrorKind::Misuse);
  EXPECT_EQ(state.fuel(), 0u);
  EXPECT_EQ(state.memory_used(), 0u);
  may_leave = true;
  other.join();
  EXPECT_TRUE(state.run("x = 1").ok());
  EXPECT_GT(state.fuel(), 0u);
  EXPECT_GT(state.memory_used(), 0u);
}

}  // namespace
