// Tables, metatables and user values (Lua 5.4 manual §4.6).
//
// Functions without "raw" in their name first look into the table, and take the general way where that finds nothing.
#include <cmath>

#include "runtime/c_boundary/machine_data.h"
#include "runtime/c_boundary/protect.h"
#include "runtime/lib/set_metatable.h"
#include "vm/object/table_inline.h"
#include "vm/operations/index.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

int push_typed(Thread& thread, const Value& value) {
  push(thread, value);
  return type_of(value);
}

/// object[key] for a string key, pushed.
int get_field(Thread& thread, const Value& object, const char* name) {
  Vm& vm = *thread.vm;
  String* key = protect(thread, [&] { return name_string(vm, name); });
  if (object.is_table()) {
    const Value found = table_get_string(object.as_table(), key);
    if (!found.is_nil()) return push_typed(thread, found);
  }
  push(thread, Value::string(key));  // rooted while metamethods run
  const Value value = protect(thread, [&] { return get_index(vm, or_nil(object), Value::string(key)); });
  thread.top[-1] = value;
  return type_of(value);
}

/// object[key] = the value at the top, popped.
void set_field(Thread& thread, const Value& object, const char* name) {
  Vm& vm = *thread.vm;
  String* key = protect(thread, [&] { return name_string(vm, name); });
  push(thread, Value::string(key));
  const Value value = thread.top[-2];
  protect(thread, [&] { return set_index_with(vm, or_nil(object), Value::string(key), value, false); });
  thread.top -= 2;
}

Status raw_set(Vm& vm, Table* table, const Value& key, const Value& value) {
  if (key.is_nil()) return raise_message(vm, "table index is nil");
  if (key.is_float() && std::isnan(key.as_float())) return raise_message(vm, "table index is NaN");
  return table_set(vm, table, key, value);
}

Table* table_at(Thread& thread, int index) { return value_at(thread, index).as_table(); }

Value globals_of(Thread& thread) { return table_get_integer(thread.vm->registry, LUA_RIDX_GLOBALS); }

Value* user_value(Thread& thread, int index, int n) {
  const Userdata* userdata = value_at(thread, index).as_userdata();
  return n >= 1 && static_cast<uint32_t>(n) <= userdata->type_word ? &userdata->user_values[n - 1] : nullptr;
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

int lua_getglobal(lua_State* L, const char* name) {
  Thread& thread = thread_of(L);
  return capi::get_field(thread, globals_of(thread), name);
}

int lua_getfield(lua_State* L, int idx, const char* k) {
  Thread& thread = thread_of(L);
  return capi::get_field(thread, value_at(thread, idx), k);
}

int lua_gettable(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  const Value object = or_nil(value_at(thread, idx)), key = thread.top[-1];
  const Value value = protect(thread, [&] { return get_index(*thread.vm, object, key); });
  thread.top[-1] = value;
  return type_of(value);
}

int lua_geti(lua_State* L, int idx, lua_Integer n) {
  Thread& thread = thread_of(L);
  const Value object = or_nil(value_at(thread, idx));
  Value value;
  if (!object.is_table() || !table_get_element(object.as_table(), n, &value)) {
    value = protect(thread, [&] { return get_index(*thread.vm, object, Value::integer(n)); });
  }
  return push_typed(thread, value);
}

int lua_rawget(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  const Value value = table_get(table_at(thread, idx), thread.top[-1]);
  thread.top[-1] = value;
  return type_of(value);
}

int lua_rawgeti(lua_State* L, int idx, lua_Integer n) {
  Thread& thread = thread_of(L);
  return push_typed(thread, table_get_integer(table_at(thread, idx), n));
}

int lua_rawgetp(lua_State* L, int idx, const void* p) {
  Thread& thread = thread_of(L);
  return push_typed(thread, table_get(table_at(thread, idx), Value::light_userdata(const_cast<void*>(p))));
}

void lua_setglobal(lua_State* L, const char* name) {
  Thread& thread = thread_of(L);
  capi::set_field(thread, globals_of(thread), name);
}

void lua_setfield(lua_State* L, int idx, const char* k) {
  Thread& thread = thread_of(L);
  capi::set_field(thread, value_at(thread, idx), k);
}

void lua_settable(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  const Value object = or_nil(value_at(thread, idx)), key = thread.top[-2], value = thread.top[-1];
  protect(thread, [&] { return set_index(*thread.vm, object, key, value); });
  thread.top -= 2;
}

void lua_seti(lua_State* L, int idx, lua_Integer n) {
  Thread& thread = thread_of(L);
  const Value object = or_nil(value_at(thread, idx)), value = thread.top[-1];
  const bool is_done = object.is_table() && !value.is_nil() && table_set_element(*thread.vm, object.as_table(), n, value);
  if (!is_done) protect(thread, [&] { return set_index(*thread.vm, object, Value::integer(n), value); });
  --thread.top;
}

void lua_rawset(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  protect(thread, [&] { return raw_set(*thread.vm, table_at(thread, idx), thread.top[-2], thread.top[-1]); });
  thread.top -= 2;
}

void lua_rawseti(lua_State* L, int idx, lua_Integer n) {
  Thread& thread = thread_of(L);
  Table* table = table_at(thread, idx);
  const Value value = thread.top[-1];
  const bool is_done = !value.is_nil() && table_set_element(*thread.vm, table, n, value);
  if (!is_done) protect(thread, [&] { return table_set_integer(*thread.vm, table, n, value); });
  --thread.top;
}

void lua_rawsetp(lua_State* L, int idx, const void* p) {
  Thread& thread = thread_of(L);
  const Value key = Value::light_userdata(const_cast<void*>(p));
  protect(thread, [&] { return table_set(*thread.vm, table_at(thread, idx), key, thread.top[-1]); });
  --thread.top;
}

int lua_next(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  Value key, value;
  const int found = table_next(table_at(thread, idx), thread.top[-1], &key, &value);
  if (found < 0) protect(thread, [&]() -> Status { return raise_message(*thread.vm, "invalid key to 'next'"); });
  if (found == 0) {
    --thread.top;
    return 0;
  }
  thread.top[-1] = key;
  push(thread, value);
  return 1;
}

int lua_getmetatable(lua_State* L, int objindex) {
  Thread& thread = thread_of(L);
  const Value object = value_at(thread, objindex);
  const Table* metatable = is_none(object) ? nullptr : thread.vm->metatable_of(object);
  if (metatable == nullptr) return 0;
  push(thread, Value::table(metatable));
  return 1;
}

int lua_setmetatable(lua_State* L, int objindex) {
  Thread& thread = thread_of(L);
  const Value metatable = thread.top[-1];
  set_metatable(*thread.vm, value_at(thread, objindex), metatable.is_nil() ? nullptr : metatable.as_table());
  --thread.top;
  return 1;
}

int lua_getiuservalue(lua_State* L, int idx, int n) {
  Thread& thread = thread_of(L);
  const Value* slot = user_value(thread, idx, n);
  if (slot != nullptr) return push_typed(thread, *slot);
  push(thread, Value::nil());
  return LUA_TNONE;
}

int lua_setiuservalue(lua_State* L, int idx, int n) {
  Thread& thread = thread_of(L);
  Value* slot = user_value(thread, idx, n);
  const Value value = thread.top[-1];
  if (slot != nullptr) {
    *slot = value;
    thread.vm->heap.write_barrier(value_at(thread, idx).as_userdata(), value);
  }
  --thread.top;
  return slot != nullptr;
}
