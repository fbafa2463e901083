// Conversions between numbers, integers and strings (Lua 5.4 manual §3.4.3), and tostring.
//
// Read next: vm/operations/number_text.cpp for the texts of numbers.
#include <cstdio>
#include <string>

#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {

bool float_to_integer(double value, int64_t* out) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (!(value >= -kTwoTo63 && value < kTwoTo63)) return false;  // also NaN
  const int64_t truncated = static_cast<int64_t>(value);
  if (static_cast<double>(truncated) != value) return false;
  *out = truncated;
  return true;
}

bool number_to_integer(Value value, int64_t* out) {
  if (value.is_integer()) {
    *out = value.as_integer();
    return true;
  }
  return value.is_float() && float_to_integer(value.as_float(), out);
}

bool to_integer(Value value, int64_t* out) {
  if (value.is_string()) value = string_to_number(value.as_string()->view());
  return number_to_integer(value, out);
}

bool to_number(Value value, double* out) {
  if (value.is_string()) value = string_to_number(value.as_string()->view());
  if (!value.is_number()) return false;
  *out = value.as_number();
  return true;
}

Result<String*> to_string_coercion(Vm& vm, Value value) {
  if (value.is_string()) return value.as_string();
  if (!value.is_number()) return static_cast<String*>(nullptr);
  char text[64];
  const int length = format_number(value, text);
  charge_number_text(vm, value);
  return vm.intern({text, static_cast<size_t>(length)});
}

const void* address_of(Value value) {
  if (value.is_userdata()) return value.as_userdata()->payload;
  if (value.is_thread()) return &value.as_thread()->c_boundary;
  if (value.is_native_function() && (value.as_native_function()->type_flags & NativeFunction::kKnownByCode) != 0) {
    return reinterpret_cast<const void*>(value.as_native_function()->c_code);
  }
  return value.is_collectable() || value.is_light_userdata() ? value.as_light_userdata() : nullptr;
}

namespace {

/// "table: 0x5581..." with the name that __name gives, if it is a string.
Result<String*> address_text(Vm& vm, Value value) {
  const Value name = vm.metamethod(value, Metamethod::Name);
  std::string text = name.is_string() ? std::string(name.as_string()->view()) : type_name(value);
  char address_digits[32];
  constexpr int64_t kWork = 8;
  charge_native(vm, kWork);
  std::snprintf(address_digits, sizeof address_digits, ": %p", address_of(value));
  return vm.new_string(text + address_digits);
}

}  // namespace

Result<String*> to_display_string(Vm& vm, Value value) {
  const Value method = vm.metamethod(value, Metamethod::ToString);
  if (!method.is_nil()) {
    charge_native(vm, 1);
    const Value result = TRY(call_metamethod(vm, method, value));
    String* text = TRY(to_string_coercion(vm, result));
    if (text != nullptr) return text;
    return raise_plain(vm, where(vm, 1) + "'__tostring' must return a string");
  }
  switch (value.tag) {
    case Tag::String:
      return value.as_string();
    case Tag::Integer:
    case Tag::Float:
      return to_string_coercion(vm, value);
    case Tag::Nil:
      return vm.intern("nil");
    case Tag::False:
      return vm.intern("false");
    case Tag::True:
      return vm.intern("true");
    default:
      return address_text(vm, value);
  }
}

}  // namespace mangata
