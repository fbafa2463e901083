// The auxiliary library: metatables, userdata types, references, display (Lua 5.4 manual §5).
#include <cstring>

#include "runtime/c_boundary/protect.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

/// The element of a table of references that holds the first free one, from which they form a list; 0: none.
constexpr lua_Integer kFreeReferences = LUA_RIDX_LAST + 1;

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

int luaL_getmetafield(lua_State* L, int obj, const char* e) {
  if (!lua_getmetatable(L, obj)) return LUA_TNIL;
  lua_pushstring(L, e);
  const int type = lua_rawget(L, -2);
  if (type == LUA_TNIL) {
    lua_pop(L, 2);
  } else {
    lua_remove(L, -2);
  }
  return type;
}

int luaL_callmeta(lua_State* L, int obj, const char* e) {
  obj = lua_absindex(L, obj);
  if (luaL_getmetafield(L, obj, e) == LUA_TNIL) return 0;
  lua_pushvalue(L, obj);
  lua_call(L, 1, 1);
  return 1;
}

const char* luaL_tolstring(lua_State* L, int idx, size_t* len) {
  Thread& thread = thread_of(L);
  const Value value = or_nil(value_at(thread, idx));
  String* text = protect(thread, [&] { return to_display_string(*thread.vm, value); });
  push(thread, Value::string(text));
  safepoint(thread);
  if (len != nullptr) *len = text->length;
  return text->data;
}

int luaL_newmetatable(lua_State* L, const char* tname) {
  if (luaL_getmetatable(L, tname) != LUA_TNIL) return 0;
  lua_pop(L, 1);
  lua_createtable(L, 0, 2);
  lua_pushstring(L, tname);
  lua_setfield(L, -2, "__name");
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, tname);
  return 1;
}

void luaL_setmetatable(lua_State* L, const char* tname) {
  luaL_getmetatable(L, tname);
  lua_setmetatable(L, -2);
}

void* luaL_testudata(lua_State* L, int ud, const char* tname) {
  Thread& thread = thread_of(L);
  Vm& vm = *thread.vm;
  const Value value = value_at(thread, ud);
  if (!value.is_userdata() && !value.is_light_userdata()) return nullptr;
  const Table* metatable = vm.metatable_of(value);
  if (metatable == nullptr) return nullptr;
  String* key = protect(thread, [&] { return vm.new_string(tname); });
  const Value wanted = table_get_string(vm.registry, key);
  return wanted.is_table() && wanted.as_table() == metatable ? lua_touserdata(L, ud) : nullptr;
}

void* luaL_checkudata(lua_State* L, int ud, const char* tname) {
  void* block = luaL_testudata(L, ud, tname);
  if (block == nullptr) luaL_typeerror(L, ud, tname);
  return block;
}

int luaL_ref(lua_State* L, int t) {
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return LUA_REFNIL;
  }
  t = lua_absindex(L, t);
  lua_Integer reference = 0;
  if (lua_rawgeti(L, t, kFreeReferences) == LUA_TNIL) {
    lua_pushinteger(L, 0);
    lua_rawseti(L, t, kFreeReferences);
  } else {
    reference = lua_tointeger(L, -1);
  }
  lua_pop(L, 1);
  if (reference != 0) {
    lua_rawgeti(L, t, reference);
    lua_rawseti(L, t, kFreeReferences);
  } else {
    reference = static_cast<lua_Integer>(lua_rawlen(L, t)) + 1;
  }
  lua_rawseti(L, t, reference);
  return static_cast<int>(reference);
}

void luaL_unref(lua_State* L, int t, int ref) {
  if (ref < 0) return;
  t = lua_absindex(L, t);
  lua_rawgeti(L, t, kFreeReferences);
  lua_rawseti(L, t, ref);
  lua_pushinteger(L, ref);
  lua_rawseti(L, t, kFreeReferences);
}

lua_Integer luaL_len(lua_State* L, int idx) {
  lua_len(L, idx);
  int is_integer;
  const lua_Integer length = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer) luaL_error(L, "object length is not an integer");
  lua_pop(L, 1);
  return length;
}
