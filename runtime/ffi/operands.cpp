// See operands.h.
#include "runtime/ffi/operands.h"

#include "runtime/ffi/metamethods.h"

namespace mangata::ffi {
namespace {

/// The enum beside which the other operand is a string, or null.
const CData* enum_beside_string(const State& state, const Value& value, const Value& other) {
  const CData* data = cdata_of(value);
  if (data == nullptr || !other.is_string() || state.types[data->type].kind != TypeKind::Enum) return nullptr;
  return data;
}

bool constant_of(const State& state, const CData& data, const Value& name, Number* number) {
  for (const auto& [constant, value] : state.types.enumeration(data.type).constants) {
    if (constant != name.as_string()->view()) continue;
    *number = Number::of(value);
    return true;
  }
  return false;
}

bool number_beside(const State& state, const Value& value, const Value& other, Number* number) {
  if (const CData* data = enum_beside_string(state, other, value); data != nullptr)
    return constant_of(state, *data, value, number);
  return number_operand_of(state, value, number);
}

}  // namespace

bool pointer_of(const State& state, const Value& value, Pointer* pointer) {
  const CData* data = cdata_of(value);
  if (data == nullptr) return false;
  const CType& type = state.types[data->type];
  if (type.kind != TypeKind::Pointer && type.kind != TypeKind::Array) return false;
  pointer->address = type.kind == TypeKind::Pointer ? load_as<char*>(data->address) : data->address;
  pointer->element = type.element;
  return true;
}

bool number_operand_of(const State& state, const Value& value, Number* number) {
  return !value.is_boolean() && number_of(state, value, number);
}

bool numbers_of(const State& state, const Value& x, const Value& y, Number* a, Number* b) {
  return number_beside(state, x, y, a) && number_beside(state, y, x, b);
}

Result<bool> call_own(Call& call, Metamethod event, Value* result) {
  State& state = state_of(call.vm());
  Value method = metamethod_of(state, call[0], event);
  if (method.is_nil()) method = metamethod_of(state, call[1], event);
  if (method.is_nil()) return false;
  *result = TRY(call.call_value_yieldable(method, {call[0], call[1]}));
  return true;
}

Raised fail_operands(Call& call, const char* format) {
  State& state = state_of(call.vm());
  for (int i : {0, 1}) {
    const CData* data = enum_beside_string(state, call[i], call[1 - i]);
    if (data == nullptr) continue;
    std::string problem;
    fail_conversion(state, call[1 - i], data->type, &problem);
    return call.error(problem);
  }
  return call.errorf(format, name_of_value(state, call[0]).c_str(), name_of_value(state, call[1]).c_str());
}

}  // namespace mangata::ffi
