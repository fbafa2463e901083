// The auxiliary library: tables of functions, modules, loading from files (Lua 5.4 manual §5).
#include <string>

#include "runtime/c_boundary/protect.h"
#include "runtime/capi/status.h"
#include "runtime/lib/load_file.h"
#include "vm/bytecode/chunk.h"

namespace mangata::capi {
namespace {

/// Pushes the function or the error value; returns the status.
int push_loaded(Thread& thread, Result<LuaFunction*> loaded) {
  Vm& vm = *thread.vm;
  if (!loaded.ok()) {
    push(thread, vm.error);
    vm.error = Value::nil();
    return status_of_error(vm, thread.top[-1]) == LUA_ERRMEM ? LUA_ERRMEM : LUA_ERRSYNTAX;
  }
  LuaFunction* function = loaded.value();
  push(thread, Value::function(function));
  if (function->upvalue_count() > 0) {
    Upvalue* environment = function->upvalues[0];
    *environment->location = table_get_integer(vm.registry, LUA_RIDX_GLOBALS);
    vm.heap.write_barrier(environment, *environment->location);
  }
  return LUA_OK;
}

int load_from_file(Thread& thread, const char* file_name, const char* mode) {
  Vm& vm = *thread.vm;
  const Result<SourceText> source = read_source(vm, file_name);
  if (source.ok()) return push_loaded(thread, load(vm, source.value().text, source.value().chunk_name, mode));
  push(thread, vm.error);
  vm.error = Value::nil();
  return LUA_ERRFILE;
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

int luaL_loadfilex(lua_State* L, const char* filename, const char* mode) {
  Thread& thread = thread_of(L);
  const int status = load_from_file(thread, filename, mode == nullptr ? "bt" : mode);
  safepoint(thread);
  return status;
}

int luaL_loadbufferx(lua_State* L, const char* buff, size_t sz, const char* name, const char* mode) {
  Thread& thread = thread_of(L);
  const int status = push_loaded(
      thread, load(*thread.vm, {buff, sz}, name == nullptr ? "?" : name, mode == nullptr ? "bt" : mode));
  safepoint(thread);
  return status;
}

int luaL_loadstring(lua_State* L, const char* s) {
  return luaL_loadbufferx(L, s, std::string_view(s).size(), s, nullptr);
}

void luaL_setfuncs(lua_State* L, const luaL_Reg* l, int nup) {
  luaL_checkstack(L, nup, "too many upvalues");
  for (; l->name != nullptr; ++l) {
    if (l->func == nullptr) {
      lua_pushboolean(L, 0);
    } else {
      for (int i = 0; i < nup; ++i) lua_pushvalue(L, -nup);
      lua_pushcclosure(L, l->func, nup);
    }
    lua_setfield(L, -(nup + 2), l->name);
  }
  lua_pop(L, nup);
}

int luaL_getsubtable(lua_State* L, int idx, const char* fname) {
  if (lua_getfield(L, idx, fname) == LUA_TTABLE) return 1;
  lua_pop(L, 1);
  idx = lua_absindex(L, idx);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, idx, fname);
  return 0;
}

void luaL_requiref(lua_State* L, const char* modname, lua_CFunction openf, int glb) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, modname);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    lua_pushcfunction(L, openf);
    lua_pushstring(L, modname);
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, modname);
  }
  lua_remove(L, -2);
  if (glb) {
    lua_pushvalue(L, -1);
    lua_setglobal(L, modname);
  }
}
