// Loading and dumping chunks (Lua 5.4 manual §4.6: lua_load, lua_dump).
//
// Readers and writers are C code that may raise: they run within a boundary of their own, so that the text
// that they read or write into is released.
#include "vm/bytecode/chunk.h"

#include <string>

#include "runtime/c_boundary/protect.h"
#include "runtime/capi/status.h"

namespace mangata::capi {
namespace {

struct Reading {
  lua_State* state;
  lua_Reader reader;
  void* data;
  std::string text;
};

void read_all(void* argument) {
  auto& reading = *static_cast<Reading*>(argument);
  for (;;) {
    size_t size = 0;
    const char* piece = reading.reader(reading.state, reading.data, &size);
    if (piece == nullptr || size == 0) return;
    reading.text.append(piece, size);
  }
}

/// The function, or the error value with *status. Raises only when everything ends (Vm::terminating).
Result<Value> load_with_reader(Thread& thread, Reading& reading, const char* name, const char* mode, int* status) {
  Vm& vm = *thread.vm;
  Value* top = thread.top;
  ++thread.non_yieldable;
  const bool was_read = run_bounded(thread, read_all, &reading).ok();
  --thread.non_yieldable;
  thread.top = top;
  if (vm.terminating) return Raised{};
  Value result = vm.error;
  *status = LUA_ERRRUN;
  if (was_read) {
    const Result<LuaFunction*> loaded = load(vm, reading.text, name, mode);
    if (loaded.ok()) {
      *status = LUA_OK;
      return Value::function(loaded.value());
    }
    result = vm.error;
    *status = LUA_ERRSYNTAX;
  }
  vm.error = Value::nil();
  if (const int kind = status_of_error(vm, result); kind != LUA_ERRRUN) *status = kind;
  return result;
}

/// The first upvalue of a chunk is what the registry holds as globals.
void set_environment(Vm& vm, LuaFunction& function) {
  if (function.upvalue_count() == 0) return;
  Upvalue* environment = function.upvalues[0];
  *environment->location = table_get_integer(vm.registry, LUA_RIDX_GLOBALS);
  vm.heap.write_barrier(environment, *environment->location);
}

struct Writing {
  lua_State* state;
  lua_Writer writer;
  void* data;
  std::string text;
  int result;
};

void write_all(void* argument) {
  auto& writing = *static_cast<Writing*>(argument);
  writing.result = writing.writer(writing.state, writing.text.data(), writing.text.size(), writing.data);
}

Result<int> dump(Thread& thread, const Proto& proto, bool strip, lua_Writer writer, void* data) {
  Writing writing{state_of(thread), writer, data, dump_chunk(proto, strip), 0};
  TRY(run_bounded(thread, write_all, &writing));
  return writing.result;
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

int lua_load(lua_State* L, lua_Reader reader, void* data, const char* chunkname, const char* mode) {
  Thread& thread = thread_of(L);
  int status = LUA_OK;
  const Value result = protect(thread, [&]() -> Result<Value> {
    Reading reading{L, reader, data, {}};
    return load_with_reader(thread, reading, chunkname == nullptr ? "?" : chunkname, mode == nullptr ? "bt" : mode, &status);
  });
  push(thread, result);
  if (status == LUA_OK) set_environment(*thread.vm, *result.as_lua_function());
  safepoint(thread);
  return status;
}

int lua_dump(lua_State* L, lua_Writer writer, void* data, int strip) {
  Thread& thread = thread_of(L);
  const Value function = thread.top[-1];
  if (!function.is_lua_function()) return 1;
  return protect(thread, [&] { return dump(thread, *function.as_lua_function()->proto, strip != 0, writer, data); });
}
