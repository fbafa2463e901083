// The base library (Lua 5.4 manual §6.1): types, tables, traversal. Its other parts are named in
// base_library.h.
#include "runtime/lib/base_library.h"
#include "runtime/lib/direct.h"
#include "runtime/lib/libraries.h"
#include "runtime/lib/set_metatable.h"
#include "vm/operations/long_numeral.h"
#include "vm/poll.h"

namespace mangata {
namespace {

// --- types and conversions

Result<int> base_type(Call& call) {
  TRY(call.check_any(0));
  if (call[0].is_userdata() && call[0].as_userdata()->kind() == UserdataKind::Foreign) return call.ret(call.vm().string_value("cdata"));
  return call.ret(call.vm().string_value(type_name(call[0])));
}

Result<int> base_tostring(Call& call) {
  TRY(call.check_any(0));
  return call.ret(Value::string(TRY(to_display_string(call.vm(), call[0]))));
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 36;
}

/// An integer in a base up to 36, wrapping; nil when `text` is no such numeral.
Result<Value> parse_integer_in_base(Vm& vm, std::string_view text, int64_t base) {
  text = TRY(without_space(vm, text));
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return Value::nil();
  uint64_t magnitude = 0;
  PolledSteps steps(vm);
  for (size_t i = 0; i < text.size(); ++i) {
    TRY(steps.add());
    const int digit = digit_value(text[i]);
    if (digit >= base) return Value::nil();
    magnitude = magnitude * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit);
  }
  return Value::integer(static_cast<int64_t>(negative ? 0 - magnitude : magnitude));
}

Result<int> base_tonumber(Call& call) {
  if (!call.is_none_or_nil(1)) {
    const int64_t base = TRY(call.check_integer(1));
    TRY(call.check_type(0, "string", call[0].is_string()));
    if (base < 2 || base > 36) return call.bad_argument(1, "base out of range");
    return call.ret(TRY(parse_integer_in_base(call.vm(), call[0].as_string()->view(), base)));
  }
  if (call[0].is_number()) return call.ret(call[0]);
  if (call[0].is_string()) {
    charge_native(call.vm(), direct::kWorkOfNumeral);
    return call.ret(TRY(number_of(call.vm(), call[0])));
  }
  TRY(call.check_any(0));
  ForeignData* foreign = call.vm().foreign_data.get();
  return call.ret(foreign != nullptr && call[0].is_userdata() ? foreign->number_in(call[0]) : Value::nil());
}

// --- raw access

Result<int> base_rawequal(Call& call) {
  TRY(call.check_any(0));
  TRY(call.check_any(1));
  return call.ret(Value::boolean(raw_equals(call.vm(), call[0], call[1])));
}

Result<int> base_rawlen(Call& call) {
  if (call[0].is_table()) return call.ret(Value::integer(table_length(call[0].as_table())));
  TRY(call.check_type(0, "table or string", call[0].is_string()));
  return call.ret(Value::integer(static_cast<int64_t>(call[0].as_string()->length)));
}

Result<int> base_rawget(Call& call) {
  Table* table = TRY(call.check_table(0));
  TRY(call.check_any(1));
  return call.ret(table_get(table, call[1]));
}

Result<int> base_rawset(Call& call) {
  Table* table = TRY(call.check_table(0));
  TRY(call.check_any(1));
  TRY(call.check_any(2));
  const Value key = call[1];
  if (key.is_nil()) return raise_message(call.vm(), "table index is nil");
  if (key.is_float() && key.as_float() != key.as_float())
    return raise_message(call.vm(), "table index is NaN");
  TRY(table_set(call.vm(), table, key, call[2]));
  call.set_count(1);
  return 1;
}

// --- metatables

Result<int> base_getmetatable(Call& call) {
  TRY(call.check_any(0));
  Table* metatable = call.vm().metatable_of(call[0]);
  if (metatable == nullptr) return call.ret(Value::nil());
  const Value shown = find_metamethod(call.vm(), metatable, Metamethod::Metatable);
  return call.ret(shown.is_nil() ? Value::table(metatable) : shown);
}

Result<int> base_setmetatable(Call& call) {
  Table* table = TRY(call.check_table(0));
  TRY(call.check_type(1, "nil or table", call[1].is_table() || (call[1].is_nil() && !call.is_none(1))));
  if (!call.vm().metamethod(call[0], Metamethod::Metatable).is_nil()) {
    return call.error("cannot change a protected metatable");
  }
  set_metatable(call.vm(), Value::table(table), call[1].is_nil() ? nullptr : call[1].as_table());
  return call.ret(Value::table(table));
}

// --- traversal

Result<int> base_next(Call& call) {
  Table* table = TRY(call.check_table(0));
  Value key, value;
  const int found = direct::charged_next(call.vm(), table, call[1], &key, &value);
  if (found < 0) return raise_message(call.vm(), "invalid key to 'next'");
  return found > 0 ? call.ret(key, value) : call.ret(Value::nil());
}

/// Upvalue 0: the function `next`, so that pairs(t) always gives the same one.
Result<int> base_pairs(Call& call) {
  TRY(call.check_any(0));
  const Value method = call.vm().metamethod(call[0], Metamethod::Pairs);
  if (method.is_nil()) return call.ret(call.upvalue(0), call[0], Value::nil());
  const Value self = call[0];
  call.push_function(method);
  call.push(self);
  return call.invoke_yieldable(1, 3);
}

Result<int> ipairs_iterator(Call& call) {
  const int64_t previous = TRY(call.check_integer(1));
  const int64_t index = static_cast<int64_t>(static_cast<uint64_t>(previous) + 1);
  const Value value = call[0].is_table() && call[0].as_table()->metatable() == nullptr
                          ? table_get_integer(call[0].as_table(), index)
                          : TRY(get_index(call.vm(), call[0], Value::integer(index)));
  return value.is_nil() ? call.ret(Value::nil()) : call.ret(Value::integer(index), value);
}

/// Upvalue 0: the iterator.
Result<int> base_ipairs(Call& call) {
  TRY(call.check_any(0));
  return call.ret(call.upvalue(0), call[0], Value::integer(0));
}

Result<int> base_select(Call& call) {
  const int count = call.count();
  charge_if_much(call.vm(), count);  // the values were pushed for it, and some are moved
  if (call[0].is_string() && call[0].as_string()->view().starts_with('#')) {
    return call.ret(Value::integer(count - 1));
  }
  int64_t index = TRY(call.check_integer(0));
  if (index < 0) {
    index = count + index;
  } else if (index > count) {
    index = count;
  }
  if (index < 1) return call.bad_argument(0, "index out of range");
  return count - static_cast<int>(index);
}

NativeFunction* new_native_with_id(Vm& vm, NativeCode code, const char* name, NativeId id) {
  NativeFunction* function = vm.new_native(code, name);
  function->type_byte = static_cast<uint8_t>(id);
  return function;
}

/// A function whose only upvalue is another one.
Value native_with_upvalue(Vm& vm, const LibraryFunction& entry, NativeFunction* upvalue) {
  NativeFunction* function = vm.new_native(entry.code, entry.name, 1);
  function->direct = entry.direct;
  function->upvalues[0] = Value::function(upvalue);
  return Value::function(function);
}

}  // namespace

