// Arithmetic of cdata; see metamethods.h.
//
// Pointers have the arithmetic of C. What C has no operator for is left to ffi.metatype. Other numbers are
// computed in 64 bits, unsigned if one of them is an uint64_t; the result is a cdata. / and % truncate as in
// C; // rounds down, as in Lua.
#include "runtime/ffi/metamethods.h"
#include "runtime/ffi/operands.h"
#include "vm/operations/operations.h"

namespace mangata::ffi {
namespace {

using Operator = ArithmeticOperator;

constexpr uint64_t kUndefined = uint64_t{1} << 63;  // division by zero, as x86-64 without the trap

uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if ((exponent & 1) != 0) result *= base;
  }
  return result;
}

uint64_t signed_power(int64_t base, int64_t exponent) {
  if (exponent >= 0) return power(static_cast<uint64_t>(base), static_cast<uint64_t>(exponent));
  if (base == 0) return static_cast<uint64_t>(INT64_MAX);
  if (base == 1) return 1;
  if (base == -1) return (exponent & 1) != 0 ? UINT64_MAX : 1;
  return 0;
}

uint64_t divide(Operator op, uint64_t a, uint64_t b, bool is_unsigned) {
  if (b == 0) return kUndefined;
  if (is_unsigned) return op == Operator::Mod ? a % b : a / b;
  const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  if (y == -1) return op == Operator::Mod ? 0 : 0 - a;
  if (op == Operator::FloorDiv) return static_cast<uint64_t>(integer_floor_divide(x, y));
  return static_cast<uint64_t>(op == Operator::Mod ? x % y : x / y);
}

uint64_t compute(Operator op, uint64_t a, uint64_t b, bool is_unsigned) {
  switch (op) {
    case Operator::Add:
      return a + b;
    case Operator::Sub:
      return a - b;
    case Operator::Mul:
      return a * b;
    case Operator::Div:
    case Operator::Mod:
    case Operator::FloorDiv:
      return divide(op, a, b, is_unsigned);
    case Operator::Pow:
      return is_unsigned ? power(a, b) : signed_power(static_cast<int64_t>(a), static_cast<int64_t>(b));
    case Operator::BitAnd:
      return a & b;
    case Operator::BitOr:
      return a | b;
    case Operator::BitXor:
      return a ^ b;
    case Operator::ShiftLeft:
      return static_cast<uint64_t>(shift_left(static_cast<int64_t>(a), static_cast<int64_t>(b)));
    case Operator::ShiftRight:
      return static_cast<uint64_t>(shift_left(static_cast<int64_t>(a), static_cast<int64_t>(0 - b)));
    case Operator::Negate:
      return 0 - a;
    case Operator::BitNot:
      return ~a;
  }
  return 0;
}

Result<int> return_integer(Call& call, uint64_t value, bool is_unsigned) {
  Userdata* result =
      new_cdata(state_of(call.vm()), is_unsigned ? builtin::kUint64 : builtin::kInt64, sizeof(value));
  store_as(reinterpret_cast<CData*>(result->payload)->address, value);
  return call.ret(Value::userdata(result));
}

/// pointer + integer, integer + pointer, pointer - integer, pointer - pointer. False: something else.
Result<bool> compute_pointer(Call& call, Operator op, Value* result) {
  State& state = state_of(call.vm());
  if (op != Operator::Add && op != Operator::Sub) return false;
  Pointer a, b;
  Number number;
  const bool is_first = pointer_of(state, call[0], &a), is_second = pointer_of(state, call[1], &b);
  if (!is_first && !(is_second && op == Operator::Add)) return false;
  const Pointer& pointer = is_first ? a : b;
  const uint64_t size = state.types.size_of(pointer.element);
  const bool has_size = size != kUnknownSize && size != 0;
  if (is_first && is_second) {
    if (op != Operator::Sub || !state.types.same_unqualified(a.element, b.element)) return false;
    if (!has_size) return call.error("size of C type is unknown or too large");
    *result = Value::integer((a.address - b.address) / static_cast<int64_t>(size));
    return true;
  }
  if (!number_operand_of(state, is_first ? call[1] : call[0], &number)) return false;
  if (!has_size) return call.error("size of C type is unknown or too large");
  const uint64_t distance = static_cast<uint64_t>(number.as_integer()) * size;
  const auto address = reinterpret_cast<uint64_t>(pointer.address);
  *result =
      new_pointer(state, state.types.pointer_to(pointer.element),
                  reinterpret_cast<void*>(op == Operator::Add ? address + distance : address - distance));
  return true;
}

template <Operator op, Metamethod event>
Result<int> arithmetic_method(Call& call) {
  State& state = state_of(call.vm());
  call.set_count(2);
  Value result;
  if (TRY(compute_pointer(call, op, &result))) return call.ret(result);
  if (TRY(call_own(call, event, &result))) return call.ret(result);
  Number a, b;
  if (!numbers_of(state, call[0], call[1], &a, &b))
    return fail_operands(call, "attempt to perform arithmetic on '%s' and '%s'");
  const bool is_unsigned = is_unsigned_operation(a, b);
  return return_integer(
      call,
      compute(op, static_cast<uint64_t>(a.as_integer()), static_cast<uint64_t>(b.as_integer()), is_unsigned),
      is_unsigned);
}

Result<int> concatenation_method(Call& call) {
  call.set_count(2);
  Value result;
  if (TRY(call_own(call, Metamethod::Concat, &result))) return call.ret(result);
  return fail_operands(call, "attempt to concatenate '%s' and '%s'");
}

Result<int> length_method(Call& call) {
  State& state = state_of(call.vm());
  const Value method = metamethod_of(state, call[0], Metamethod::Length);
  if (method.is_nil()) return call.error("attempt to get length of '" + name_of_value(state, call[0]) + "'");
  return call.ret(TRY(call.call_value_yieldable(method, {call[0]})));
}

}  // namespace

void set_operators(Vm& vm, Table* metatable) {
  set_functions(vm, metatable,
                {{"__add", arithmetic_method<Operator::Add, Metamethod::Add>},
                 {"__sub", arithmetic_method<Operator::Sub, Metamethod::Sub>},
                 {"__mul", arithmetic_method<Operator::Mul, Metamethod::Mul>},
                 {"__div", arithmetic_method<Operator::Div, Metamethod::Div>},
                 {"__mod", arithmetic_method<Operator::Mod, Metamethod::Mod>},
                 {"__pow", arithmetic_method<Operator::Pow, Metamethod::Pow>},
                 {"__idiv", arithmetic_method<Operator::FloorDiv, Metamethod::FloorDiv>},
                 {"__band", arithmetic_method<Operator::BitAnd, Metamethod::BitAnd>},
                 {"__bor", arithmetic_method<Operator::BitOr, Metamethod::BitOr>},
                 {"__bxor", arithmetic_method<Operator::BitXor, Metamethod::BitXor>},
                 {"__shl", arithmetic_method<Operator::ShiftLeft, Metamethod::ShiftLeft>},
                 {"__shr", arithmetic_method<Operator::ShiftRight, Metamethod::ShiftRight>},
                 {"__unm", arithmetic_method<Operator::Negate, Metamethod::Negate>},
                 {"__bnot", arithmetic_method<Operator::BitNot, Metamethod::BitNot>},
                 {"__concat", concatenation_method},
                 {"__len", length_method}});
}

}  // namespace mangata::ffi
