// Indexing cdata; see metamethods.h.
#include "runtime/ffi/call.h"
#include "runtime/ffi/convert.h"
#include "runtime/ffi/metamethods.h"
#include "vm/operations/operations.h"

namespace mangata::ffi {
namespace {

/// Below it nothing is ever mapped.
constexpr uintptr_t kLowestAddress = 4096;

struct Place {
  TypeId type{};
  char* address = nullptr;
  const Field* field = nullptr;   ///< the member of the record at `address`, if it is one
  uint64_t bytes = 0;             ///< of the record, or of the element
  bool is_const = false;
  Value owner = Value::nil();
};

/// What has to live as long as a part of `value` is used.
Value owner_of(const Value& value, const CData& data) {
  if (!data.is_reference) return value;
  const Userdata* userdata = value.as_userdata();
  return userdata->type_word == 0 ? Value::nil() : userdata->user_values[0];
}

Raised fail_null(Call& call, TypeId type) { return call.error("'" + state_of(call.vm()).types.name_of(type) + "' is NULL"); }

/// An integer key: an element of a pointer or array.
Result<bool> find_element(Call& call, const CData& data, int64_t index, Place* place) {
  State& state = state_of(call.vm());
  const CType& type = state.types[data.type];
  if (type.kind != TypeKind::Pointer && type.kind != TypeKind::Array) return false;
  const bool is_pointer = type.kind == TypeKind::Pointer;
  place->type = type.element;
  place->bytes = state.types.size_of(type.element);
  if (place->bytes == kUnknownSize) return call.error("size of C type is unknown or too large");
  char* first = is_pointer ? load_as<char*>(data.address) : data.address;
  place->address = first + static_cast<uint64_t>(index) * place->bytes;
  if (is_pointer && reinterpret_cast<uintptr_t>(place->address) < kLowestAddress) return fail_null(call, data.type);
  place->is_const = (state.types[type.element].qualifiers & kConst) != 0;
  if (!is_pointer) place->owner = owner_of(call[0], data);
  return true;
}

/// A string key: a member of a record, or of what a pointer leads to.
Result<bool> find_member(Call& call, const CData& data, std::string_view name, Place* place) {
  State& state = state_of(call.vm());
  const CType* type = &state.types[data.type];
  const bool is_pointer = type->kind == TypeKind::Pointer;
  TypeId record_type = data.type;
  if (is_pointer) {
    record_type = type->element;
    type = &state.types[record_type];
  }
  if (type->kind != TypeKind::Record) return false;
  place->field = state.types.record(record_type).find(name);
  if (place->field == nullptr) return false;
  place->address = is_pointer ? load_as<char*>(data.address) : data.address;
  if (is_pointer && reinterpret_cast<uintptr_t>(place->address) < kLowestAddress) return fail_null(call, data.type);
  place->bytes = is_pointer ? state.types.size_of(record_type) : size_of_cdata(state, data);
  place->type = place->field->type;
  TypeId innermost = place->type;
  while (state.types[innermost].kind == TypeKind::Array) innermost = state.types[innermost].element;
  place->is_const = ((type->qualifiers | state.types[innermost].qualifiers) & kConst) != 0;
  if (!is_pointer) place->owner = owner_of(call[0], data);
  return true;
}

/// Finds what cdata call[0] has under key call[1].
Result<bool> find(Call& call, const CData& data, Place* place) {
  State& state = state_of(call.vm());
  const Value key = call[1];
  if (key.is_integer()) return find_element(call, data, key.as_integer(), place);
  if (key.is_string()) return find_member(call, data, key.as_string()->view(), place);
  const bool is_arithmetic = key.is_float() || cdata_of(key) != nullptr;
  if (Number number; is_arithmetic && number_of(state, key, &number)) return find_element(call, data, number.as_integer(), place);
  return false;
}

Raised fail_access(Call& call) {
  State& state = state_of(call.vm());
  const Value key = call[1];
  const std::string type = "'" + state.types.name_of(type_meant_by(state, *cdata_of(call[0]))) + "'";
  if (key.is_string()) return call.error(type + " has no member named '" + std::string(key.as_string()->view()) + "'");
  return call.error(type + " cannot be indexed with '" + name_of_value(state, key) + "'");
}

Result<int> callback_free(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  TypeId type;
  void* code = nullptr;
  Callback* callback = data != nullptr && callable_of(state, *data, &type, &code) ? find_callback(state, code) : nullptr;
  if (callback == nullptr) return call.error("bad callback");
  free_callback(state, *callback);
  return call.ret();
}

Result<int> callback_set(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  TypeId type;
  void* code = nullptr;
  Callback* callback = data != nullptr && callable_of(state, *data, &type, &code) ? find_callback(state, code) : nullptr;
  if (callback == nullptr) return call.error("bad callback");
  set_callback(state, *callback, TRY(call.check_function(1)));
  return call.ret();
}

/// The methods of callbacks, which pointers to functions have.
Value callback_method(Call& call, const CData& data) {
  State& state = state_of(call.vm());
  const CType& type = state.types[data.type];
  if (type.kind != TypeKind::Pointer || state.types[type.element].kind != TypeKind::Function || !call[1].is_string()) return Value::nil();
  if (call[1].as_string()->view() == "free") return Value::function(call.vm().new_native(callback_free, "free"));
  if (call[1].as_string()->view() == "set") return Value::function(call.vm().new_native(callback_set, "set"));
  return Value::nil();
}

}  // namespace

Table* metatable_of(State& state, const CData& data) {
  TypeId id = type_meant_by(state, data);
  if (state.types[id].kind == TypeKind::Pointer) id = state.types[id].element;
  return state.types[id].kind == TypeKind::Record ? state.types.record(id).metatable : nullptr;
}

Value metamethod_of(State& state, const Value& value, Metamethod event) {
  const CData* data = cdata_of(value);
  return data == nullptr ? Value::nil() : find_metamethod(state.vm, metatable_of(state, *data), event);
}

Result<int> cdata_index(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  if (data == nullptr) return call.type_error(0, "cdata");
  Place place;
  if (TRY(find(call, *data, &place))) {
    if (place.field != nullptr) return call.ret(load_field(state, *place.field, place.address, place.owner));
    return call.ret(to_lua(state, place.type, place.address, place.owner));
  }
  const Value handler = metamethod_of(state, call[0], Metamethod::Index);
  if (handler.is_nil()) {
    const Value method = callback_method(call, *data);
    if (method.is_nil()) return fail_access(call);
    return call.ret(method);
  }
  if (!handler.is_function()) return call.ret(TRY(get_index(call.vm(), handler, call[1])));
  return call.ret(TRY(call.call_value(handler, {call[0], call[1]})));
}

Result<int> cdata_new_index(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  if (data == nullptr) return call.type_error(0, "cdata");
  Place place;
  if (TRY(find(call, *data, &place))) {
    if (place.is_const) return call.error("attempt to write to constant location");
    std::string problem;
    const bool is_stored = place.field != nullptr
                               ? store_field(state, *place.field, place.address, place.bytes, call[2], &problem)
                               : from_lua(state, place.type, place.address, place.bytes, call[2], Mode::Assign, &problem);
    if (!is_stored) return call.error(problem);
    return call.ret();
  }
  const Value handler = metamethod_of(state, call[0], Metamethod::NewIndex);
  if (handler.is_nil()) return fail_access(call);
  if (!handler.is_function()) {
    TRY(set_index(call.vm(), handler, call[1], call[2]));
    return call.ret();
  }
  TRY(call.call_value(handler, {call[0], call[1], call[2]}));
  return call.ret();
}

}  // namespace mangata::ffi
