// A host in C++ that lets exceptions out of the functions that Lua calls, and catches them where it called
// Lua. Prints what is not as it should be.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "lua.hpp"

namespace {

int failures;
void expect(bool holds, const char* text, const std::string& got) {
  if (holds) return;
  ++failures;
  std::printf("%s: %s\n", text, got.c_str());
}

int living;  ///< objects in the frames of C functions, which exceptions must destroy
struct Witness {
  Witness() { ++living; }
  ~Witness() { --living; }
};

int fail_at(lua_State* L) {
  const Witness witness;
  if (luaL_checkinteger(L, 1) == luaL_checkinteger(L, 2)) throw std::runtime_error("thrown");
  return 0;
}

/// Calls its argument and lets pass what comes.
int through(lua_State* L) {
  const Witness witness;
  lua_call(L, 0, 0);
  return 0;
}

/// Calls its argument and tells what came.
int guard(lua_State* L) {
  const int height = lua_gettop(L);
  try {
    lua_call(L, 0, 1);
  } catch (const std::exception& caught) {
    lua_settop(L, height - 1);
    lua_pushstring(L, caught.what());
  }
  return 1;
}

int continuation(lua_State*, int, lua_KContext) { throw std::runtime_error("in a continuation"); }
int yields(lua_State* L) { return lua_yieldk(L, 0, 0, continuation); }

void hook(lua_State* L, lua_Debug*) {
  lua_sethook(L, nullptr, 0, 0);
  throw std::runtime_error("in a hook");
}

const char* reader(lua_State*, void*, size_t*) { throw std::runtime_error("in a reader"); }

/// Runs `text` `times` times, in each of the ways a host has: the exception `expected` comes out each time.
void run(lua_State* L, const char* text, const char* expected, int times = 1) {
  for (int i = 0; i < 3 * times; ++i) {
    lua_State* thread = i % 3 == 2 ? lua_newthread(L) : L;
    const int height = lua_gettop(L);
    std::string got = "no exception";
    luaL_loadbuffer(thread, text, std::strlen(text), "=host");
    try {
      int results = 0;
      if (i % 3 == 0) lua_call(L, 0, 0);
      if (i % 3 == 1) lua_pcall(L, 0, 0, 0);
      if (i % 3 == 2) lua_resume(thread, L, 0, &results);
    } catch (const std::exception& exception) {
      got = exception.what();
    }
    expect(got == expected, text, got);
    expect(lua_gettop(L) >= height, text, "values are missing");
    expect(living == 0, text, "objects live on");
    lua_settop(L, 0);
  }
}

/// Runs `text`, which returns the string `expected`, without an exception.
void show(lua_State* L, const char* text, const char* expected) {
  luaL_loadstring(L, text);
  lua_pcall(L, 0, 1, 0);
  const std::string got = luaL_tolstring(L, -1, nullptr);
  expect(got == expected, text, got);
  lua_settop(L, 0);
}

}  // namespace

int main() {
  lua_State* L = luaL_newstate();
  luaL_openlibs(L);
  lua_register(L, "fail_at", fail_at);
  lua_register(L, "through", through);
  lua_register(L, "guard", guard);
  lua_register(L, "yields", yields);
  run(L, "fail_at(1, 1)", "thrown", 300);
  // from machine code
  run(L, "for i = 1, 30000 do fail_at(i, 30000) end", "thrown");
  run(L, "local function deep(n) if n == 0 then fail_at(1, 1) end deep(n - 1) return n end deep(100)",
      "thrown", 300);
  // nothing in Lua catches it
  run(L, "pcall(pcall, fail_at, 1, 1) xpcall(fail_at, print, 1, 1)", "thrown", 300);
  run(L, "local x <close> = setmetatable({}, {__close = function() print 'closed' end}) fail_at(1, 1)",
      "thrown");
  // from other native stacks, through C code
  run(L, "coroutine.wrap(function() coroutine.wrap(through)(function() fail_at(1, 1) end) end)()", "thrown",
      300);
  run(L,
      "local co = coroutine.wrap(function() coroutine.yield() through(function() fail_at(1, 1) end) end) "
      "co() co()",
      "thrown");
  run(L, "table.sort({1, 2, 3}, function() fail_at(1, 1) end)", "thrown");
  run(L, "local t = setmetatable({}, {__index = function() fail_at(1, 1) end}) return t.x", "thrown");
  run(L, "local co = coroutine.wrap(yields) co() co()", "in a continuation");
  // C code catches it, and Lua goes on
  show(L,
       "local n = 0 for i = 1, 1000 do if guard(function() fail_at(i, i) end) == 'thrown' then n = n + 1 end "
       "end return n",
       "1000");
  show(L,
       "local f; local text = guard(function() local x = 7; f = function() x = x + 1 return x end; "
       "fail_at(1, 1) end) return text .. f() .. f()",
       "thrown89");
  show(L,
       "return coroutine.wrap(function() local x = coroutine.yield(guard(function() fail_at(1, 1) end)) "
       "return x end)()",
       "thrown");
  show(L, "return select(2, pcall(error, 'an error'))", "an error");
  lua_sethook(L, hook, LUA_MASKCOUNT, 1000);
  try {
    luaL_dostring(L, "while true do end");
    expect(false, "lua_sethook", "no exception");
  } catch (const std::exception& caught) {
    expect(std::string(caught.what()) == "in a hook", "lua_sethook", caught.what());
  }
  lua_settop(L, 0);
  try {
    lua_load(L, reader, nullptr, "=reader", nullptr);
    expect(false, "lua_load", "no exception");
  } catch (const std::exception& caught) {
    expect(std::string(caught.what()) == "in a reader", "lua_load", caught.what());
  }
  lua_settop(L, 0);
  show(L, "collectgarbage() return 'the end'", "the end");
  lua_close(L);
  return failures == 0 ? 0 : 1;
}
