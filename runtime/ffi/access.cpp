// Indexing cdata; see metamethods.h.
#include "runtime/ffi/call.h"
#include "runtime/ffi/convert.h"
#include "runtime/ffi/metamethods.h"
#include "vm/object/table.h"
#include "vm/operations/operations.h"

namespace mangata::ffi {
namespace {

/// Below it nothing is ever mapped.
constexpr uintptr_t kLowestAddress = 4096;

struct Place {
  TypeId type{};
  char* address = nullptr;
  const Field* field = nullptr;              ///< the member of the record at `address`, if it is one
  const MemberConstant* constant = nullptr;  ///< it, and no place in memory
  uint64_t bytes = 0;                        ///< of the record, or of the element, unless `whole` says
  const CData* whole = nullptr;              ///< what is the record itself: its size is wanted for stores only
  uint8_t qualifiers = 0;                    ///< of the record that the member is in
  Value owner = Value::nil();
};

enum class Lookup : uint8_t {
  Absent,
  Found,
  IsNull,
  HasNoSize
};

/// What has to live as long as a part of `object` is used.
Value owner_of(const Value& object, const CData& data) {
  if (!data.is_reference) return object;
  const Userdata* userdata = object.as_userdata();
  return userdata->type_word == 0 ? Value::nil() : userdata->user_values[0];
}

/// A part of a complex number, whose parity counts only, or of a vector. It cannot be changed: what is indexed is a copy.
Lookup find_part(State& state, const CData& data, uint64_t index, Place* place) {
  if (!state.types.has_parts(data.type)) return Lookup::Absent;
  const CType& type = state.types[data.type];
  if (type.kind == TypeKind::Complex) index &= 1;
  if (index >= type.count) return Lookup::Absent;
  place->type = type.element;
  place->bytes = state.types.size_of(type.element);
  place->address = data.address + index * place->bytes;
  place->qualifiers = kConst;
  return Lookup::Found;
}

/// An integer key: an element of a pointer or array.
Lookup find_element(State& state, const Value& object, const CData& data, int64_t index, Place* place) {
  const CType& type = state.types[data.type];
  if (type.kind != TypeKind::Pointer && type.kind != TypeKind::Array)
    return find_part(state, data, static_cast<uint64_t>(index), place);
  const bool is_pointer = type.kind == TypeKind::Pointer;
  place->type = type.element;
  place->bytes = state.types.size_of(type.element);
  if (place->bytes == kUnknownSize) return Lookup::HasNoSize;
  char* first = is_pointer ? load_as<char*>(data.address) : data.address;
  place->address = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(first) + static_cast<uintptr_t>(index) * place->bytes);  // it may be negative
  if (!is_pointer) {
    place->owner = owner_of(object, data);
  } else if (reinterpret_cast<uintptr_t>(place->address) < kLowestAddress) {
    return Lookup::IsNull;
  }
  return Lookup::Found;
}

const Field* find_field(State& state, const Record& record, String* name) {
  const size_t hash = (reinterpret_cast<uintptr_t>(name) >> 4) ^ (reinterpret_cast<uintptr_t>(&record) >> 5);
  State::CachedField& cached = state.fields[hash % State::kCachedFields];
  if (cached.name == name && cached.record == &record) [[likely]]
    return cached.field;
  const Field* field = record.find(name->view());
  // Nothing else must ever be at the address of a name that is remembered.
  if (field != nullptr && name->is_short() &&
      table_set(state.vm, state.anchors, Value::string(name), Value::boolean(true)).ok()) {
    cached = {name, &record, field};
  }
  return field;
}

Lookup find_constant(const Record& record, String* name, Place* place) {
  place->constant = record.find_constant(name->view());
  return place->constant == nullptr ? Lookup::Absent : Lookup::Found;
}

/// A string key of a ctype: a constant of the record, or of that which its pointers lead to.
Lookup find_constant(State& state, const CData& data, String* name, Place* place) {
  TypeId id = type_meant_by(state, data);
  if (state.types[id].kind == TypeKind::Pointer) id = state.types[id].element;
  return state.types[id].kind == TypeKind::Record ? find_constant(state.types.record(id), name, place)
                                                  : Lookup::Absent;
}

/// A string key: a member of a record, or of what a pointer leads to.
Lookup find_member(State& state, const Value& object, const CData& data, String* name, Place* place) {
  const CType* type = &state.types[data.type];
  if (type->kind == TypeKind::TypeObject) return find_constant(state, data, name, place);
  const bool is_pointer = type->kind == TypeKind::Pointer;
  TypeId record_type = data.type;
  if (is_pointer) {
    record_type = type->element;
    type = &state.types[record_type];
  }
  if (type->kind != TypeKind::Record) {
    const bool is_real = name->view() == "re", is_complex = type->kind == TypeKind::Complex && !is_pointer;
    return is_complex && (is_real || name->view() == "im") ? find_part(state, data, is_real ? 0 : 1, place) : Lookup::Absent;
  }
  const Record& record = state.types.record(record_type);
  place->field = find_field(state, record, name);
  if (place->field == nullptr) return find_constant(record, name, place);
  place->type = place->field->type;
  place->qualifiers = type->qualifiers;
  if (is_pointer) {
    place->address = load_as<char*>(data.address);
    place->bytes = state.types.size_of(record_type);
    return reinterpret_cast<uintptr_t>(place->address) < kLowestAddress ? Lookup::IsNull : Lookup::Found;
  }
  place->address = data.address;
  place->whole = &data;
  place->owner = owner_of(object, data);
  return Lookup::Found;
}

/// What the cdata has under the key.
Lookup find(State& state, const Value& object, const CData& data, const Value& key, Place* place) {
  if (key.is_integer()) return find_element(state, object, data, key.as_integer(), place);
  if (key.is_string()) return find_member(state, object, data, key.as_string(), place);
  const bool is_arithmetic = key.is_float() || cdata_of(key) != nullptr;
  if (Number number; is_arithmetic && number_of(state, key, &number))
    return find_element(state, object, data, number.as_integer(), place);
  return Lookup::Absent;
}

/// The same for call[0] and call[1]: whether there is something.
Result<bool> find(Call& call, const CData& data, Place* place) {
  State& state = state_of(call.vm());
  switch (find(state, call[0], data, call[1], place)) {
    case Lookup::Absent:
      return false;
    case Lookup::Found:
      return true;
    case Lookup::IsNull:
      return call.error("'" + state.types.name_of(data.type) + "' is NULL");
    case Lookup::HasNoSize:
      break;
  }
  return call.error("size of C type is unknown or too large");
}

Value load(State& state, const Place& place) {
  if (place.constant != nullptr) return Value::integer(place.constant->value);
  if (place.field != nullptr) return load_field(state, *place.field, place.address, place.owner);
  return to_lua(state, place.type, place.address, place.owner);
}

bool store(State& state, const Place& place, const Value& value, std::string* problem) {
  const uint64_t record_bytes = place.whole != nullptr ? size_of_cdata(state, *place.whole) : place.bytes;
  if (place.field != nullptr) return store_field(state, *place.field, place.address, record_bytes, value, problem);
  return from_lua(state, place.type, place.address, place.bytes, value, Mode::Assign, problem);
}

bool is_constant(const State& state, const Place& place) {
  if (place.constant != nullptr) return true;
  TypeId innermost = place.type;
  while (state.types[innermost].kind == TypeKind::Array) innermost = state.types[innermost].element;
  return ((place.qualifiers | state.types[innermost].qualifiers) & kConst) != 0;
}

Raised fail_access(Call& call) {
  State& state = state_of(call.vm());
  const Value key = call[1];
  const std::string type = "'" + state.types.name_of(type_meant_by(state, *cdata_of(call[0]))) + "'";
  if (key.is_string())
    return call.error(type + " has no member named '" + std::string(key.as_string()->view()) + "'");
  return call.error(type + " cannot be indexed with '" + name_of_value(state, key) + "'");
}

/// Null: it is none, or has been freed.
Callback* callback_meant(State& state, const Value& value) {
  const CData* data = cdata_of(value);
  TypeId type;
  void* code = nullptr;
  return data != nullptr && callable_of(state, *data, &type, &code) ? find_callback(state, code) : nullptr;
}

Result<int> callback_free(Call& call) {
  State& state = state_of(call.vm());
  Callback* callback = callback_meant(state, call[0]);
  if (callback == nullptr) return call.error("bad callback");
  free_callback(state, *callback);
  return call.ret();
}

Result<int> callback_set(Call& call) {
  State& state = state_of(call.vm());
  Callback* callback = callback_meant(state, call[0]);
  if (callback == nullptr) return call.error("bad callback");
  set_callback(state, *callback, TRY(call.check_function(1)));
  return call.ret();
}

/// The methods of callbacks, which pointers to functions have.
Value callback_method(Call& call, const CData& data) {
  State& state = state_of(call.vm());
  const CType& type = state.types[data.type];
  if (type.kind != TypeKind::Pointer || state.types[type.element].kind != TypeKind::Function ||
      !call[1].is_string())
    return Value::nil();
  if (call[1].as_string()->view() == "free")
    return Value::function(call.vm().new_native(callback_free, "free"));
  if (call[1].as_string()->view() == "set") return Value::function(call.vm().new_native(callback_set, "set"));
  return Value::nil();
}

}  // namespace