void open_base(Vm& vm) {
  set_functions(vm, vm.globals,
                {{"assert", base_assert, NativeId::None, direct::assert_truthy},
                 {"collectgarbage", base_collectgarbage},
                 {"dofile", base_dofile},
                 {"error", base_error, NativeId::Error},
                 {"getmetatable", base_getmetatable, NativeId::None, direct::getmetatable},
                 {"loadfile", base_loadfile},
                 {"load", base_load},
                 {"pcall", base_pcall, NativeId::Pcall},
                 {"print", base_print},
                 {"warn", base_warn},
                 {"rawequal", base_rawequal, NativeId::None, direct::rawequal},
                 {"rawlen", base_rawlen, NativeId::None, direct::rawlen},
                 {"rawget", base_rawget, NativeId::None, direct::rawget},
                 {"rawset", base_rawset, NativeId::None, direct::rawset},
                 {"select", base_select, NativeId::Select, direct::select},
                 {"setmetatable", base_setmetatable, NativeId::SetMetatable, direct::setmetatable},
                 {"tonumber", base_tonumber, NativeId::None, direct::tonumber},
                 {"tostring", base_tostring, NativeId::None, direct::tostring},
                 {"type", base_type, NativeId::Type, direct::type},
                 {"xpcall", base_xpcall, NativeId::Xpcall}});
  NativeFunction* next = new_native_with_id(vm, base_next, "next", NativeId::Next);
  next->direct = direct::next;
  NativeFunction* iterator =
      new_native_with_id(vm, ipairs_iterator, "ipairs_iterator", NativeId::IpairsIterator);
  set_field(vm, vm.globals, "next", Value::function(next));
  set_field(vm, vm.globals, "pairs",
            native_with_upvalue(vm, {"pairs", base_pairs, NativeId::None, direct::pairs}, next));
  set_field(vm, vm.globals, "ipairs",
            native_with_upvalue(vm, {"ipairs", base_ipairs, NativeId::None, direct::ipairs}, iterator));
  set_field(vm, vm.globals, "_VERSION", vm.string_value("Lua 5.4"));
  register_library(vm, "_G", vm.globals);
}

}  // namespace mangata
