/* What calls between Lua and C cost: the module that cost.lua measures. */
#include "lauxlib.h"
#include "lua.h"

static int nothing(lua_State *L) {
  (void)L;
  return 0;
}

static int add(lua_State *L) {
  lua_pushinteger(L, luaL_checkinteger(L, 1) + luaL_checkinteger(L, 2));
  return 1;
}

static int field(lua_State *L) {
  lua_getfield(L, 1, "x");
  return 1;
}

static int fail(lua_State *L) {
  lua_pushnil(L);
  return lua_error(L);
}

static int call_back(lua_State *L) {
  lua_Integer i, n = luaL_checkinteger(L, 2);
  for (i = 0; i < n; ++i) {
    lua_pushvalue(L, 1);
    lua_pushinteger(L, i);
    lua_call(L, 1, 0);
  }
  return 0;
}

static int call_back_protected(lua_State *L) {
  lua_Integer i, n = luaL_checkinteger(L, 2);
  for (i = 0; i < n; ++i) {
    lua_pushvalue(L, 1);
    lua_pushinteger(L, i);
    lua_pcall(L, 1, 0, 0);
  }
  return 0;
}

static int yield(lua_State *L) { return lua_yield(L, lua_gettop(L)); }

static int fill(lua_State *L) {
  lua_Integer i, n = luaL_checkinteger(L, 1);
  lua_createtable(L, (int)n, 0);
  for (i = 1; i <= n; ++i) {
    lua_pushinteger(L, i);
    lua_rawseti(L, -2, i);
  }
  return 1;
}

static int strings(lua_State *L) {
  lua_Integer i, n = luaL_checkinteger(L, 1);
  for (i = 1; i <= n; ++i) {
    lua_pushstring(L, "hello world");
    lua_pop(L, 1);
  }
  return 0;
}

int luaopen_cost(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"nothing", nothing}, {"add", add},     {"field", field}, {"fail", fail},       {"call_back", call_back},
      {"call_back_protected", call_back_protected}, {"yield", yield}, {"fill", fill}, {"strings", strings}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
