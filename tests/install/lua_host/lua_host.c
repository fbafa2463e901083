/* What a host of the C API does, in short: state, libraries, a function of its own, a script. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

static int twice(lua_State *L) {
  lua_pushinteger(L, 2 * luaL_checkinteger(L, 1));
  return 1;
}

int main(void) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_register(L, "twice", twice);
  if (luaL_dostring(L, "local n = 0 for i = 1, 100000 do n = n + twice(i) end return _VERSION, n") != LUA_OK) {
    printf("%s\n", lua_tostring(L, -1));
    return 1;
  }
  printf("%s: %lld\n", lua_tostring(L, -2), (long long)lua_tointeger(L, -1));
  lua_close(L);
  return 0;
}
