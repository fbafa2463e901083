// The math library (Lua 5.4 manual §6.7). Read next: random.h.
#include <cmath>
#include <ctime>
#include <new>

#include "runtime/lib/direct.h"
#include "runtime/lib/libraries.h"
#include "runtime/lib/math_compat.h"
#include "runtime/lib/random.h"
#include "vm/native.h"
#include "vm/operations/long_numeral.h"
#include "vm/poll.h"

namespace mangata {

namespace {

constexpr double kPi = 3.141592653589793238462643383279502884;

/// A float with an integer value as an integer, when it fits.
Value integer_if_it_fits(double value) {
  int64_t integer;
  return float_to_integer(value, &integer) ? Value::integer(integer) : Value::number(value);
}

Result<int> math_abs(Call& call) {
  if (call[0].is_integer()) {
    const int64_t n = call[0].as_integer();
    return call.ret(Value::integer(n < 0 ? static_cast<int64_t>(0 - static_cast<uint64_t>(n)) : n));
  }
  return call.ret(Value::number(std::fabs(TRY(call.check_number(0)))));
}

/// Whether truncating a float gives the integer nearest to it towards zero; not so for NaN and what is beyond
/// 64 bits.
bool truncates(Value value) {
  return value.is_float() && value.as_float() >= -0x1p63 && value.as_float() < 0x1p63;
}

Result<int> math_ceil(Call& call) {
  if (call[0].is_integer()) return call.ret(call[0]);
  if (truncates(call[0])) {
    const double d = call[0].as_float();
    const int64_t integer = static_cast<int64_t>(d);
    return call.ret(Value::integer(integer + (static_cast<double>(integer) < d)));
  }
  return call.ret(integer_if_it_fits(std::ceil(TRY(call.check_number(0)))));
}

Result<int> math_floor(Call& call) {
  if (call[0].is_integer()) return call.ret(call[0]);
  if (truncates(call[0])) {
    const double d = call[0].as_float();
    const int64_t integer = static_cast<int64_t>(d);
    return call.ret(Value::integer(integer - (static_cast<double>(integer) > d)));
  }
  return call.ret(integer_if_it_fits(std::floor(TRY(call.check_number(0)))));
}

Result<int> math_fmod(Call& call) {
  if (call[0].is_integer() && call[1].is_integer()) {
    const int64_t divisor = call[1].as_integer();
    if (divisor == 0) return call.bad_argument(1, "zero");
    if (divisor == -1) return call.ret(Value::integer(0));  // the smallest integer would trap
    return call.ret(Value::integer(call[0].as_integer() % divisor));
  }
  const double divisor = TRY(call.check_number(1));  // of two bad arguments lua5.4 reports the second
  const double dividend = TRY(call.check_number(0));
  charge_native(call.vm(), direct::kWorkOfRemainder);
  return call.ret(Value::number(float_remainder(dividend, divisor)));
}

Result<int> math_modf(Call& call) {
  if (call[0].is_integer()) return call.ret(call[0], Value::number(0));
  const double n = TRY(call.check_number(0));
  const double whole = std::trunc(n);
  const double fraction = n == whole ? 0.0 : n - whole;  // infinities have none
  return call.ret(integer_if_it_fits(whole), Value::number(fraction));
}

Result<int> math_log(Call& call) {
  const double x = TRY(call.check_number(0));
  if (call.is_none_or_nil(1)) return call.ret(Value::number(std::log(x)));
  const double base = TRY(call.check_number(1));
  charge_native(call.vm(), 1);
  if (base == 2.0) return call.ret(Value::number(std::log2(x)));
  if (base == 10.0) return call.ret(Value::number(std::log10(x)));
  return call.ret(Value::number(std::log(x) / std::log(base)));
}

Result<int> math_atan(Call& call) {
  const double y = TRY(call.check_number(0));
  return call.ret(Value::number(std::atan2(y, TRY(call.optional_number(1, 1)))));
}

/// A function of one float.
template <double (*kFunction)(double)>
Result<int> float_function(Call& call) {
  return call.ret(Value::number(kFunction(TRY(call.check_number(0)))));
}

double degrees(double radians) { return radians * (180.0 / kPi); }
double radians(double degrees) { return degrees * (kPi / 180.0); }

Result<int> math_tointeger(Call& call) {
  int64_t integer;
  if (number_to_integer(TRY(number_of(call.vm(), call[0])), &integer)) return call.ret(Value::integer(integer));
  TRY(call.check_any(0));
  return call.ret(Value::nil());
}

Result<int> math_type(Call& call) {
  if (call[0].is_integer()) return call.ret_string("integer");
  if (call[0].is_float()) return call.ret_string("float");
  TRY(call.check_any(0));
  return call.ret(Value::nil());
}

Result<int> math_ult(Call& call) {
  const uint64_t a = static_cast<uint64_t>(TRY(call.check_integer(0)));
  return call.ret(Value::boolean(a < static_cast<uint64_t>(TRY(call.check_integer(1)))));
}

/// As the operator "<": PUC Lua takes any values that can be compared.
Result<bool> argument_less_than(Vm& vm, Value a, Value b) {
  if (a.is_number() && b.is_number()) return number_less_than(a, b);
  return less_than(vm, a, b);
}

/// The smallest or the greatest of the arguments, the first of equal ones.
Result<int> select_argument(Call& call, bool greatest) {
  if (call.count() == 0) return call.bad_argument(0, "value expected");
  int best = 0;
  for (int i = 1; i < call.count(); ++i) {
    const bool better = greatest ? TRY(argument_less_than(call.vm(), call[best], call[i]))
                                 : TRY(argument_less_than(call.vm(), call[i], call[best]));
                                 if (better) best = i;
  }
  return call.ret(call[best]);
}

Result<int> math_max(Call& call) { return select_argument(call, true); }
Result<int> math_min(Call& call) { return select_argument(call, false); }

/// random and randomseed share the generator: a userdata, their only upvalue.
struct Generator : Random {
  bool is_deterministic = false;
};

Generator& generator_of(NativeFunction* function) {
  return *reinterpret_cast<Generator*>(function->upvalues[0].as_userdata()->payload);
}

Result<int> math_random(Call& call) {
  Random& generator = generator_of(call.callee());
  const uint64_t bits = generator.next();
  int64_t low = 1;
  int64_t high;
  switch (call.count()) {
    case 0:
      return call.ret(Value::number(Random::to_float(bits)));
    case 1:
      high = TRY(call.check_integer(0));
      if (high == 0) return call.ret(Value::integer(static_cast<int64_t>(bits)));
      break;
    case 2:
      low = TRY(call.check_integer(0));
      high = TRY(call.check_integer(1));
      break;
    default:
      return call.error("wrong number of arguments");
  }
  if (low > high) return call.bad_argument(0, "interval is empty");
  const uint64_t offset = generator.project(bits, static_cast<uint64_t>(high) - static_cast<uint64_t>(low));
  return call.ret(Value::integer(static_cast<int64_t>(offset + static_cast<uint64_t>(low))));
}

Result<int> math_randomseed(Call& call) {
  Generator& generator = generator_of(call.callee());
  uint64_t first = generator.is_deterministic ? generator.next() : static_cast<uint64_t>(std::time(nullptr));
  uint64_t second = generator.is_deterministic ? 0 : reinterpret_cast<uint64_t>(&call.vm());
  if (!call.is_none(0)) {
    first = static_cast<uint64_t>(TRY(call.check_integer(0)));
    second = static_cast<uint64_t>(TRY(call.optional_integer(1, 0)));
  }
  generator.seed(first, second);
  return call.ret(Value::integer(static_cast<int64_t>(first)), Value::integer(static_cast<int64_t>(second)));
}

void add_random(Vm& vm, Table* library) {
  Userdata* generator = vm.new_userdata(sizeof(Generator), 0);
  (new (generator->payload) Generator)
      ->seed(static_cast<uint64_t>(std::time(nullptr)), reinterpret_cast<uint64_t>(&vm));
  const auto add = [&](NativeCode code, const char* name, DirectCode direct) {
    NativeFunction* function = vm.new_native(code, name, 1);
    function->direct = direct;
    function->upvalues[0] = Value::userdata(generator);
    set_field(vm, library, name, Value::function(function));
  };
  add(math_random, "random", direct::random);
  add(math_randomseed, "randomseed", nullptr);
}

}  // namespace

void seed_random(Vm& vm, uint64_t seed) {
  const Value math = table_get_string(vm.globals, vm.intern("math"));
  Generator& generator =
      generator_of(table_get_string(math.as_table(), vm.intern("randomseed")).as_native_function());
  generator.is_deterministic = true;
  generator.seed(seed, 0);
}

void open_math(Vm& vm) {
  Table* library = table_new(vm);
  set_functions(vm, library,
                {{"abs", math_abs, NativeId::MathAbs, direct::abs},
                 {"acos", float_function<std::acos>},
                 {"asin", float_function<std::asin>},
                 {"atan", math_atan},
                 {"ceil", math_ceil, NativeId::MathCeil, direct::ceil},
                 {"cos", float_function<std::cos>, NativeId::None, direct::cos},
                 {"deg", float_function<degrees>},
                 {"exp", float_function<std::exp>, NativeId::None, direct::exp},
                 {"floor", math_floor, NativeId::MathFloor, direct::floor},
                 {"fmod", math_fmod, NativeId::None, direct::fmod},
                 {"log", math_log, NativeId::None, direct::log},
                 {"max", math_max, NativeId::MathMax, direct::max},
                 {"min", math_min, NativeId::MathMin, direct::min},
                 {"modf", math_modf},
                 {"rad", float_function<radians>},
                 {"sin", float_function<std::sin>, NativeId::None, direct::sin},
                 {"sqrt", float_function<std::sqrt>, NativeId::MathSqrt, direct::sqrt},
                 {"tan", float_function<std::tan>, NativeId::None, direct::tan},
                 {"tointeger", math_tointeger, NativeId::None, direct::tointeger},
                 {"type", math_type},
                 {"ult", math_ult}});
  set_field(vm, library, "pi", Value::number(kPi));
  set_field(vm, library, "huge", Value::number(HUGE_VAL));
  set_field(vm, library, "maxinteger", Value::integer(INT64_MAX));
  set_field(vm, library, "mininteger", Value::integer(INT64_MIN));
  add_random(vm, library);
  add_math_compatibility(vm, library);
  set_functions(vm, library, {{"atan2", math_atan}});  // of the same set
  register_library(vm, "math", library);
}

}  // namespace mangata
