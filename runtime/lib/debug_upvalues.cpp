// debug.getupvalue and its relatives (Lua 5.4 manual §6.10).
#include "runtime/lib/debug_library.h"
#include "vm/bytecode/proto.h"

namespace mangata {

FoundUpvalue find_upvalue_at(const Value& function, int64_t index) {
  if (function.is_native_function()) {
    NativeFunction* native = function.as_native_function();
    if (index < 1 || index > native->upvalue_count()) return {};
    return {"", &native->upvalues[index - 1], native};
  }
  if (!function.is_lua_function()) return {};
  const LuaFunction* closure = function.as_lua_function();
  if (index < 1 || index > closure->upvalue_count()) return {};
  const String* name = closure->proto->upvalues[index - 1].name;
  Upvalue* upvalue = closure->upvalues[index - 1];
  return {name == nullptr ? "(no name)" : name->data, upvalue->location, upvalue};
}

namespace {

/// The upvalue that the arguments `function_argument` and `function_argument` + 1 tell.
Result<FoundUpvalue> check_upvalue(Call& call, int function_argument) {
  const int64_t index = TRY(call.check_integer(function_argument + 1));
  const Value function = TRY(call.check_function(function_argument));
  return find_upvalue_at(function, static_cast<int>(index));
}

Result<Upvalue**> check_joinable(Call& call, int function_argument) {
  const FoundUpvalue found = TRY(check_upvalue(call, function_argument));
  if (found.name == nullptr) return call.bad_argument(function_argument + 1, "invalid upvalue index");
  if (!call[function_argument].is_lua_function()) return static_cast<Upvalue**>(nullptr);
  const int64_t index = TRY(call.check_integer(function_argument + 1));
  return &call[function_argument].as_lua_function()->upvalues[index - 1];
}

}  // namespace

Result<int> debug_getupvalue(Call& call) {
  const FoundUpvalue found = TRY(check_upvalue(call, 0));
  if (found.name == nullptr) return 0;
  return call.ret(Value::string(TRY(call.vm().new_string(found.name))), *found.location);
}

Result<int> debug_setupvalue(Call& call) {
  TRY(call.check_any(2));
  const FoundUpvalue found = TRY(check_upvalue(call, 0));
  if (found.name == nullptr) return 0;
  *found.location = call[2];
  call.vm().heap.write_barrier(found.owner, call[2]);
  return call.ret_string(found.name);
}

Result<int> debug_upvalueid(Call& call) {
  const FoundUpvalue found = TRY(check_upvalue(call, 0));
  if (found.name == nullptr) return call.ret(Value::nil());
  // Closures that share a variable share its Upvalue; a native function's upvalues are its own.
  void* id = call[0].is_lua_function() ? static_cast<void*>(found.owner) : found.location;
  return call.ret(Value::light_userdata(id));
}

Result<int> debug_upvaluejoin(Call& call) {
  Upvalue** target = TRY(check_joinable(call, 0));
  Upvalue** source = TRY(check_joinable(call, 2));
  if (target == nullptr) return call.bad_argument(0, "Lua function expected");
  if (source == nullptr) return call.bad_argument(2, "Lua function expected");
  *target = *source;
  call.vm().heap.write_barrier(call[0].as_lua_function(), *source);
  return 0;
}

}  // namespace mangata
