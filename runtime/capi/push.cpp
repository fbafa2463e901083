// Pushing values (Lua 5.4 manual §4.6).
#include <cstdio>
#include <cstring>
#include <string>

#include "runtime/c_boundary/machine_data.h"
#include "runtime/c_boundary/protect.h"
#include "runtime/lib/utf8_codec.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

const char* push_string(Thread& thread, String* string) {
  push(thread, Value::string(string));
  safepoint(thread);
  return string->data;
}

/// On some machines a va_list is passed by value.
struct Arguments {
  va_list list;
};

/// The directive at `letter` of a format of lua_pushfstring.
Status append_directive(Vm& vm, char letter, Arguments& arguments, std::string* out) {
  char text[64];
  switch (letter) {
    case 's': {
      const char* string = va_arg(arguments.list, const char*);
      out->append(string == nullptr ? "(null)" : string);
      return {};
    }
    case 'c':
      out->push_back(static_cast<char>(va_arg(arguments.list, int)));
      return {};
    case 'd':
      out->append(std::to_string(va_arg(arguments.list, int)));
      return {};
    case 'I':
      out->append(std::to_string(va_arg(arguments.list, lua_Integer)));
      return {};
    case 'f': {
      const int length = format_number(Value::number(va_arg(arguments.list, lua_Number)), text);
      out->append(text, static_cast<size_t>(length));
      return {};
    }
    case 'p':
      std::snprintf(text, sizeof text, "%p", va_arg(arguments.list, void*));
      out->append(text);
      return {};
    case 'U':
      out->append(text, static_cast<size_t>(encode_utf8(static_cast<uint32_t>(va_arg(arguments.list, unsigned long)), text)));
      return {};
    case '%':
      out->push_back('%');
      return {};
    default:
      return raise_message(vm, "invalid option '%" + std::string(1, letter) + "' to 'lua_pushfstring'");
  }
}

Status append_format(Vm& vm, const char* format, Arguments& arguments, std::string* out) {
  while (const char* percent = std::strchr(format, '%')) {
    out->append(format, percent);
    TRY(append_directive(vm, percent[1], arguments, out));
    format = percent + 2;
  }
  out->append(format);
  return {};
}

Result<String*> format_string(Vm& vm, const char* format, va_list list) {
  Arguments arguments;
  va_copy(arguments.list, list);
  std::string out;
  const Status formatted = append_format(vm, format, arguments, &out);
  va_end(arguments.list);
  TRY(formatted);
  return vm.new_string(out);
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

void lua_pushnil(lua_State* L) { push(thread_of(L), Value::nil()); }
void lua_pushnumber(lua_State* L, lua_Number n) { push(thread_of(L), Value::number(n)); }
void lua_pushinteger(lua_State* L, lua_Integer n) { push(thread_of(L), Value::integer(n)); }
void lua_pushboolean(lua_State* L, int b) { push(thread_of(L), Value::boolean(b != 0)); }
void lua_pushlightuserdata(lua_State* L, void* p) { push(thread_of(L), Value::light_userdata(p)); }

int lua_pushthread(lua_State* L) {
  Thread& thread = thread_of(L);
  push(thread, Value::thread(&thread));
  return thread.vm->main_thread == &thread;
}

const char* lua_pushlstring(lua_State* L, const char* s, size_t len) {
  Thread& thread = thread_of(L);
  return push_string(thread, protect(thread, [&] { return thread.vm->new_string({s, len}); }));
}

const char* lua_pushstring(lua_State* L, const char* s) {
  Thread& thread = thread_of(L);
  if (s != nullptr) return push_string(thread, protect(thread, [&] { return name_string(*thread.vm, s); }));
  lua_pushnil(L);
  return nullptr;
}

const char* lua_pushvfstring(lua_State* L, const char* fmt, va_list argp) {
  Thread& thread = thread_of(L);
  String* string = protect(thread, [&] { return format_string(*thread.vm, fmt, argp); });
  push(thread, Value::string(string));
  safepoint(thread);
  return string->data;
}

const char* lua_pushfstring(lua_State* L, const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  const char* text = lua_pushvfstring(L, fmt, arguments);
  va_end(arguments);
  return text;
}

void lua_pushcclosure(lua_State* L, lua_CFunction fn, int n) {
  Thread& thread = thread_of(L);
  Vm& vm = *thread.vm;
  if (n == 0) {
    push(thread, Value::function(light_function(vm, fn)));
    return;
  }
  NativeFunction* function = new_c_function(vm, fn, static_cast<uint32_t>(n));
  thread.top -= n;
  for (int i = 0; i < n; ++i) function->upvalues[i] = thread.top[i];
  push(thread, Value::function(function));
  safepoint(thread);
}

void lua_createtable(lua_State* L, int narr, int nrec) {
  Thread& thread = thread_of(L);
  push(thread, Value::table(table_new(*thread.vm, static_cast<uint32_t>(narr), static_cast<uint32_t>(nrec))));
  safepoint(thread);
}

void* lua_newuserdatauv(lua_State* L, size_t sz, int nuvalue) {
  Thread& thread = thread_of(L);
  Vm& vm = *thread.vm;
  Userdata* userdata = vm.new_userdata(sz, static_cast<uint32_t>(nuvalue));
  if (userdata == nullptr) protect(thread, [&]() -> Status { return raise_out_of_memory(vm); });
  push(thread, Value::userdata(userdata));
  safepoint(thread);
  return userdata->payload;
}
