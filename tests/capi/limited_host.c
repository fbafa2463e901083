/* A host that limits memory by its allocator, as hosts of the C API do: it runs on every liblua5.4.so.0. Prints what fails. */
#include <stdio.h>
#include <stdlib.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

struct account {
  size_t used, limit, most;
  long blocks;
};

static void *allocate(void *data, void *block, size_t old_size, size_t new_size) {
  struct account *account = (struct account *)data;
  if (block == NULL) old_size = 0;
  if (new_size == 0) {
    if (block != NULL) --account->blocks;
    account->used -= old_size;
    free(block);
    return NULL;
  }
  if (new_size > old_size && account->used - old_size + new_size > account->limit) return NULL;
  void *result = realloc(block, new_size);
  if (result == NULL) return NULL;
  if (block == NULL) ++account->blocks;
  account->used += new_size - old_size;
  if (account->used > account->most) account->most = account->used;
  return result;
}

static int failures = 0;

static void expect(int ok, const char *what, const char *detail) {
  if (ok) return;
  ++failures;
  printf("%s: %s\n", what, detail == NULL ? "" : detail);
}

static int huge_userdata(lua_State *L) {
  lua_newuserdatauv(L, (size_t)64 << 20, 0);
  return 1;
}

static const char *const kBombs[] = {
    "local t = {} while true do t[#t + 1] = {} end",
    "local s = 'x' while true do s = s .. s end",
    "local t = {} for i = 1, math.huge do t['k' .. i] = i end",
    "local t = {} while true do t[#t + 1] = function() return t end end",
    "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
    "return string.rep('x', 1 << 28)",
    "return table.concat({string.rep('x', 1 << 22), string.rep('y', 1 << 22), string.rep('z', 1 << 22)})",
    "return huge_userdata()",
};

/* Errors of memory end what runs, and the machine is as good as new. */
static void run_bombs(lua_State *L, struct account *account) {
  const size_t spare = (size_t)1 << 20;
  size_t i, before;
  lua_register(L, "huge_userdata", huge_userdata);
  lua_gc(L, LUA_GCCOLLECT);
  before = account->used;
  for (i = 0; i < sizeof kBombs / sizeof *kBombs; ++i) {
    const int status = luaL_loadstring(L, kBombs[i]) == LUA_OK ? lua_pcall(L, 0, LUA_MULTRET, 0) : -1;
    expect(status == LUA_ERRMEM, kBombs[i], lua_tostring(L, -1));
    lua_settop(L, 0);
    lua_gc(L, LUA_GCCOLLECT);
    lua_gc(L, LUA_GCCOLLECT);
    expect(account->used <= before + spare, kBombs[i], "keeps memory");
  }
  /* Garbage is no reason to fail. */
  expect(luaL_dostring(L, "local s for i = 1, 3000 do s = string.rep('x', 100000) .. i local t = {} for k = 1, 100 do t[k] = {} end end") ==
             LUA_OK, "garbage", lua_tostring(L, -1));
  expect(account->most <= account->limit, "the limit", "was passed");
}

int main(void) {
  struct account nothing = {0, 100, 0, 0};
  struct account some = {0, (size_t)8 << 20, 0, 0};
  struct account late = {0, (size_t)8 << 20, 0, 0};
  lua_State *L;
  expect(lua_newstate(allocate, &nothing) == NULL && nothing.used == 0, "lua_newstate", "needs no memory");

  L = lua_newstate(allocate, &some);
  expect(L != NULL && some.used != 0, "lua_newstate", "asks for nothing");
  luaL_openlibs(L);
  run_bombs(L, &some);
  lua_close(L);
  expect(some.used == 0 && some.blocks == 0, "lua_close", "does not give all memory back");

  /* The allocator may be changed: what was allocated before stays out of the new one's account. */
  L = luaL_newstate();
  luaL_openlibs(L);
  late.used = (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
  lua_setallocf(L, allocate, &late);
  run_bombs(L, &late);
  lua_close(L);

  printf(failures == 0 ? "limited\n" : "%d failures\n", failures);
  return failures != 0;
}
