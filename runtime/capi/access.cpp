// Reading, comparing and computing values (Lua 5.4 manual §4.6).
#include "runtime/c_boundary/protect.h"
#include "runtime/capi/library_functions.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

constexpr ArithmeticOperator kOperators[] = {
    ArithmeticOperator::Add, ArithmeticOperator::Sub, ArithmeticOperator::Mul, ArithmeticOperator::Mod,
    ArithmeticOperator::Pow, ArithmeticOperator::Div, ArithmeticOperator::FloorDiv, ArithmeticOperator::BitAnd,
    ArithmeticOperator::BitOr, ArithmeticOperator::BitXor, ArithmeticOperator::ShiftLeft, ArithmeticOperator::ShiftRight,
    ArithmeticOperator::Negate, ArithmeticOperator::BitNot};
static_assert(sizeof kOperators / sizeof *kOperators == LUA_OPBNOT + 1);

Result<bool> compare(Vm& vm, const Value& a, const Value& b, int op) {
  switch (op) {
    case LUA_OPEQ:
      return equals(vm, a, b);
    case LUA_OPLT:
      return less_than(vm, a, b);
    case LUA_OPLE:
      return less_equal(vm, a, b);
    default:  // hosts ask with numbers that are none of these, and are answered no
      return false;
  }
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

int lua_type(lua_State* L, int idx) { return type_of(value_at(thread_of(L), idx)); }

const char* lua_typename(lua_State*, int tp) {
  static constexpr const char* kNames[] = {"no value", "nil", "boolean", "userdata", "number",
                                           "string", "table", "function", "userdata", "thread"};
  return kNames[tp + 1];
}

int lua_isnumber(lua_State* L, int idx) {
  double ignored;
  return to_number(value_at(thread_of(L), idx), &ignored);
}

int lua_isstring(lua_State* L, int idx) {
  const Value value = value_at(thread_of(L), idx);
  return value.is_string() || value.is_number();
}

int lua_iscfunction(lua_State* L, int idx) { return value_at(thread_of(L), idx).is_native_function(); }
int lua_isinteger(lua_State* L, int idx) { return value_at(thread_of(L), idx).is_integer(); }

int lua_isuserdata(lua_State* L, int idx) {
  const Value value = value_at(thread_of(L), idx);
  return value.is_userdata() || value.is_light_userdata();
}

lua_Number lua_tonumberx(lua_State* L, int idx, int* isnum) {
  const Value value = value_at(thread_of(L), idx);
  double number = 0;
  const bool ok = to_number(value, &number);
  if (isnum != nullptr) *isnum = ok;
  return ok ? number : 0;
}

lua_Integer lua_tointegerx(lua_State* L, int idx, int* isnum) {
  const Value value = value_at(thread_of(L), idx);
  int64_t integer = 0;
  const bool ok = to_integer(value, &integer);
  if (isnum != nullptr) *isnum = ok;
  return ok ? integer : 0;
}

int lua_toboolean(lua_State* L, int idx) { return or_nil(value_at(thread_of(L), idx)).is_truthy(); }

const char* lua_tolstring(lua_State* L, int idx, size_t* len) {
  Thread& thread = thread_of(L);
  Value value = value_at(thread, idx);
  if (value.is_number()) {
    value = Value::string(protect(thread, [&] { return to_string_coercion(*thread.vm, value); }));
    *slot_at(thread, idx) = value;
    if (idx < LUA_REGISTRYINDEX) thread.vm->heap.write_barrier(function_slot(thread.base)->as_native_function(), value);
  } else if (!value.is_string()) {
    if (len != nullptr) *len = 0;
    return nullptr;
  }
  if (len != nullptr) *len = value.as_string()->length;
  return value.as_string()->data;
}

lua_Unsigned lua_rawlen(lua_State* L, int idx) {
  const Value value = value_at(thread_of(L), idx);
  if (value.is_string()) return value.as_string()->length;
  if (value.is_userdata()) return value.as_userdata()->payload_bytes;
  return value.is_table() ? static_cast<lua_Unsigned>(table_length(value.as_table())) : 0;
}

lua_CFunction lua_tocfunction(lua_State* L, int idx) {
  const Value value = value_at(thread_of(L), idx);
  if (!value.is_native_function()) return nullptr;
  NativeFunction* function = value.as_native_function();
  return is_c_function(value) ? c_code_of(*function) : c_function_of(vm_of(L), function);
}

void* lua_touserdata(lua_State* L, int idx) {
  const Value value = value_at(thread_of(L), idx);
  if (value.is_userdata()) return value.as_userdata()->payload;
  return value.is_light_userdata() ? value.as_light_userdata() : nullptr;
}

lua_State* lua_tothread(lua_State* L, int idx) {
  const Value value = value_at(thread_of(L), idx);
  if (!value.is_thread() || !show_to_host(vm_of(L), *value.as_thread())) return nullptr;
  return state_of(*value.as_thread());
}

const void* lua_topointer(lua_State* L, int idx) {
  return address_of(value_at(thread_of(L), idx));
}

int lua_rawequal(lua_State* L, int idx1, int idx2) {
  const Value a = value_at(thread_of(L), idx1), b = value_at(thread_of(L), idx2);
  return !is_none(a) && !is_none(b) && raw_equals(a, b);
}

int lua_compare(lua_State* L, int idx1, int idx2, int op) {
  Thread& thread = thread_of(L);
  const Value a = value_at(thread, idx1), b = value_at(thread, idx2);
  if (is_none(a) || is_none(b)) return 0;
  return protect(thread, [&] { return compare(*thread.vm, a, b, op); });
}

void lua_arith(lua_State* L, int op) {
  Thread& thread = thread_of(L);
  if (op == LUA_OPUNM || op == LUA_OPBNOT) push(thread, thread.top[-1]);
  const Value a = thread.top[-2], b = thread.top[-1];
  const Value result = protect(thread, [&] { return arithmetic(*thread.vm, kOperators[op], a, b); });
  *--thread.top = Value::nil();
  thread.top[-1] = result;
}

void lua_concat(lua_State* L, int n) {
  Thread& thread = thread_of(L);
  if (n == 0) push(thread, Value::string(thread.vm->empty_string));
  if (n >= 2) {
    protect(thread, [&] { return concat(*thread.vm, thread.top - n, n); });
    thread.top -= n - 1;
  }
  safepoint(thread);
}

void lua_len(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  const Value value = or_nil(value_at(thread, idx));
  push(thread, protect(thread, [&] { return length(*thread.vm, value); }));
}

size_t lua_stringtonumber(lua_State* L, const char* s) {
  const std::string_view text = s;
  const Value number = string_to_number(text);
  if (number.is_nil()) return 0;
  push(thread_of(L), number);
  return text.size() + 1;
}
