// See scalar_call.h.
#include "runtime/ffi/scalar_call.h"

#include <bit>
#include <cerrno>

#include "runtime/ffi/convert.h"
#if MANGATA_HAS_JIT
#include "jit/driver/jit.h"
#endif

namespace mangata::ffi {
namespace {

/// Extended to 64 bits as its type says.
uint64_t extended(Scalar scalar, uint64_t value) {
  switch (scalar) {
    case Scalar::Bool:
      return value != 0;
    case Scalar::Int8:
      return static_cast<uint64_t>(int64_t{static_cast<int8_t>(value)});
    case Scalar::Uint8:
      return static_cast<uint8_t>(value);
    case Scalar::Int16:
      return static_cast<uint64_t>(int64_t{static_cast<int16_t>(value)});
    case Scalar::Uint16:
      return static_cast<uint16_t>(value);
    case Scalar::Int32:
      return static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)});
    case Scalar::Uint32:
      return static_cast<uint32_t>(value);
    default:
      return value;
  }
}

/// Null where there is no JIT.
const void* make_stub(const Vm& vm, const std::string& letters) {
#if MANGATA_HAS_JIT
  if (vm.native_tier != nullptr) return static_cast<jit::Tier*>(vm.native_tier)->owner->foreign_call(letters);
#else
  (void)vm, (void)letters;
#endif
  return nullptr;
}

template <typename T>
T call_as(const CallPlan& plan, const void* code, const uint64_t* words) {
  return reinterpret_cast<T (*)(const uint64_t*, const void*)>(const_cast<void*>(plan.stub))(words, code);
}

}  // namespace

void give_stub(State& state, CallPlan& plan) {
  if (plan.result_scalar == Scalar::None || plan.arguments.size() > kMostStubArguments) return;
  std::string letters;
  for (const CallPlan::Argument& argument : plan.arguments) {
    if (argument.scalar == Scalar::None) return;
    letters += argument.scalar == Scalar::Float ? 'f' : argument.scalar == Scalar::Double ? 'd'
                                                                                          : 'i';
  }
  plan.stub = make_stub(state.vm, letters);
}

bool word_from_lua(State& state, const CallPlan::Argument& argument, const Value& value, uint64_t* word,
                   std::string* problem) {
  if (argument.scalar != Scalar::Other && value.is_number()) [[likely]] {
    if (argument.scalar == Scalar::Double) {
      *word = std::bit_cast<uint64_t>(value.as_number());
    } else if (argument.scalar == Scalar::Float) {
      *word = std::bit_cast<uint32_t>(static_cast<float>(value.as_number()));
    } else if (value.is_integer()) {
      *word = extended(argument.scalar, static_cast<uint64_t>(value.as_integer()));
    } else if (argument.scalar == Scalar::Bool) {
      *word = value.as_float() != 0;
    } else {
      *word = extended(argument.scalar, static_cast<uint64_t>(Number::of(value.as_float()).as_integer()));
    }
    return true;
  }
  *word = 0;
  if (!from_lua(state, argument.type, reinterpret_cast<char*>(word), sizeof(*word), value, Mode::Assign,
                problem))
    return false;
  *word = extended(argument.scalar, *word);
  return true;
}

ScalarResult call_by_stub(State& state, const CallPlan& plan, const void* code, const uint64_t* words) {
  int& error_number = errno;
  error_number = state.saved_errno;
  ScalarResult result;
  if (plan.result_scalar == Scalar::Double) {
    result.real = call_as<double>(plan, code, words);
  } else if (plan.result_scalar == Scalar::Float) {
    result.single = call_as<float>(plan, code, words);
  } else {
    result.integer = call_as<uint64_t>(plan, code, words);
  }
  state.saved_errno = error_number;
  return result;
}

Value value_of_result(State& state, const CallPlan& plan, const ScalarResult& result) {
  switch (plan.result_scalar) {
    case Scalar::Double:
      return Value::number(result.real);
    case Scalar::Float:
      return Value::number(double{result.single});
    case Scalar::Bool:
      return Value::boolean(static_cast<uint8_t>(result.integer) != 0);
    case Scalar::Other: {
      uint64_t word = result.integer;
      return to_lua(state, plan.result, reinterpret_cast<char*>(&word), Value::nil());
    }
    default:
      return Value::integer(static_cast<int64_t>(extended(plan.result_scalar, result.integer)));
  }
}

}  // namespace mangata::ffi