Table* metatable_of(State& state, TypeId id) {
  if (state.types[id].kind == TypeKind::Record) return state.types.record(id).metatable;
  if (!state.types.has_parts(id)) return nullptr;
  const auto found = state.metatables.find(index_of(state.types.unqualified(id)));
  return found == state.metatables.end() ? nullptr : found->second;
}

Table* metatable_of(State& state, const CData& data) {
  TypeId id = type_meant_by(state, data);
  if (state.types[id].kind == TypeKind::Pointer) id = state.types[id].element;
  return metatable_of(state, id);
}

Value metamethod_of(State& state, const Value& value, Metamethod event) {
  const CData* data = cdata_of(value);
  return data == nullptr ? Value::nil() : find_metamethod(state.vm, metatable_of(state, *data), event);
}

ForeignRead State::read(const Value& object, const Value& key, Value* out) {
  const CData* data = cdata_of(object);
  if (data == nullptr) return ForeignRead::Other;
  Place place;
  const Lookup found = find(*this, object, *data, key, &place);
  if (found == Lookup::Found) {
    *out = load(*this, place);
    return ForeignRead::Found;
  }
  const Value handler = found == Lookup::Absent ? metamethod_of(*this, object, Metamethod::Index) : Value::nil();
  if (handler.is_lua_function()) {
    *out = handler;
    return ForeignRead::Calls;
  }
  if (!handler.is_table()) return ForeignRead::Other;
  *out = table_get(handler.as_table(), key);
  return out->is_nil() && handler.as_table()->metatable() != nullptr ? ForeignRead::Other : ForeignRead::Found;
}

