// Arguments, errors and results of native functions; see native.h. Calls back into Lua are in
// vm/operations/call.cpp.
#include "vm/native.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "vm/operations/debug_names.h"
#include "vm/operations/long_numeral.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// The name of an argument's type for messages: __name of anything with a metatable, "no value" for an absent
/// one.
std::string argument_type_name(Call& call, int i) {
  if (call.is_none(i)) return "no value";
  const Value name = find_metamethod(call.vm(), call.vm().metatable_of(call[i]), Metamethod::Name);
  if (name.is_string()) return std::string(name.as_string()->view());
  return call[i].is_light_userdata() ? "light userdata" : type_name(call[i]);
}

}  // namespace

void Call::set_upvalue(int i, Value value) {
  callee()->upvalues[i] = value;
  vm_.heap.write_barrier(callee(), value);
}

// --- arguments

Result<int64_t> Call::check_integer(int i) {
  const Value value = TRY(number_of(vm_, (*this)[i]));
  int64_t integer;
  if (number_to_integer(value, &integer)) return integer;
  if (value.is_number()) return bad_argument(i, "number has no integer representation");
  return type_error(i, "number");
}

Result<double> Call::check_number(int i) {
  return TRY(check_number_value(i))
  .as_number();
}

Result<Value> Call::check_number_value(int i) {
  const Value value = TRY(number_of(vm_, (*this)[i]));
  if (value.is_number()) return value;
  return type_error(i, "number");
}

Result<String*> Call::check_string(int i) {
  const Value value = (*this)[i];
  if (value.is_string()) return value.as_string();
  if (!value.is_number()) return type_error(i, "string");
  String* text = TRY(to_string_coercion(vm_, value));
  thread_.base[i] = Value::string(text);
  return text;
}

Result<std::string_view> Call::check_view(int i) {
  return TRY(check_string(i))
  ->view();
}

Result<Table*> Call::check_table(int i) {
  if ((*this)[i].is_table()) return (*this)[i].as_table();
  return type_error(i, "table");
}

Result<Value> Call::check_function(int i) {
  if ((*this)[i].is_function()) return (*this)[i];
  return type_error(i, "function");
}

Status Call::check_any(int i) {
  if (is_none(i)) return bad_argument(i, "value expected");
  return {};
}

Status Call::check_type(int i, const char* expected, bool ok) {
  if (!ok) return type_error(i, expected);
  return {};
}

Result<int64_t> Call::optional_integer(int i, int64_t fallback) {
  if (is_none_or_nil(i)) return fallback;
  return check_integer(i);
}

Result<double> Call::optional_number(int i, double fallback) {
  if (is_none_or_nil(i)) return fallback;
  return check_number(i);
}

Result<std::string_view> Call::optional_view(int i, std::string_view fallback) {
  if (is_none_or_nil(i)) return fallback;
  return check_view(i);
}

Result<int> Call::check_option(int i, const char* fallback, const char* const options[]) {
  const std::string_view given = fallback == nullptr ? TRY(check_view(i)) : TRY(optional_view(i, fallback));
  for (int index = 0; options[index] != nullptr; ++index) {
    if (given == options[index]) return index;
  }
  return bad_argument(i, "invalid option '" + std::string(given) + "'");
}

// --- errors

Raised Call::bad_argument(int i, std::string_view message) {
  int number = i + 1;
  FoundName found = name_from_caller(vm_, thread_.base);
  const std::string in_parentheses = " (" + std::string(message) + ")";
  if (found.is("method")) {
    --number;  // `self` is not counted
    if (number == 0) return error("calling '" + found.name + "' on bad self" + in_parentheses);
  }
  if (found.kind == nullptr) found.name = global_function_name(vm_, *function_slot(thread_.base));
  if (found.name.empty()) found.name = "?";
  return error("bad argument #" + std::to_string(number) + " to '" + found.name + "'" + in_parentheses);
}

Raised Call::type_error(int i, const char* expected) {
  return bad_argument(i, std::string(expected) + " expected, got " + argument_type_name(*this, i));
}

Raised Call::error(std::string_view message) { return raise_plain(vm_, where(vm_, 1).append(message)); }

Raised Call::errorf(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(static_cast<size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  return error(text);
}

Raised Call::raise(Value value) { return raise_value(vm_, value); }

// --- results and the stack

void Call::set_count(int n) {
  while (count() < n) push(Value::nil());
  thread_.top = thread_.base + n;
}

Status Call::reserve_slots(int n) { return ensure_stack(vm_, thread_.top, n); }

bool Call::make_room(int n) { return make_stack_room(thread_, thread_.top, n); }

Result<int> Call::ret_string(std::string_view text) { return ret(Value::string(TRY(vm_.new_string(text)))); }

Result<int> Call::ret_errno(int error_number, std::string_view name) {
  std::string message = error_number != 0 ? std::strerror(error_number) : "(no extra info)";
  if (name.data() != nullptr) message = std::string(name) + ": " + message;
  push(Value::nil());
  push(Value::string(TRY(vm_.new_string(message))));
  push(Value::integer(error_number));
  return 3;
}

// --- building libraries

void set_field(Vm& vm, Table* table, std::string_view name, Value value) {
  // Tables of libraries are small: their growth cannot pass the memory limit.
  (void)table_set_string(vm, table, vm.intern(name), value);
}

void set_functions(Vm& vm, Table* library, const LibraryFunction* functions, int count) {
  for (int i = 0; i < count; ++i) {
    NativeFunction* function = vm.new_native(functions[i].code, functions[i].name);
    function->type_byte = static_cast<uint8_t>(functions[i].id);
    function->direct = functions[i].direct;
    set_field(vm, library, functions[i].name, Value::function(function));
  }
}

void set_functions(Vm& vm, Table* library, std::initializer_list<LibraryFunction> functions) {
  set_functions(vm, library, functions.begin(), static_cast<int>(functions.size()));
}

void register_library(Vm& vm, std::string_view name, Table* library) {
  Value loaded = table_get_string(vm.registry, vm.intern("_LOADED"));
  if (!loaded.is_table()) {
    loaded = Value::table(table_new(vm));
    set_field(vm, vm.registry, "_LOADED", loaded);
  }
  set_field(vm, loaded.as_table(), name, Value::table(library));
  set_field(vm, vm.globals, name, Value::table(library));
}

}  // namespace mangata
