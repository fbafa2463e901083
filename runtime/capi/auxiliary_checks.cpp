// The auxiliary library: arguments, types, errors (Lua 5.4 manual §5).
#include <cerrno>
#include <cstring>
#include <string>

#include "runtime/c_boundary/protect.h"
#include "runtime/lib/exit_status.h"
#include "vm/native.h"
#include "vm/operations/debug_info.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

/// Ends with the error that `make`, which takes a Call and returns Raised, makes.
template <typename Make>
int fail(lua_State* state, Make make) {
  Thread& thread = thread_of(state);
  protect(thread, [&]() -> Status {
    Call call(*thread.vm, thread);
    return make(call);
  });
  return 0;
}

Raised type_error(Call& call, int argument, const char* expected) {
  const Value value = value_at(call.thread(), argument);
  std::string actual = is_none(value) ? "no value" : type_name(value);
  if (value.is_light_userdata()) actual = "light userdata";
  const Value name = is_none(value) ? value : call.vm().metamethod(value, Metamethod::Name);
  if (name.is_string()) actual = name.as_string()->view();
  return call.bad_argument(argument - 1, std::string(expected) + " expected, got " + actual);
}

int tag_error(lua_State* state, int argument, int type) {
  return luaL_typeerror(state, argument, lua_typename(state, type));
}

int integer_error(lua_State* state, int argument) {
  if (lua_isnumber(state, argument)) return luaL_argerror(state, argument, "number has no integer representation");
  return tag_error(state, argument, LUA_TNUMBER);
}

/// Results of a NativeCode-like function, pushed.
template <typename Produce>
int produce(lua_State* state, Produce produce_results) {
  Thread& thread = thread_of(state);
  return protect(thread, [&]() -> Result<int> {
    Call call(*thread.vm, thread);
    return produce_results(call);
  });
}

Result<int> file_result(Call& call, bool success, const char* file_name, int error_number) {
  if (success) return call.ret(Value::boolean(true));
  return call.ret_errno(error_number, file_name == nullptr ? std::string_view() : file_name);
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

void luaL_checkversion_(lua_State* L, lua_Number ver, size_t sz) {
  if (sz != LUAL_NUMSIZES) luaL_error(L, "core and library have incompatible numeric types");
  if (ver != LUA_VERSION_NUM) {
    luaL_error(L, "version mismatch: app. needs Lua %f, core provides Lua %f", ver, lua_Number{LUA_VERSION_NUM});
  }
}

int luaL_argerror(lua_State* L, int arg, const char* extramsg) {
  return fail(L, [&](Call& call) {
    // Without a function that runs there is nobody to blame.
    if ((call.thread().frame()->flags & FrameHeader::kBottom) != 0) {
      return call.errorf("bad argument #%d (%s)", arg, extramsg);
    }
    return call.bad_argument(arg - 1, extramsg);
  });
}

int luaL_typeerror(lua_State* L, int arg, const char* tname) {
  return fail(L, [&](Call& call) { return type_error(call, arg, tname); });
}

void luaL_where(lua_State* L, int lvl) {
  Thread& thread = thread_of(L);
  const Value text = protect(thread, [&]() -> Result<Value> {
    return Value::string(TRY(thread.vm->new_string(where(*thread.vm, lvl))));
  });
  push(thread, text);
}

int luaL_error(lua_State* L, const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  luaL_where(L, 1);
  lua_pushvfstring(L, fmt, arguments);
  va_end(arguments);
  lua_concat(L, 2);
  return lua_error(L);
}

void luaL_checkstack(lua_State* L, int sz, const char* msg) {
  if (lua_checkstack(L, sz)) return;
  if (msg == nullptr) luaL_error(L, "stack overflow");
  luaL_error(L, "stack overflow (%s)", msg);
}

void luaL_checktype(lua_State* L, int arg, int t) {
  if (lua_type(L, arg) != t) tag_error(L, arg, t);
}

void luaL_checkany(lua_State* L, int arg) {
  if (lua_type(L, arg) == LUA_TNONE) luaL_argerror(L, arg, "value expected");
}

const char* luaL_checklstring(lua_State* L, int arg, size_t* l) {
  const char* text = lua_tolstring(L, arg, l);
  if (text == nullptr) tag_error(L, arg, LUA_TSTRING);
  return text;
}

const char* luaL_optlstring(lua_State* L, int arg, const char* def, size_t* l) {
  if (!lua_isnoneornil(L, arg)) return luaL_checklstring(L, arg, l);
  if (l != nullptr) *l = def == nullptr ? 0 : std::strlen(def);
  return def;
}

lua_Number luaL_checknumber(lua_State* L, int arg) {
  int is_number;
  const lua_Number number = lua_tonumberx(L, arg, &is_number);
  if (!is_number) tag_error(L, arg, LUA_TNUMBER);
  return number;
}

lua_Number luaL_optnumber(lua_State* L, int arg, lua_Number def) {
  return lua_isnoneornil(L, arg) ? def : luaL_checknumber(L, arg);
}

lua_Integer luaL_checkinteger(lua_State* L, int arg) {
  int is_integer;
  const lua_Integer integer = lua_tointegerx(L, arg, &is_integer);
  if (!is_integer) integer_error(L, arg);
  return integer;
}

lua_Integer luaL_optinteger(lua_State* L, int arg, lua_Integer def) {
  return lua_isnoneornil(L, arg) ? def : luaL_checkinteger(L, arg);
}

int luaL_checkoption(lua_State* L, int arg, const char* def, const char* const lst[]) {
  const char* given = def == nullptr ? luaL_checkstring(L, arg) : luaL_optstring(L, arg, def);
  for (int i = 0; lst[i] != nullptr; ++i) {
    if (std::strcmp(lst[i], given) == 0) return i;
  }
  return luaL_argerror(L, arg, lua_pushfstring(L, "invalid option '%s'", given));
}

int luaL_fileresult(lua_State* L, int stat, const char* fname) {
  const int error_number = errno;
  return produce(L, [&](Call& call) { return file_result(call, stat != 0, fname, error_number); });
}

int luaL_execresult(lua_State* L, int stat) {
  if (stat != 0 && errno != 0) return luaL_fileresult(L, 0, nullptr);
  return produce(L, [&](Call& call) { return ret_exit_status(call, stat); });
}

void luaL_traceback(lua_State* L, lua_State* L1, const char* msg, int level) {
  Thread& thread = thread_of(L);
  String* text = protect(thread, [&] {
    const std::string_view message = msg == nullptr ? std::string_view() : msg;
    return thread.vm->new_string(traceback(*thread.vm, thread_of(L1), msg == nullptr ? nullptr : &message, level));
  });
  push(thread, Value::string(text));
}
