// Direct forms of the base library (direct.h).
#include "runtime/lib/direct.h"
#include "runtime/lib/set_metatable.h"
#include "vm/operations/long_numeral.h"
#include "vm/poll.h"

namespace mangata::direct {
namespace {

/// That `next` passes over in the time of an iteration of an empty loop.
constexpr uint32_t kEmptyNodesPerUnit = 2;

int ret(Value* function, Value value) {
  function[0] = value;
  return 1;
}

}  // namespace

int assert_truthy(Vm&, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count == 0 || arguments[0].is_falsy()) return kNotDirect;
  for (int i = 0; i < argument_count; ++i) function[i] = arguments[i];
  return argument_count;
}

int getmetatable(Vm& vm, Value* function, int argument_count) {
  if (argument_count == 0) return kNotDirect;
  Table* metatable = vm.metatable_of(function[kCallOverheadSlots]);
  if (metatable == nullptr) return ret(function, Value::nil());
  const Value shown = find_metamethod(vm, metatable, Metamethod::Metatable);
  return ret(function, shown.is_nil() ? Value::table(metatable) : shown);
}

int ipairs(Vm&, Value* function, int argument_count) {
  if (argument_count == 0) return kNotDirect;
  function[0] = function->as_native_function()->upvalues[0];
  function[1] = function[kCallOverheadSlots];
  function[2] = Value::integer(0);
  return 3;
}

int charged_next(Vm& vm, Table* table, Value key, Value* next_key, Value* next_value) {
  constexpr uint32_t kSectionMask = 3u << 30;
  const uint32_t before = table_cursor_after(table, key);
  if (before == UINT32_MAX) return -1;
  uint32_t after = before;
  const bool found = table_iterate(table, &after, next_key, next_value);
  // From another section on, what was passed over before is not counted: holes of the elements are fewer than their values.
  const uint32_t from = (before & kSectionMask) == (after & kSectionMask) ? before : after & kSectionMask;
  charge_if_much(vm, (after - from) / kEmptyNodesPerUnit);
  return found ? 1 : 0;
}

int next(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count == 0 || !arguments[0].is_table()) return kNotDirect;
  Value key, value;
  const int found =
      charged_next(vm, arguments[0].as_table(), argument_count > 1 ? arguments[1] : Value::nil(), &key, &value);
  if (found < 0) return kNotDirect;
  if (found == 0) return ret(function, Value::nil());
  function[0] = key;
  function[1] = value;
  return 2;
}

int pairs(Vm& vm, Value* function, int argument_count) {
  const Value object = in_words(function + kCallOverheadSlots);
  if (argument_count == 0 || !vm.metamethod(object, Metamethod::Pairs).is_nil()) return kNotDirect;
  function[0] = function->as_native_function()->upvalues[0];
  function[1] = object;
  function[2] = Value::nil();
  return 3;
}

int rawequal(Vm& vm, Value* function, int argument_count) {
  if (argument_count < 2) return kNotDirect;
  return ret(function,
             Value::boolean(raw_equals(vm, function[kCallOverheadSlots], function[kCallOverheadSlots + 1])));
}

int rawget(Vm&, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count < 2 || !arguments[0].is_table()) return kNotDirect;
  return ret(function, table_get(arguments[0].as_table(), arguments[1]));
}

int rawlen(Vm&, Value* function, int argument_count) {
  const Value object = function[kCallOverheadSlots];
  if (argument_count == 0) return kNotDirect;
  if (object.is_table()) return ret(function, Value::integer(table_length(object.as_table())));
  if (!object.is_string()) return kNotDirect;
  return ret(function, Value::integer(static_cast<int64_t>(object.as_string()->length)));
}

int rawset(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count < 3 || !arguments[0].is_table()) return kNotDirect;
  if (arguments[1].is_nil() || arguments[1].is_float()) return kNotDirect;
  if (!table_set(vm, arguments[0].as_table(), arguments[1], arguments[2]).ok()) return kNotDirect;
  return ret(function, arguments[0]);
}

int select(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count == 0) return kNotDirect;
  if (arguments[0].is_string() && arguments[0].as_string()->view().starts_with('#')) {
    charge_if_much(vm, argument_count);
    return ret(function, Value::integer(argument_count - 1));
  }
  if (!arguments[0].is_integer() || arguments[0].as_integer() < 1) return kNotDirect;
  charge_if_much(vm, argument_count);  // as base_select
  const int64_t index = arguments[0].as_integer();
  int count = 0;
  for (int64_t i = index; i < argument_count; ++i) function[count++] = arguments[i];
  return count;
}

int setmetatable(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count < 2 || !arguments[0].is_table()) return kNotDirect;
  if (!arguments[1].is_table() && !arguments[1].is_nil()) return kNotDirect;
  Table* old = arguments[0].as_table()->metatable();
  if (old != nullptr && !find_metamethod(vm, old, Metamethod::Metatable).is_nil()) return kNotDirect;
  set_metatable(vm, arguments[0], arguments[1].is_nil() ? nullptr : arguments[1].as_table());
  return ret(function, arguments[0]);
}

int tonumber(Vm& vm, Value* function, int argument_count) {
  const Value value = function[kCallOverheadSlots];
  if (argument_count != 1) return kNotDirect;
  if (value.is_number()) return ret(function, value);
  if (value.is_userdata()) return kNotDirect;  // it may be a cdata
  if (!value.is_string()) return ret(function, Value::nil());
  const std::string_view text = value.as_string()->view();
  if (text.size() > kLongNumeralBytes) return kNotDirect;
  charge_native(vm, kWorkOfNumeral);
  return ret(function, string_to_number(text));
}

int tostring(Vm& vm, Value* function, int argument_count) {
  if (argument_count == 0) return kNotDirect;
  const Value value = in_words(function + kCallOverheadSlots);
  if (!value.is_string() && !value.is_number()) return kNotDirect;
  if (!vm.metamethod(value, Metamethod::ToString).is_nil()) return kNotDirect;
  if (value.is_string()) return ret(function, value);
  char text[64];
  const int length = format_number(value, text);
  charge_number_text(vm, value);
  return ret(function, vm.string_value({text, static_cast<size_t>(length)}));
}

int type(Vm& vm, Value* function, int argument_count) {
  if (argument_count == 0) return kNotDirect;
  const Value value = function[kCallOverheadSlots];
  if (value.is_userdata() && value.as_userdata()->kind() == UserdataKind::Foreign) return ret(function, vm.string_value("cdata"));
  return ret(function, Value::string(vm.type_names[static_cast<int>(value.tag)]));
}

}  // namespace mangata::direct
