// Order and equality of cdata; see metamethods.h.
//
// Addresses are compared as in C, numbers in 64 bits, unsigned if one of them is an uint64_t; what C cannot
// compare is left to ffi.metatype. == with a value of another type comes here as well
// (vm/operations/operations.h); it is never an error.
#include "runtime/ffi/metamethods.h"
#include "runtime/ffi/operands.h"

namespace mangata::ffi {
namespace {

enum class Order : uint8_t {
  Less,
  LessEqual
};

bool in_order(Order order, uint64_t a, uint64_t b, bool is_unsigned) {
  if (a == b) return order == Order::LessEqual;
  return is_unsigned ? a < b : static_cast<int64_t>(a) < static_cast<int64_t>(b);
}

/// Beside a void pointer nil is the null pointer.
bool ordered_pointers_of(State& state, const Value& x, const Value& y, Pointer* p, Pointer* q) {
  const auto is_void = [&state](const Pointer& pointer) {
    return state.types[pointer.element].kind == TypeKind::Void;
  };
  const bool has_first = pointer_of(state, x, p), has_second = pointer_of(state, y, q);
  if (has_first && has_second)
    return state.types.same_unqualified(p->element, q->element) || is_void(*p) || is_void(*q);
  return (has_first && y.is_nil() && is_void(*p)) || (has_second && x.is_nil() && is_void(*q));
}

template <Order order, Metamethod event>
Result<int> order_method(Call& call) {
  State& state = state_of(call.vm());
  call.set_count(2);
  Pointer p, q;
  if (ordered_pointers_of(state, call[0], call[1], &p, &q)) {
    return call.ret(Value::boolean(
        in_order(order, reinterpret_cast<uint64_t>(p.address), reinterpret_cast<uint64_t>(q.address), true)));
  }
  Value result;
  if (TRY(call_own(call, event, &result))) return call.ret(result);
  Number a, b;
  if (!numbers_of(state, call[0], call[1], &a, &b))
    return fail_operands(call, "attempt to compare '%s' with '%s'");
  return call.ret(
      Value::boolean(in_order(order, static_cast<uint64_t>(a.as_integer()),
                              static_cast<uint64_t>(b.as_integer()), is_unsigned_operation(a, b))));
}

/// Of pointers, arrays and functions, of records if they are `included`; nil is the null pointer.
bool address_operand_of(const State& state, const Value& value, bool included, char** address) {
  if (value.is_nil()) {
    *address = nullptr;
    return true;
  }
  const CData* data = cdata_of(value);
  return data != nullptr && (included || state.types[data->type].kind != TypeKind::Record) &&
         address_of_cdata(state, *data, address);
}

bool same_type_objects(const State& state, const Value& x, const Value& y) {
  const CData *a = cdata_of(x), *b = cdata_of(y);
  const auto is_type = [&state](const CData* data) {
    return data != nullptr && state.types[data->type].kind == TypeKind::TypeObject;
  };
  return is_type(a) && is_type(b) && type_meant_by(state, *a) == type_meant_by(state, *b);
}

Result<int> equality_method(Call& call) {
  State& state = state_of(call.vm());
  call.set_count(2);
  char *p = nullptr, *q = nullptr;
  const auto have_addresses = [&](bool of_records) {
    return address_operand_of(state, call[0], of_records, &p) &&
           address_operand_of(state, call[1], of_records, &q);
  };
  if (have_addresses(false)) return call.ret(Value::boolean(p == q));
  Value result;
  if (TRY(call_own(call, Metamethod::Equal, &result))) return call.ret(Value::boolean(result.is_truthy()));
  if (have_addresses(true)) return call.ret(Value::boolean(p == q));
  Number a, b;
  if (numbers_of(state, call[0], call[1], &a, &b))
    return call.ret(Value::boolean(a.as_integer() == b.as_integer()));
  return call.ret(Value::boolean(same_type_objects(state, call[0], call[1])));
}

}  // namespace

void set_comparisons(Vm& vm, Table* metatable) {
  set_functions(vm, metatable,
                {{"__lt", order_method<Order::Less, Metamethod::Less>},
                 {"__le", order_method<Order::LessEqual, Metamethod::LessEqual>},
                 {"__eq", equality_method}});
}

}  // namespace mangata::ffi
