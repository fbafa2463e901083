/* The same as calls.c through the C API of Lua 5.4; LuaJIT cannot load it. */
#include "lauxlib.h"

static int api_add(lua_State *L) {
  lua_pushinteger(L, luaL_checkinteger(L, 1) + luaL_checkinteger(L, 2));
  return 1;
}
static int api_nothing(lua_State *L) {
  (void)L;
  return 0;
}
__attribute__((visibility("default"))) int luaopen_api_calls(lua_State *L) {
  static const luaL_Reg functions[] = {{"add", api_add}, {"nothing", api_nothing}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
