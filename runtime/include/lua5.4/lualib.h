/* The standard library, library by library (Lua 5.4 manual §6). */
#ifndef lualib_h
#define lualib_h

#include "lua.h"

#define LUA_VERSUFFIX "_" LUA_VERSION_MAJOR "_" LUA_VERSION_MINOR /* of environment variables */

LUAMOD_API int(luaopen_base)(lua_State *L);
#define LUA_COLIBNAME "coroutine"
LUAMOD_API int(luaopen_coroutine)(lua_State *L);
#define LUA_TABLIBNAME "table"
LUAMOD_API int(luaopen_table)(lua_State *L);
#define LUA_IOLIBNAME "io"
LUAMOD_API int(luaopen_io)(lua_State *L);
#define LUA_OSLIBNAME "os"
LUAMOD_API int(luaopen_os)(lua_State *L);
#define LUA_STRLIBNAME "string"
LUAMOD_API int(luaopen_string)(lua_State *L);
#define LUA_UTF8LIBNAME "utf8"
LUAMOD_API int(luaopen_utf8)(lua_State *L);
#define LUA_MATHLIBNAME "math"
LUAMOD_API int(luaopen_math)(lua_State *L);
#define LUA_DBLIBNAME "debug"
LUAMOD_API int(luaopen_debug)(lua_State *L);
#define LUA_LOADLIBNAME "package"
LUAMOD_API int(luaopen_package)(lua_State *L);

LUALIB_API void(luaL_openlibs)(lua_State *L); /* all of them */

#endif
