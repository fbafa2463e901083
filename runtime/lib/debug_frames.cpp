// debug.getinfo, getlocal, setlocal, traceback (Lua 5.4 manual §6.10).
//
// Read next: vm/operations/debug_info.h.
#include "runtime/lib/debug_library.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/interpreter.h"
#include "vm/operations/debug_info.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

class InfoTable {
 public:
  explicit InfoTable(Vm& vm) : vm_(vm), table_(table_new(vm)) {}
  void set(const char* key, Value value) { set_field(vm_, table_, key, value); }
  void set(const char* key, int value) { set(key, Value::integer(value)); }
  void set(const char* key, bool value) { set(key, Value::boolean(value)); }
  Status set_text(const char* key, std::string_view text) {
    set(key, Value::string(TRY(vm_.new_string(text))));
    return {};
  }
  Value value() const { return Value::table(table_); }

 private:
  Vm& vm_;
  Table* table_;
};

Status describe_function(InfoTable& table, const DebugInfo& info) {
  TRY(table.set_text("source", info.source));
  TRY(table.set_text("short_src", info.short_source));
  table.set("linedefined", info.line_defined);
  table.set("lastlinedefined", info.last_line_defined);
  return table.set_text("what", info.what);
}

Result<Value> info_table(Vm& vm, const DebugInfo& info, Value function, std::string_view options) {
  InfoTable table(vm);
  const auto asked = [options](char option) { return options.find(option) != std::string_view::npos; };
  if (asked('S')) TRY(describe_function(table, info));
  if (asked('l')) table.set("currentline", info.current_line);
  if (asked('u')) {
    table.set("nups", info.upvalue_count);
    table.set("nparams", info.parameter_count);
    table.set("isvararg", info.is_vararg);
  }
  if (asked('n')) {
    if (info.has_name) TRY(table.set_text("name", info.name));
    TRY(table.set_text("namewhat", info.name_what));
  }
  if (asked('r')) {
    table.set("ftransfer", info.first_transferred);
    table.set("ntransfer", info.transferred_count);
  }
  if (asked('t')) table.set("istailcall", info.is_tail_call);
  if (asked('L')) table.set("activelines", TRY(active_lines(vm, function)));
  if (asked('f')) table.set("func", function);
  return table.value();
}

/// The frame at the level given by argument `i`, or null.
Result<Value*> frame_argument(Call& call, Thread& thread, int i) {
  return frame_at_level(thread, static_cast<int>(TRY(call.check_integer(i))));
}

}  // namespace

Result<Value> active_lines(Vm& vm, Value function) {
  if (!function.is_lua_function()) return Value::nil();
  const Proto& proto = *function.as_lua_function()->proto;
  Table* lines = table_new(vm);
  // A vararg function starts with an instruction that stands for no statement.
  for (size_t pc = proto.is_vararg ? 1 : 0; pc < proto.lines.size(); ++pc) {
    TRY(table_set_integer(vm, lines, proto.lines[pc], Value::boolean(true)));
  }
  return Value::table(lines);
}

Result<int> debug_getinfo(Call& call) {
  const auto [thread, first] = thread_argument(call);
  const std::string_view options = TRY(call.optional_view(first + 1, "flnSrtu"));
  if (options.starts_with('>')) return call.bad_argument(first + 1, "invalid option '>'");
  Value function = call[first];
  Value* base = nullptr;
  if (!function.is_function()) {
    base = TRY(frame_argument(call, *thread, first));
    if (base == nullptr) return call.ret(Value::nil());
    function = *function_slot(base);
  }
  if (options.find_first_not_of("SlnrutLf") != std::string_view::npos) {
    return call.bad_argument(first + 1, "invalid option");
  }
  constexpr int64_t kWork = 50;
  charge_if_much(call.vm(), kWork);
  const DebugInfo info = debug_info(call.vm(), *thread, base, function, options);
  return call.ret(TRY(info_table(call.vm(), info, function, options)));
}

Result<int> debug_getlocal(Call& call) {
  constexpr int64_t kWork = 3;  // more where there are many variables
  charge_native(call.vm(), kWork);
  const auto [thread, first] = thread_argument(call);
  const int index = static_cast<int>(TRY(call.check_integer(first + 1)));
  if (const Value function = call[first]; function.is_function()) {
    // Without a frame there are only the parameters: what is active at the first instruction.
    const String* name =
        function.is_lua_function() ? local_name(*function.as_lua_function()->proto, index, OriginalPc{}) : nullptr;
    return call.ret(name == nullptr ? Value::nil() : Value::string(name));
  }
  Value* base = TRY(frame_argument(call, *thread, first));
  if (base == nullptr) return call.bad_argument(first, "level out of range");
  Value* slot = nullptr;
  const char* name = find_local(*thread, base, index, &slot);
  if (name == nullptr) return call.ret(Value::nil());
  const Value value = visible_local(*slot);
  return call.ret(Value::string(TRY(call.vm().new_string(name))), value);
}

Result<int> debug_setlocal(Call& call) {
  const auto [thread, first] = thread_argument(call);
  Value* base = TRY(frame_argument(call, *thread, first));
  const int index = static_cast<int>(TRY(call.check_integer(first + 1)));
  if (base == nullptr) return call.bad_argument(first, "level out of range");
  TRY(call.check_any(first + 2));
  Value* slot = nullptr;
  const char* name = find_local(*thread, base, index, &slot);
  if (name == nullptr) return call.ret(Value::nil());
  *slot = call[first + 2];
  thread->hook_mask |= kLocalsChanged;
  return call.ret(Value::string(TRY(call.vm().new_string(name))));
}

Result<int> debug_traceback(Call& call) {
  const auto [thread, first] = thread_argument(call);
  const Value message = call[first];
  if (!message.is_nil() && !message.is_string() && !message.is_number()) return call.ret(message);
  const int64_t level = TRY(call.optional_integer(first + 1, thread == &call.thread() ? 1 : 0));
  constexpr int64_t kWork = 100;  // levels are charged one by one
  charge_if_much(call.vm(), kWork);
  if (message.is_nil()) {
    return call.ret_string(traceback(call.vm(), *thread, nullptr, static_cast<int>(level)));
  }
  const std::string_view text = TRY(call.check_view(first));
  return call.ret_string(traceback(call.vm(), *thread, &text, static_cast<int>(level)));
}

}  // namespace mangata
