// The debug library (Lua 5.4 manual §6.10): what breaks the rules of the language. Its other parts are named
// in debug_library.h.
#include <cstdio>
#include <cstring>

#include "runtime/lib/debug_library.h"
#include "runtime/lib/libraries.h"
#include "runtime/lib/set_metatable.h"
#include "vm/bytecode/chunk.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

Result<int> debug_getregistry(Call& call) { return call.ret(Value::table(call.vm().registry)); }

Result<int> debug_getmetatable(Call& call) {
  TRY(call.check_any(0));
  const Table* metatable = call.vm().metatable_of(call[0]);
  return call.ret(metatable == nullptr ? Value::nil() : Value::table(metatable));
}

Result<int> debug_setmetatable(Call& call) {
  TRY(call.check_type(1, "nil or table", call[1].is_table() || (call[1].is_nil() && !call.is_none(1))));
  set_metatable(call.vm(), call[0], call[1].is_nil() ? nullptr : call[1].as_table());
  call.set_count(1);
  return 1;
}

/// The user value that the integer argument `i` (default 1) tells, or null.
Result<Value*> user_value(Call& call, const Userdata& userdata, int i) {
  const int64_t index = TRY(call.optional_integer(i, 1));
  if (index < 1 || index > userdata.type_word) return static_cast<Value*>(nullptr);
  return &userdata.user_values[index - 1];
}

Result<int> debug_getuservalue(Call& call) {
  TRY(call.optional_integer(1, 1));
  if (!call[0].is_userdata()) return call.ret(Value::nil());
  const Value* slot = TRY(user_value(call, *call[0].as_userdata(), 1));
  return slot == nullptr ? call.ret(Value::nil()) : call.ret(*slot, Value::boolean(true));
}

Result<int> debug_setuservalue(Call& call) {
  TRY(call.optional_integer(2, 1));
  TRY(call.check_type(0, "userdata", call[0].is_userdata()));
  TRY(call.check_any(1));
  Value* slot = TRY(user_value(call, *call[0].as_userdata(), 2));
  if (slot == nullptr) return call.ret(Value::nil());
  *slot = call[1];
  call.vm().heap.write_barrier(call[0].as_userdata(), call[1]);
  return call.ret(call[0]);
}

/// Runs one line of input; false and the error at *function when it fails.
bool run_line(Call& call, std::string_view line, Value* function) {
  const Result<LuaFunction*> loaded = load(call.vm(), line, "=(debug command)");
  if (!loaded.ok()) {
    *function = call.vm().error;
    call.vm().error = Value::nil();
    return false;
  }
  call.push_function(Value::function(loaded.value()));
  return protected_call(call.vm(), function, 0, 0, Value::nil());
}

Result<int> debug_debug(Call& call) {
  for (;;) {
    char line[250];
    std::fputs("lua_debug> ", stderr);
    std::fflush(stderr);
    if (std::fgets(line, sizeof line, stdin) == nullptr || std::strcmp(line, "cont\n") == 0) return 0;
    call.set_count(0);
    Value* function = call.thread().top;
    TRY(call.reserve_slots(kCallOverheadSlots));
    if (run_line(call, line, function)) continue;
    call.thread().top = function + 1;  // the message stays rooted while it is converted
    const String* message = TRY(to_display_string(call.vm(), *function));
    std::fprintf(stderr, "%s\n", message->data);
  }
}

/// Kept for compatibility: the limit cannot be changed (manual §8.3 of 5.4).
Result<int> debug_setcstacklimit(Call& call) {
  TRY(call.check_integer(0));
  return call.ret(Value::integer(kMaxNativeDepth));
}

}  // namespace

void open_debug(Vm& vm) {
  Table* library = table_new(vm, 0, 17);
  set_functions(vm, library,
                {{"debug", debug_debug},
                 {"getuservalue", debug_getuservalue},
                 {"gethook", debug_gethook},
                 {"getinfo", debug_getinfo},
                 {"getlocal", debug_getlocal},
                 {"getregistry", debug_getregistry},
                 {"getmetatable", debug_getmetatable},
                 {"getupvalue", debug_getupvalue},
                 {"upvaluejoin", debug_upvaluejoin},
                 {"upvalueid", debug_upvalueid},
                 {"setuservalue", debug_setuservalue},
                 {"sethook", debug_sethook},
                 {"setlocal", debug_setlocal},
                 {"setmetatable", debug_setmetatable},
                 {"setupvalue", debug_setupvalue},
                 {"traceback", debug_traceback},
                 {"setcstacklimit", debug_setcstacklimit}});
  register_library(vm, "debug", library);
}

}  // namespace mangata
