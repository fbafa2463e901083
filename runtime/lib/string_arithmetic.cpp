// Arithmetic on strings: in Lua 5.4 these are metamethods of the string type (manual §3.4.3).
#include "runtime/lib/string_library.h"
#include "vm/operations/long_numeral.h"
#include "vm/poll.h"

namespace mangata {

namespace {

/// At least one operand is no numeral: the second may have a metamethod of its own.
Result<int> try_second_operand(Call& call, Metamethod event) {
  Vm& vm = call.vm();
  call.set_count(2);
  const Value method = call[1].is_string() ? Value::nil() : vm.metamethod(call[1], event);
  if (method.is_nil()) {
    return call.errorf("attempt to %s a '%s' with a '%s'", vm.name_of(event)->data + 2, type_name(call[0]),
                       type_name(call[1]));
  }
  return call.ret(TRY(call.call_value(method, {call[0], call[1]})));
}

template <ArithmeticOperator kOperator, Metamethod kEvent>
Result<int> arithmetic_metamethod(Call& call) {
  constexpr int64_t kWorkOfNumerals = 4;
  charge_native(call.vm(), kWorkOfNumerals);
  const Value a = TRY(number_of(call.vm(), call[0]));
  const Value b = call.count() == 1 ? a : TRY(number_of(call.vm(), call[1]));  // __unm may be called with one argument
  if (a.is_nil() || b.is_nil()) return try_second_operand(call, kEvent);
  return call.ret(TRY(arithmetic(call.vm(), kOperator, a, b)));
}

}  // namespace

void set_string_arithmetic(Vm& vm, Table* metatable) {
  using enum ArithmeticOperator;
  set_functions(vm, metatable,
                {{"__add", arithmetic_metamethod<Add, Metamethod::Add>},
                 {"__sub", arithmetic_metamethod<Sub, Metamethod::Sub>},
                 {"__mul", arithmetic_metamethod<Mul, Metamethod::Mul>},
                 {"__mod", arithmetic_metamethod<Mod, Metamethod::Mod>},
                 {"__pow", arithmetic_metamethod<Pow, Metamethod::Pow>},
                 {"__div", arithmetic_metamethod<Div, Metamethod::Div>},
                 {"__idiv", arithmetic_metamethod<FloorDiv, Metamethod::FloorDiv>},
                 {"__unm", arithmetic_metamethod<Negate, Metamethod::Negate>}});
}

}  // namespace mangata
