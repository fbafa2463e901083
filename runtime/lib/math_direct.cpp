// Direct forms of the math library (direct.h).
#include <cmath>

#include "runtime/lib/direct.h"
#include "runtime/lib/random.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata::direct {
namespace {

int ret(Value* function, Value value) {
  function[0] = value;
  return 1;
}

template <double (*kFunction)(double)>
int of_float(Value* function, int argument_count) {
  const Value x = function[kCallOverheadSlots];
  if (argument_count == 0 || !x.is_number()) return kNotDirect;
  return ret(function, Value::number(kFunction(x.as_number())));
}

/// Whether converting to an integer truncates; not so for NaN and what is beyond 64 bits.
bool truncates(double x) { return x >= -0x1p63 && x < 0x1p63; }

/// The first of the smallest, or greatest, numbers.
int extreme(Value* function, int argument_count, bool greatest) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count == 0 || !arguments[0].is_number()) return kNotDirect;
  Value best = arguments[0];
  for (int i = 1; i < argument_count; ++i) {
    const Value candidate = arguments[i];
    if (!candidate.is_number()) return kNotDirect;
    if (greatest ? number_less_than(best, candidate) : number_less_than(candidate, best)) best = candidate;
  }
  return ret(function, best);
}

}  // namespace

int abs(Vm&, Value* function, int argument_count) {
  const Value x = function[kCallOverheadSlots];
  if (argument_count == 0) return kNotDirect;
  if (x.is_float()) return ret(function, Value::number(std::fabs(x.as_float())));
  if (!x.is_integer()) return kNotDirect;
  return ret(function,
             Value::integer(x.as_integer() < 0 ? static_cast<int64_t>(0 - x.payload) : x.as_integer()));
}

int ceil(Vm&, Value* function, int argument_count) {
  const Value x = function[kCallOverheadSlots];
  if (argument_count == 0) return kNotDirect;
  if (x.is_integer()) return ret(function, x);
  if (!x.is_float() || !truncates(x.as_float())) return kNotDirect;
  const auto integer = static_cast<int64_t>(x.as_float());
  return ret(function, Value::integer(integer + (static_cast<double>(integer) < x.as_float())));
}

int floor(Vm&, Value* function, int argument_count) {
  const Value x = function[kCallOverheadSlots];
  if (argument_count == 0) return kNotDirect;
  if (x.is_integer()) return ret(function, x);
  if (!x.is_float() || !truncates(x.as_float())) return kNotDirect;
  const auto integer = static_cast<int64_t>(x.as_float());
  return ret(function, Value::integer(integer - (static_cast<double>(integer) > x.as_float())));
}

int cos(Vm&, Value* function, int argument_count) { return of_float<std::cos>(function, argument_count); }
int exp(Vm&, Value* function, int argument_count) { return of_float<std::exp>(function, argument_count); }
int sin(Vm&, Value* function, int argument_count) { return of_float<std::sin>(function, argument_count); }
int sqrt(Vm&, Value* function, int argument_count) { return of_float<std::sqrt>(function, argument_count); }
int tan(Vm&, Value* function, int argument_count) { return of_float<std::tan>(function, argument_count); }

int log(Vm&, Value* function, int argument_count) {
  return argument_count == 1 ? of_float<std::log>(function, argument_count) : kNotDirect;
}

int fmod(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count < 2 || !arguments[0].is_number() || !arguments[1].is_number()) return kNotDirect;
  if (!arguments[0].is_integer() || !arguments[1].is_integer()) {
    charge_native(vm, kWorkOfRemainder);
    return ret(function, Value::number(float_remainder(arguments[0].as_number(), arguments[1].as_number())));
  }
  const int64_t divisor = arguments[1].as_integer();
  if (divisor <= 0) return kNotDirect;
  return ret(function, Value::integer(arguments[0].as_integer() % divisor));
}

int max(Vm&, Value* function, int argument_count) { return extreme(function, argument_count, true); }
int min(Vm&, Value* function, int argument_count) { return extreme(function, argument_count, false); }

int random(Vm&, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  auto& generator =
      *reinterpret_cast<Random*>(function->as_native_function()->upvalues[0].as_userdata()->payload);
  if (argument_count == 0) return ret(function, Value::number(Random::to_float(generator.next())));
  if (argument_count > 2 || !arguments[0].is_integer() || !arguments[argument_count - 1].is_integer())
    return kNotDirect;
  const int64_t low = argument_count == 2 ? arguments[0].as_integer() : 1;
  const int64_t high = arguments[argument_count - 1].as_integer();
  if (low > high) return kNotDirect;
  const uint64_t limit = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const uint64_t offset = generator.project(generator.next(), limit);
  return ret(function, Value::integer(static_cast<int64_t>(offset + static_cast<uint64_t>(low))));
}

int tointeger(Vm&, Value* function, int argument_count) {
  const Value x = function[kCallOverheadSlots];
  if (argument_count == 0) return kNotDirect;
  if (x.is_integer()) return ret(function, x);
  int64_t integer;
  if (!x.is_float()) return kNotDirect;
  return ret(function, float_to_integer(x.as_float(), &integer) ? Value::integer(integer) : Value::nil());
}

}  // namespace mangata::direct
