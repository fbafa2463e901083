// States of the C API on threads other than the one that has made them: one at a time, as PUC Lua allows it.
#include <gtest/gtest.h>

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "runtime/include/lua5.4/lauxlib.h"
#include "runtime/include/lua5.4/lua.h"
#include "runtime/include/lua5.4/lualib.h"
}

namespace {

int fail(lua_State* state) { return luaL_error(state, "failed"); }
int after_yield(lua_State* state, int, lua_KContext) { return lua_gettop(state); }
int yield_inside(lua_State* state) { return lua_yieldk(state, 0, 0, after_yield); }

lua_State* new_state() {
  lua_State* state = luaL_newstate();
  luaL_openlibs(state);
  lua_register(state, "fail", fail);
  lua_register(state, "yield_inside", yield_inside);
  return state;
}

/// What the code returns, or the message.
std::string run(lua_State* state, const char* code) {
  (void)luaL_dostring(state, code);
  const std::string text = luaL_tolstring(state, -1, nullptr);
  lua_settop(state, 0);
  return text;
}

constexpr const char* kPrograms[][2] = {
    {"local n = 0 for i = 1, 2000 do if not pcall(fail) then n = n + 1 end end return n", "2000"},
    {"local s = 0 for i = 1, 30000 do s = s + i % 3 end return s", "30000"},
    {"generator = generator or coroutine.wrap(function() while true do yield_inside() coroutine.yield() end end) "
     "for i = 1, 500 do generator() end return 'yielded'",
     "yielded"},
    {"local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end return fib(18)", "2584"},
    {"local function deep(n) return 1 + deep(n + 1) end return (select(2, pcall(deep, 1)):match('stack overflow'))", "stack overflow"},
    {"local function nested(n) return (string.gsub('x', 'x', function() return nested(n + 1) end)) end "
     "return (select(2, pcall(nested, 1)):match('C stack overflow'))",
     "C stack overflow"},
    {"for i = 1, 100 do setmetatable({}, {__gc = function() end}) end collectgarbage() return 'collected'", "collected"},
};

TEST(LuaStates, MoveBetweenThreads) {
  constexpr int kStates = 8, kThreads = 4, kJobs = 56;
  std::mutex mutex;
  std::condition_variable given_back;
  std::deque<lua_State*> free_states;
  for (int i = 0; i < kStates; ++i) free_states.push_back(new_state());
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) {
    threads.emplace_back([&, number] {
      for (int job = 0; job < kJobs; ++job) {
        std::unique_lock lock(mutex);
        given_back.wait(lock, [&] { return !free_states.empty(); });
        lua_State* state = free_states.front();
        free_states.pop_front();
        lock.unlock();
        const auto& program = kPrograms[static_cast<size_t>(job + number) % std::size(kPrograms)];
        EXPECT_EQ(run(state, program[0]), program[1]);
        if (job % 8 == 7) {
          lua_close(state);
          state = new_state();
        }
        lock.lock();
        free_states.push_back(state);
        given_back.notify_one();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (lua_State* state : free_states) lua_close(state);
}

void* run_all(void* state) {
  for (const auto& program : kPrograms) EXPECT_EQ(run(static_cast<lua_State*>(state), program[0]), program[1]);
  return nullptr;
}

TEST(LuaStates, RunOnSmallStacks) {
  lua_State* state = new_state();
  for (const size_t bytes : {size_t{8} << 20, size_t{2} << 20, size_t{1} << 20, size_t{8} << 20}) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, &attributes, run_all, state), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
  }
  run_all(state);
  lua_close(state);
}

}  // namespace
