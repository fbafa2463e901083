// See call.h.
//
// Arguments are converted into a buffer, each at a multiple of 16 bytes, and the result comes in another one,
// both on the native stack. While the function runs there is a boundary (runtime/c_boundary/boundary.h) on which
// errors of callbacks land: frames of C are left as by longjmp.
#include "runtime/ffi/call.h"

#include <cerrno>

#include "runtime/c_boundary/boundary.h"
#include "runtime/ffi/convert.h"
#include "runtime/ffi/scalar_call.h"
#include "vm/operations/operations.h"

namespace mangata::ffi {
namespace {

struct ScalarCall {
  State& state;
  const CallPlan& plan;
  const void* code;
  const uint64_t* words;
  ScalarResult result;
};

void run_scalar(void* data) {
  auto& running = *static_cast<ScalarCall*>(data);
  running.result = call_by_stub(running.state, running.plan, running.code, running.words);
}

Result<int> call_with_stub(Call& call, const CallPlan& plan, const void* code) {
  State& state = state_of(call.vm());
  uint64_t words[kMostStubArguments];
  std::string problem;
  for (size_t i = 0; i < plan.arguments.size(); ++i) {
    if (!word_from_lua(state, plan.arguments[i], call[static_cast<int>(i) + 1], &words[i], &problem)) {
      return call.bad_argument(static_cast<int>(i), problem);
    }
  }
  ScalarCall running{state, plan, code, words, {}};
  TRY(capi::run_bounded(call.thread(), run_scalar, &running));
  if (plan.result_scalar == Scalar::Void) return call.ret();
  return call.ret(value_of_result(state, plan, running.result));
}

struct Running {
  State& state;
  CallPlan& plan;
  void (*code)();
  char* result;
  void** arguments;
};

void run(void* data) {
  auto& running = *static_cast<Running*>(data);
  errno = running.state.saved_errno;
  ffi_call(&running.plan.cif, running.code, running.result, running.arguments);
  running.state.saved_errno = errno;
}

/// The type in which a value is passed as one of the variable arguments (C99 §6.5.2.2).
TypeId promoted_type(State& state, const Value& value) {
  using namespace builtin;
  if (value.is_float()) return kDouble;
  if (value.is_integer()) return kInt64;
  if (value.is_boolean()) return kInt32;
  if (value.is_string()) return kConstCharPointer;
  const CData* data = cdata_of(value);
  if (data == nullptr) return kVoidPointer;
  const CType& type = state.types[data->type];
  switch (type.kind) {
    case TypeKind::Float:
      return type.size == 4 ? kDouble : data->type;
    case TypeKind::Bool:
      return kInt32;
    case TypeKind::Integer:
      return type.size < 4 ? kInt32 : data->type;
    case TypeKind::Enum:
      return type.size < 4 ? kInt32 : type.element;
    case TypeKind::Array:
      return state.types.pointer_to(type.element);
    case TypeKind::Function:
      return state.types.pointer_to(data->type);
    default:
      return data->type;
  }
}

Result<int> call_with_plan(Call& call, CallPlan& plan, void* code) {
  State& state = state_of(call.vm());
  auto* buffer = static_cast<char*>(__builtin_alloca(plan.buffer_bytes + plan.result_bytes + 16));
  buffer = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(buffer) + 15) & ~uintptr_t{15});
  auto** pointers =
      static_cast<void**>(__builtin_alloca(sizeof(void*) * (plan.foreign_arguments.size() + 1)));
  std::string problem;
  for (size_t i = 0; i < plan.arguments.size(); ++i) {
    const CallPlan::Argument& argument = plan.arguments[i];
    char* place = buffer + argument.offset;
    if (argument.bytes > 8) __builtin_memset(place, 0, argument.bytes);
    if (!from_lua(state, argument.type, place, argument.bytes, call[static_cast<int>(i) + 1], Mode::Assign,
                  &problem)) {
      return call.bad_argument(static_cast<int>(i), problem);
    }
  }
  for (size_t i = 0; i < plan.foreign_offsets.size(); ++i) pointers[i] = buffer + plan.foreign_offsets[i];
  char* result = buffer + plan.buffer_bytes;
  Running running{state, plan, reinterpret_cast<void (*)()>(code), result, pointers};
  TRY(capi::run_bounded(call.thread(), run, &running));
  if (state.types[plan.result].kind == TypeKind::Void) return call.ret();
  if (state.types[plan.result].kind != TypeKind::Record)
    return call.ret(to_lua(state, plan.result, result, Value::nil()));
  const uint64_t bytes = state.types.size_of(plan.result);
  Userdata* copy = new_cdata(state, plan.result, bytes);
  if (copy == nullptr) return raise_out_of_memory(call.vm());
  __builtin_memcpy(reinterpret_cast<CData*>(copy->payload)->address, result, bytes);
  return call.ret(Value::userdata(copy));
}

}  // namespace

