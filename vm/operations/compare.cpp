// Equality and order (Lua 5.4 manual §3.4.4).
//
// Integers and floats are compared by their mathematical values: converting a large integer to a float would round, so
// the float is brought to an integer instead. NaN is neither less than, equal to, nor greater than anything.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "vm/object/string_order.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

/// a < b, exactly. For every float b that is in range, a < b iff a < ceil(b).
bool integer_less_than_float(int64_t a, double b) {
  if (b >= kTwoTo63) return true;
  if (!(b > -kTwoTo63)) return false;  // also NaN
  return a < static_cast<int64_t>(std::ceil(b));
}

bool integer_less_equal_float(int64_t a, double b) {
  if (b >= kTwoTo63) return true;
  if (!(b >= -kTwoTo63)) return false;
  return a <= static_cast<int64_t>(std::floor(b));
}

bool float_less_than_integer(double a, int64_t b) {
  if (a >= kTwoTo63) return false;
  if (!(a >= -kTwoTo63)) return !std::isnan(a);
  return static_cast<int64_t>(std::floor(a)) < b;
}

bool float_less_equal_integer(double a, int64_t b) {
  if (a >= kTwoTo63) return false;
  if (!(a > -kTwoTo63)) return !std::isnan(a);
  return static_cast<int64_t>(std::ceil(a)) <= b;
}

bool string_less_than(const String* a, const String* b) { return string_order(a, b) < 0; }

/// The result of the metamethod `event` of either operand, as a boolean.
Result<bool> compare_with_metamethod(Vm& vm, Metamethod event, Value a, Value b) {
  Value method = vm.metamethod(a, event);
  if (method.is_nil()) method = vm.metamethod(b, event);
  if (method.is_nil()) return raise_compare_error(vm, a, b);
  return TRY(call_metamethod(vm, method, a, b))
  .is_truthy();
}

}  // namespace

bool number_less_than(Value a, Value b) {
  if (a.is_integer()) {
    return b.is_integer() ? a.as_integer() < b.as_integer() : integer_less_than_float(a.as_integer(), b.as_float());
  }
  return b.is_float() ? a.as_float() < b.as_float() : float_less_than_integer(a.as_float(), b.as_integer());
}

bool number_less_equal(Value a, Value b) {
  if (a.is_integer()) {
    return b.is_integer() ? a.as_integer() <= b.as_integer()
                          : integer_less_equal_float(a.as_integer(), b.as_float());
  }
  return b.is_float() ? a.as_float() <= b.as_float() : float_less_equal_integer(a.as_float(), b.as_integer());
}

bool raw_equals(Value a, Value b) {
  if (a.tag != b.tag) {
    if (!a.is_number() || !b.is_number()) return false;
    int64_t x, y;  // one is a float: equal only when it has the integer value of the other
    return number_to_integer(a, &x) && number_to_integer(b, &y) && x == y;
  }
  if (a.is_float()) return a.as_float() == b.as_float();
  if (a.is_string()) return strings_equal(a.as_string(), b.as_string());
  return a.tag <= Tag::True || a.payload == b.payload;
}

bool raw_equals(Vm& vm, Value a, Value b) {
  if (a.tag != b.tag || !a.is_string()) return raw_equals(a, b);
  const String* x = a.as_string();
  const String* y = b.as_string();
  if (x != y && !x->is_short() && x->length == y->length) charge_bytes(vm, x->length);
  return strings_equal(x, y);
}

Value equality_metamethod(Vm& vm, const Value& a, const Value& b) {
  if (a.tag != b.tag) {
    if (!is_foreign(a) && !is_foreign(b)) return Value::nil();
    return vm.metamethod(is_foreign(a) ? a : b, Metamethod::Equal);
  }
  if ((!a.is_table() && !a.is_userdata()) || a.payload == b.payload) return Value::nil();
  const Value method = vm.metamethod(a, Metamethod::Equal);
  return method.is_nil() ? vm.metamethod(b, Metamethod::Equal) : method;
}

Result<bool> equals(Vm& vm, Value a, Value b) {
  const Value method = equality_metamethod(vm, a, b);
  if (method.is_nil()) return raw_equals(vm, a, b);
  return TRY(call_metamethod(vm, method, a, b))
  .is_truthy();
}

Result<bool> less_than(Vm& vm, Value a, Value b) {
  if (a.is_number() && b.is_number()) return number_less_than(a, b);
  if (a.is_string() && b.is_string()) {
    charge_bytes(vm, std::min(a.as_string()->length, b.as_string()->length));
    return string_less_than(a.as_string(), b.as_string());
  }
  return compare_with_metamethod(vm, Metamethod::Less, a, b);
}

Result<bool> less_equal(Vm& vm, Value a, Value b) {
  if (a.is_number() && b.is_number()) return number_less_equal(a, b);
  if (a.is_string() && b.is_string()) {
    charge_bytes(vm, std::min(a.as_string()->length, b.as_string()->length));
    return !string_less_than(b.as_string(), a.as_string());
  }
  const bool has_method = !vm.metamethod(a, Metamethod::LessEqual).is_nil() ||
                          !vm.metamethod(b, Metamethod::LessEqual).is_nil();
  const bool has_less = !vm.metamethod(a, Metamethod::Less).is_nil() || !vm.metamethod(b, Metamethod::Less).is_nil();
  if (!has_method && has_less) {
    return !TRY(compare_with_metamethod(vm, Metamethod::Less, b, a));  // as Lua 5.3; lua5.4 keeps it (LUA_COMPAT_LT_LE)
  }
  return compare_with_metamethod(vm, Metamethod::LessEqual, a, b);
}

}  // namespace mangata