int new_index_directly(Vm& vm, Value* function, int argument_count) {
  State& state = state_of(vm);
  const Value* arguments = function + kCallOverheadSlots;
  const CData* data = argument_count < 3 ? nullptr : cdata_of(arguments[0]);
  Place place;
  if (data == nullptr || arguments[2].is_function() ||
      find(state, arguments[0], *data, arguments[1], &place) != Lookup::Found)
    return kNotDirect;
  std::string problem;
  return !is_constant(state, place) && store(state, place, arguments[2], &problem) ? 0 : kNotDirect;
}

Result<int> cdata_index(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  if (data == nullptr) return call.type_error(0, "cdata");
  Place place;
  if (TRY(find(call, *data, &place))) return call.ret(load(state, place));
  const Value handler = metamethod_of(state, call[0], Metamethod::Index);
  if (handler.is_nil()) {
    const Value method = callback_method(call, *data);
    if (method.is_nil()) return fail_access(call);
    return call.ret(method);
  }
  if (!handler.is_function()) return call.ret(TRY(get_index(call.vm(), handler, call[1])));
  return call.ret(TRY(call.call_value_yieldable(handler, {call[0], call[1]})));
}

Result<int> cdata_new_index(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  if (data == nullptr) return call.type_error(0, "cdata");
  Place place;
  if (TRY(find(call, *data, &place))) {
    if (is_constant(state, place)) return call.error("attempt to write to constant location");
    std::string problem;
    if (!store(state, place, call[2], &problem)) return call.error(problem);
    return call.ret();
  }
  const Value handler = metamethod_of(state, call[0], Metamethod::NewIndex);
  if (handler.is_nil()) return fail_access(call);
  if (!handler.is_function()) {
    TRY(set_index(call.vm(), handler, call[1], call[2]));
    return call.ret();
  }
  TRY(call.call_value_yieldable(handler, {call[0], call[1], call[2]}));
  return call.ret();
}

}  // namespace mangata::ffi