bool callable_of(const State& state, const CData& data, TypeId* type, void** code) {
  const CType& own = state.types[data.type];
  if (own.kind == TypeKind::Function) {
    *type = data.type;
    *code = data.address;
    return true;
  }
  if (own.kind != TypeKind::Pointer || state.types[own.element].kind != TypeKind::Function) return false;
  *type = own.element;
  *code = load_as<void*>(data.address);
  return true;
}

int call_directly(Vm& vm, Value* function, int argument_count) {
  State& state = state_of(vm);
  const Value* arguments = function + kCallOverheadSlots;
  const CData* data = argument_count == 0 ? nullptr : cdata_of(arguments[0]);
  if (data == nullptr || state.callbacks_in_use != 0) return kNotDirect;
  const CType& type = state.types[data->type];
  const CallPlan* plan = nullptr;
  const void* code = data->address;
  if (type.kind == TypeKind::Function) {
    plan = reinterpret_cast<const CallPlan*>(data->extra);  // since its first call
  } else if (type.kind == TypeKind::Pointer && state.types[type.element].kind == TypeKind::Function) {
    plan = state.types.function(type.element).plan;
    code = load_as<void*>(data->address);
  }
  const auto count = static_cast<size_t>(argument_count - 1);
  if (plan == nullptr || plan->stub == nullptr || plan->arguments.size() != count || code == nullptr)
    return kNotDirect;
  uint64_t words[kMostStubArguments];
  std::string problem;
  for (size_t i = 0; i < count; ++i) {
    // What fails, and what makes a callback, is done with a frame.
    if (arguments[i + 1].is_function() ||
        !word_from_lua(state, plan->arguments[i], arguments[i + 1], &words[i], &problem))
      return kNotDirect;
  }
  const ScalarResult result = call_by_stub(state, *plan, code, words);
  if (plan->result_scalar == Scalar::Void) return 0;
  function[0] = value_of_result(state, *plan, result);
  return 1;
}

Result<int> call_function(Call& call, TypeId type, void* code) {
  State& state = state_of(call.vm());
  if (code == nullptr) return call.error("'" + name_of_value(state, call[0]) + "' is NULL");
  const Function& function = state.types.function(type);
  const auto count = static_cast<size_t>(call.count() - 1);
  const bool fits =
      function.is_variadic ? count >= function.parameters.size() : count == function.parameters.size();
  if (!fits) return call.error("wrong number of arguments for function call");
  std::string problem;
  if (!function.is_variadic) {
    CallPlan* plan = plan_of(state, type, &problem);
    if (plan == nullptr) return call.error(problem);
    CData* data = cdata_of(call[0]);
    if (state.types[data->type].kind == TypeKind::Function) data->extra = reinterpret_cast<uint64_t>(plan);
    if (plan->stub != nullptr) return call_with_stub(call, *plan, code);
    return call_with_plan(call, *plan, code);
  }
  std::vector<TypeId> types = function.parameters;
  for (size_t i = types.size(); i < count; ++i) {
    const Value& value = call[static_cast<int>(i) + 1];
    if (value.is_table() || value.is_function() || value.is_thread()) {
      return call.bad_argument(static_cast<int>(i),
                               "cannot convert '" + name_of_value(state, value) + "' to an argument of C");
    }
    types.push_back(promoted_type(state, value));
  }
  const auto plan =
      make_plan(state.types, state.types[type].element, types, function.parameters.size(), true, &problem);
  if (plan == nullptr) return call.error(problem);
  return call_with_plan(call, *plan, code);
}

}  // namespace mangata::ffi
