// The functions of Lua 5.3's math library that lua5.4 keeps for compatibility (LUA_COMPAT_MATHLIB, on in the default build).
#include <cmath>

#include "runtime/lib/math_compat.h"

namespace mangata {
namespace {

template <double (*kFunction)(double)>
Result<int> compat_function(Call& call) {
  return call.ret(Value::number(kFunction(TRY(call.check_number(0)))));
}

Result<int> math_pow(Call& call) {
  const double base = TRY(call.check_number(0));
  return call.ret(Value::number(std::pow(base, TRY(call.check_number(1)))));
}

Result<int> math_frexp(Call& call) {
  int exponent;
  const double mantissa = std::frexp(TRY(call.check_number(0)), &exponent);
  return call.ret(Value::number(mantissa), Value::integer(exponent));
}

Result<int> math_ldexp(Call& call) {
  const double mantissa = TRY(call.check_number(0));
  return call.ret(Value::number(std::ldexp(mantissa, static_cast<int>(TRY(call.check_integer(1))))));
}

}  // namespace

void add_math_compatibility(Vm& vm, Table* library) {
  set_functions(vm, library,
                {{"cosh", compat_function<std::cosh>},
                 {"frexp", math_frexp},
                 {"ldexp", math_ldexp},
                 {"log10", compat_function<std::log10>},
                 {"pow", math_pow},
                 {"sinh", compat_function<std::sinh>},
                 {"tanh", compat_function<std::tanh>}});
}

}  // namespace mangata
