/* Threads of the host: lua_newthread, lua_resume, lua_xmove, calls on threads that do not run; machines of the host. */
#include <stdlib.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "probe.h"

static int new_thread(lua_State *L) {
  const int has_function = !lua_isnone(L, 1);
  lua_State *T = lua_newthread(L);
  if (has_function) {
    lua_pushvalue(L, 1);
    lua_xmove(L, T, 1);
  }
  return 1;
}

/* resume(thread, ...): status, results; the results are taken off the thread. */
static int resume(lua_State *L) {
  lua_State *T = lua_tothread(L, 1);
  const int count = lua_gettop(L) - 1;
  int results, status;
  lua_checkstack(T, count);
  lua_xmove(L, T, count);
  status = lua_resume(T, L, count, &results);
  lua_pushinteger(L, status);
  if (status > LUA_YIELD) results = 1;
  luaL_checkstack(L, results + 1, NULL);
  lua_xmove(T, L, results);
  return results + 1;
}

/* resume_whole(thread, ...): status, the count of results, which is -1 when lua_resume says nothing; all stays on the thread, and its height. */
static int resume_whole(lua_State *L) {
  lua_State *T = lua_tothread(L, 1);
  const int count = lua_gettop(L) - 1;
  int results = -1;
  lua_xmove(L, T, count);
  lua_pushinteger(L, lua_resume(T, L, count, &results));
  lua_pushinteger(L, results);
  lua_pushinteger(L, lua_gettop(T));
  return 3;
}

/* same_address(thread, userdata or function): whether lua_topointer gives what C code knows it by. */
static int same_address(lua_State *L) {
  const void *known = lua_touserdata(L, 1);
  if (lua_isthread(L, 1)) known = lua_tothread(L, 1);
  if (lua_iscfunction(L, 1)) known = (const void *)(size_t)lua_tocfunction(L, 1);
  lua_pushboolean(L, lua_topointer(L, 1) == known);
  lua_pushfstring(L, "%p", known);
  return 2;
}

static int status(lua_State *L) {
  lua_State *T = lua_tothread(L, 1);
  lua_pushinteger(L, lua_status(T));
  lua_pushinteger(L, lua_gettop(T));
  return 2;
}

static int push_on(lua_State *L) {
  lua_xmove(L, lua_tothread(L, 1), lua_gettop(L) - 1);
  return 0;
}

static int close_thread(lua_State *L) {
  lua_State *T = lua_tothread(L, 1);
  lua_pushinteger(L, lua_closethread(T, L));
  if (lua_gettop(T) == 0) return 1;
  lua_xmove(T, L, 1);
  return 2;
}

/* pcall(thread, f, ...) on the stack of a thread that does not run. */
static int pcall_on(lua_State *L) {
  lua_State *T = lua_tothread(L, 1);
  const int count = lua_gettop(L) - 1;
  const int below = lua_gettop(T);
  lua_xmove(L, T, count);
  lua_pushinteger(L, lua_pcall(T, count - 1, LUA_MULTRET, 0));
  {
    const int results = lua_gettop(T) - below;
    lua_xmove(T, L, results);
    return results + 1;
  }
}

/* The same unprotected: an error is an error of the caller. */
static int call_on(lua_State *L) {
  lua_State *T = lua_tothread(L, 1);
  const int count = lua_gettop(L) - 1;
  const int below = lua_gettop(T);
  lua_xmove(L, T, count);
  lua_call(T, count - 1, LUA_MULTRET);
  {
    const int results = lua_gettop(T) - below;
    lua_xmove(T, L, results);
    return results;
  }
}

static int extra_space(lua_State *L) {
  lua_State *T = lua_newthread(L);
  *(size_t *)lua_getextraspace(T) = 42;
  lua_pushinteger(L, (lua_Integer) * (size_t *)lua_getextraspace(T));
  lua_pushboolean(L, lua_tothread(L, -2) == T);
  return 2;
}

static int counting_panics(lua_State *L) {
  (void)L;
  return 0;
}

struct Account {
  size_t blocks;
};

static void *account(void *data, void *block, size_t old_size, size_t new_size) {
  (void)old_size;
  ((struct Account *)data)->blocks++;
  if (new_size != 0) return realloc(block, new_size);
  free(block);
  return NULL;
}

/* Runs a text in a machine of its own; gives what it returns as a string. */
static int other_machine(lua_State *L) {
  const char *text = luaL_checkstring(L, 1);
  const int own_allocator = lua_toboolean(L, 2);
  struct Account used = {0};
  lua_State *M = own_allocator ? lua_newstate(account, &used) : luaL_newstate();
  int failed;
  void *data = NULL;
  if (M == NULL) return luaL_error(L, "no machine");
  lua_atpanic(M, counting_panics);
  lua_pushboolean(L, lua_atpanic(M, counting_panics) == counting_panics && (!own_allocator || (lua_getallocf(M, &data) == account && data == &used)));
  lua_pushnil(L);
  lua_getglobal(M, "print"); /* no library is open yet */
  lua_pushboolean(L, lua_isnil(M, -1));
  lua_pop(M, 1);
  luaL_openlibs(M);
  failed = luaL_dostring(M, text);
  lua_pushstring(L, luaL_tolstring(M, -1, NULL));
  lua_replace(L, -3);
  lua_pushboolean(L, failed);
  lua_close(M);
  return 4;
}

/* Only some libraries. */
static int sandbox(lua_State *L) {
  lua_State *M = luaL_newstate();
  luaL_requiref(M, LUA_GNAME, luaopen_base, 1);
  luaL_requiref(M, LUA_STRLIBNAME, luaopen_string, 1);
  luaL_requiref(M, LUA_TABLIBNAME, luaopen_table, 0);
  lua_settop(M, 0);
  if (luaL_dostring(M, "return tostring(table) .. tostring(io) .. type(string) .. ('x'):rep(3) .. type(print)")) lua_pop(L, 0);
  lua_pushstring(L, lua_tostring(M, -1));
  lua_close(M);
  return 1;
}

/* Calls itself through the API with a good deal of the native stack in each frame; the depth reached. */
static int recurse(lua_State *L) {
  volatile char room[16384];
  const lua_Integer left = luaL_checkinteger(L, 1);
  room[0] = (char)left;
  room[sizeof room - 1] = (char)left;
  if (left > 0) {
    lua_pushcfunction(L, recurse);
    lua_pushinteger(L, left - 1);
    lua_call(L, 1, 1);
  }
  lua_pushinteger(L, left + (room[0] != room[sizeof room - 1]));
  return 1;
}

void add_thread_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"newthread", new_thread}, {"resume", resume},       {"status", status},         {"push_on", push_on},
      {"closethread", close_thread}, {"pcall_on", pcall_on}, {"call_on", call_on},     {"extraspace", extra_space},
      {"recurse", recurse},         {"machine", other_machine}, {"sandbox", sandbox},
      {"resume_whole", resume_whole}, {"same_address", same_address}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
