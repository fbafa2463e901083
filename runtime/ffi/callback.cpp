// See callback.h.
#include "runtime/ffi/callback.h"

#include <cerrno>

#include "runtime/c_boundary/boundary.h"
#include "runtime/ffi/convert.h"
#include "vm/operations/operations.h"

namespace mangata::ffi {
namespace {

Value function_of(State& state, const Callback& callback) {
  return table_get_integer(state.anchors, callback.number + 1);
}

/// Calls the Lua function and stores its result.
Status call_lua(const Callback& callback, char* result, void** arguments) {
  Vm& vm = *callback.vm;
  State& state = state_of(vm);
  Thread& thread = *vm.current;
  const CallPlan& plan = *callback.plan;
  const int count = static_cast<int>(plan.arguments.size());
  Value* function = thread.top;
  TRY(ensure_stack(vm, function, kCallOverheadSlots + count + 1));
  function[0] = function_of(state, callback);
  function[1].set_nil();
  function[2].set_nil();
  for (int i = 0; i < count; ++i) {
    function[kCallOverheadSlots + i] =
        to_lua(state, plan.arguments[i].type, static_cast<char*>(arguments[i]), Value::nil());
  }
  thread.top = function + kCallOverheadSlots + count;
  ++thread.non_yieldable;
  TRY(mangata::call(vm, function, count, 1));
  --thread.non_yieldable;
  thread.top = function;
  const TypeKind kind = state.types[plan.result].kind;
  if (kind == TypeKind::Void) return {};
  // libffi takes integers that are shorter than a register extended to one.
  char value[16] = {};
  std::string problem;
  const bool fits = from_lua(state, plan.result, value, sizeof(value), *function, Mode::Assign, &problem);
  if (!fits) return raise_message(vm, problem);
  if (Number number; kind != TypeKind::Float && load_number(state.types, plan.result, value, &number))
    store_as(value, number.integer);
  __builtin_memcpy(result, value, plan.result_bytes);
  return {};
}

void enter(ffi_cif*, void* result, void** arguments, void* data) {
  const auto& callback = *static_cast<Callback*>(data);
  Vm& vm = *callback.vm;
  const int error_number = errno;
  if (!call_lua(callback, static_cast<char*>(result), arguments).ok()) capi::jump_with_error(vm);
  errno = error_number;
}

uint32_t new_number(State& state) {
  if (!state.free_callbacks.empty()) {
    const uint32_t number = state.free_callbacks.back();
    state.free_callbacks.pop_back();
    return number;
  }
  state.callbacks.push_back(std::make_unique<Callback>());
  return static_cast<uint32_t>(state.callbacks.size() - 1);
}

bool is_passed_whole(const State& state, TypeId type) {
  const TypeKind kind = state.types[type].kind;
  return kind != TypeKind::Record && !state.types.has_parts(type);
}

}  // namespace

void* make_callback(State& state, TypeId type, const Value& function, std::string* problem) {
  const Function& signature = state.types.function(type);
  bool fits = !signature.is_variadic && is_passed_whole(state, state.types[type].element);
  for (const TypeId parameter : signature.parameters) fits = fits && is_passed_whole(state, parameter);
  if (!fits) return nullptr;
  CallPlan* plan = plan_of(state, type, problem);
  if (plan == nullptr) return nullptr;
  const uint32_t number = new_number(state);
  Callback& callback = *state.callbacks[number];
  void* code = state.closures.prepare(number, &plan->cif, enter, &callback);
  if (code == nullptr) {
    state.free_callbacks.push_back(number);
    *problem = "no memory for callbacks";
    return nullptr;
  }
  callback = {&state.vm, number, plan, code};
  ++state.callbacks_in_use;
  set_callback(state, callback, function);
  return code;
}

Callback* find_callback(State& state, const void* code) {
  for (const auto& callback : state.callbacks) {
    if (callback->code == code && code != nullptr) return callback.get();
  }
  return nullptr;
}

void free_callback(State& state, Callback& callback) {
  callback.code = nullptr;
  --state.callbacks_in_use;
  state.free_callbacks.push_back(callback.number);
  set_callback(state, callback, Value::nil());
}

void set_callback(State& state, Callback& callback, const Value& function) {
  // Growth by one entry cannot pass the memory limit.
  (void)table_set_integer(state.vm, state.anchors, callback.number + 1, function);
}

}  // namespace mangata::ffi
