// luaopen_* and luaL_openlibs: the standard library for hosts that open it part by part.
//
// Our libraries register themselves when they are opened (runtime/lib/libraries.h); in the C API that is the caller's business.
#include "runtime/c_boundary/protect.h"
#include "runtime/lib/libraries.h"
#include "vm/native.h"

namespace mangata::capi {
namespace {

/// Opens a library, takes its registrations back, and pushes it.
int open(lua_State* state, const char* name, void (*open_library)(Vm& vm)) {
  Thread& thread = thread_of(state);
  Vm& vm = *thread.vm;
  lua_settop(state, 0);
  luaL_getsubtable(state, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(state, 1, name);
  lua_pushglobaltable(state);
  lua_pushstring(state, name);
  lua_rawget(state, -2);
  open_library(vm);
  lua_getfield(state, 1, name);
  lua_insert(state, 1);                // library, loaded, old module, globals, old global
  lua_pushstring(state, name);
  lua_insert(state, -2);
  lua_rawset(state, 4);
  lua_pushvalue(state, 3);
  lua_setfield(state, 2, name);
  lua_settop(state, 1);
  return 1;
}

constexpr luaL_Reg kLibraries[] = {{LUA_GNAME, luaopen_base}, {LUA_LOADLIBNAME, luaopen_package}, {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table}, {LUA_IOLIBNAME, luaopen_io}, {LUA_OSLIBNAME, luaopen_os}, {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math}, {LUA_UTF8LIBNAME, luaopen_utf8}, {LUA_DBLIBNAME, luaopen_debug}};

}  // namespace
}  // namespace mangata::capi

using namespace mangata;

int luaopen_base(lua_State* L) {
  open_base(capi::vm_of(L));
  lua_pushglobaltable(L);
  return 1;
}

int luaopen_coroutine(lua_State* L) { return capi::open(L, LUA_COLIBNAME, open_coroutine); }
int luaopen_table(lua_State* L) { return capi::open(L, LUA_TABLIBNAME, open_table); }
int luaopen_io(lua_State* L) { return capi::open(L, LUA_IOLIBNAME, open_io); }
int luaopen_os(lua_State* L) { return capi::open(L, LUA_OSLIBNAME, open_os); }
int luaopen_string(lua_State* L) { return capi::open(L, LUA_STRLIBNAME, open_string); }
int luaopen_utf8(lua_State* L) { return capi::open(L, LUA_UTF8LIBNAME, open_utf8); }
int luaopen_math(lua_State* L) { return capi::open(L, LUA_MATHLIBNAME, open_math); }
int luaopen_debug(lua_State* L) { return capi::open(L, LUA_DBLIBNAME, open_debug); }
int luaopen_package(lua_State* L) { return capi::open(L, LUA_LOADLIBNAME, open_package); }

void luaL_openlibs(lua_State* L) {
  for (const luaL_Reg& library : capi::kLibraries) {
    luaL_requiref(L, library.name, library.func, 1);
    lua_pop(L, 1);
  }
}
