// Calls, text and finalizers of cdata; see metamethods.h.
#include "runtime/ffi/metamethods.h"

#include <cstdio>

#include "runtime/ffi/call.h"
#include "runtime/ffi/convert.h"
#include "vm/operations/operations.h"

namespace mangata::ffi {
namespace {

std::string text_of_address(const void* address) {
  if (address == nullptr) return "NULL";
  char text[32];
  const auto number = reinterpret_cast<uintptr_t>(address);
  std::snprintf(text, sizeof(text), number <= UINT32_MAX ? "0x%08zx" : "0x%012zx", number);
  return text;
}

/// A call of `method` with all the arguments of this call.
Result<int> forward(Call& call, const Value& method) {
  const int count = call.count();
  TRY(call.reserve_slots(count + kCallOverheadSlots));
  call.push_function(method);
  for (int i = 0; i < count; ++i) call.push(call.base()[i]);
  return call.invoke_yieldable(count, kMultipleResults);
}

/// A call of a ctype: by the __new that ffi.metatype gave it, or as ffi.new.
Result<int> construct(Call& call, TypeId type) {
  State& state = state_of(call.vm());
  Table* metatable = metatable_of(state, type);
  const Value make =
      metatable == nullptr ? Value::nil() : table_get_string(metatable, call.vm().intern("__new"));
  return make.is_nil() ? new_object(call, type, 1) : forward(call, make);
}

Result<int> cdata_pairs(Call& call) {
  State& state = state_of(call.vm());
  const Value method = metamethod_of(state, call[0], Metamethod::Pairs);
  if (method.is_nil())
    return call.error("'" + name_of_value(state, call[0]) + "' has no '__pairs' metamethod");
  call.push_function(method);
  call.push(call[0]);
  TRY(call.invoke_yieldable(1, 3));
  return 3;
}

Result<int> cdata_close(Call& call) {
  const Value method = metamethod_of(state_of(call.vm()), call[0], Metamethod::Close);
  if (method.is_nil()) return call.ret();
  return forward(call, method);
}

}  // namespace

Result<int> cdata_call(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  if (data == nullptr) return call.type_error(0, "cdata");
  if (state.types[data->type].kind == TypeKind::TypeObject)
    return construct(call, type_meant_by(state, *data));
  TypeId type;
  void* code = nullptr;
  if (callable_of(state, *data, &type, &code)) return call_function(call, type, code);
  const Value method = metamethod_of(state, call[0], Metamethod::Call);
  if (method.is_nil()) return call.error("'" + state.types.name_of(data->type) + "' is not callable");
  return forward(call, method);
}

std::string text_of_cdata(State& state, const CData& data) {
  const CType& type = state.types[data.type];
  if (type.kind == TypeKind::TypeObject)
    return "ctype<" + state.types.name_of(type_meant_by(state, data)) + ">";
  if (type.kind == TypeKind::Integer && type.size == 8) {
    const int64_t value = load_as<int64_t>(data.address);
    return type.is_unsigned ? std::to_string(static_cast<uint64_t>(value)) + "ULL"
                            : std::to_string(value) + "LL";
  }
  if (type.kind == TypeKind::Complex) return text_of_complex(state, data);
  const bool is_shown_as_reference = data.is_reference && state.types.is_aggregate(data.type);
  std::string text =
      "cdata<" +
      state.types.name_of(is_shown_as_reference ? state.types.reference_to(data.type) : data.type) + ">: ";
  Number number;
  char* address = data.address;
  if (type.kind == TypeKind::Enum && load_number(state.types, data.type, data.address, &number))
    return text + std::to_string(number.integer);
  (void)address_of_cdata(state, data, &address);
  return text + text_of_address(address);
}

Result<int> cdata_to_string(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  if (data == nullptr) return call.type_error(0, "cdata");
  const bool is_type = state.types[data->type].kind == TypeKind::TypeObject;
  const Value method = is_type ? Value::nil() : metamethod_of(state, call[0], Metamethod::ToString);
  if (!method.is_nil()) return call.ret(TRY(call.call_value(method, {call[0]})));
  return call.ret_string(text_of_cdata(state, *data));
}

Result<int> cdata_finalize(Call& call) {
  Vm& vm = call.vm();
  Table* finalizers = state_of(vm).finalizers;
  const Value finalizer = table_get(finalizers, call[0]);
  if (finalizer.is_nil()) return call.ret();
  TRY(table_set(vm, finalizers, call[0], Value::nil()));
  TRY(call.call_value(finalizer, {call[0]}));
  return call.ret();
}

Table* make_metatable(Vm& vm) {
  Table* metatable = table_new(vm);
  set_functions(vm, metatable,
                {{"__index", cdata_index},
                 {"__newindex", cdata_new_index, NativeId::None, new_index_directly},
                 {"__call", cdata_call, NativeId::None, call_directly},
                 {"__tostring", cdata_to_string},
                 {"__pairs", cdata_pairs},
                 {"__close", cdata_close},
                 {"__gc", cdata_finalize}});
  set_operators(vm, metatable);
  set_comparisons(vm, metatable);
  set_field(vm, metatable, "__metatable", vm.string_value("ffi"));
  set_field(vm, metatable, "__name", vm.string_value("cdata"));
  return metatable;
}

}  // namespace mangata::ffi
