// Conversions of single values; see convert.h.
#include "runtime/ffi/convert.h"

#include <cstring>

#include "runtime/lib/file_handle.h"

namespace mangata::ffi {
namespace {

/// Whether a pointer to `from` converts to a pointer to `to` without a cast: the same type but for the sign
/// of integers, or either is void; qualifiers may be added at the first level only.
bool pointees_agree(State& state, TypeId to, TypeId from) {
  Types& types = state.types;
  const CType d = types[to], s = types[from];
  if ((s.qualifiers & ~d.qualifiers) != 0) return false;
  if (d.kind == TypeKind::Void || s.kind == TypeKind::Void) return true;
  const auto is_integer = [](const CType& type) {
    return type.kind == TypeKind::Integer || type.kind == TypeKind::Enum;
  };
  if (is_integer(d) && is_integer(s)) return d.size == s.size;
  if (d.kind != s.kind) return false;
  switch (d.kind) {
    case TypeKind::Function:
      return true;
    case TypeKind::Pointer:
      return types[d.element].qualifiers == types[s.element].qualifiers &&
             types[d.element].kind == types[s.element].kind && pointees_agree(state, d.element, s.element);
    case TypeKind::Array:
      return (d.count == s.count || d.count >= kVariableCount || s.count >= kVariableCount) &&
             pointees_agree(state, d.element, s.element);
    case TypeKind::Record:
      return d.info == s.info;
    case TypeKind::Complex:
    case TypeKind::Vector:
      return d.size == s.size && pointees_agree(state, d.element, s.element);
    default:
      return d.size == s.size;
  }
}

bool may_point_to(State& state, TypeId pointee, const CData& data) {
  const CType type = state.types[data.type];
  switch (type.kind) {
    case TypeKind::Pointer:
    case TypeKind::Array:
      return pointees_agree(state, pointee, type.element);
    case TypeKind::Record:
    case TypeKind::Function:
      return pointees_agree(state, pointee, data.type);
    default:
      return false;
  }
}

/// Strings are arrays of const char.
bool may_point_to_string(const Types& types, TypeId pointee) {
  const CType& type = types[pointee];
  return (type.qualifiers & kConst) != 0 && (type.kind == TypeKind::Void || types.is_char_like(pointee));
}

/// The address that a value which is no cdata stands for.
bool address_of_value(State& state, TypeId pointee, const Value& value, Mode mode, void** address) {
  if (value.is_nil()) {
    *address = nullptr;
  } else if (value.is_light_userdata()) {
    *address = value.as_light_userdata();
  } else if (value.is_userdata()) {
    const FileHandle* file = file_handle_of(state.vm, value);
    *address =
        file != nullptr ? static_cast<void*>(file->file) : static_cast<void*>(value.as_userdata()->payload);
  } else if (value.is_string()) {
    if (mode == Mode::Assign && !may_point_to_string(state.types, pointee)) return false;
    *address = value.as_string()->data;
  } else if (value.is_number() && mode == Mode::Cast) {
    Number number;
    number_of(state, value, &number);
    *address = reinterpret_cast<void*>(number.as_integer());
  } else {
    return false;
  }
  return true;
}

bool store_pointer(State& state, TypeId type, char* destination, const Value& value, Mode mode,
                   std::string* problem) {
  const TypeId pointee = state.types[type].element;
  void* address = nullptr;
  if (const CData* data = cdata_of(value); data != nullptr) {
    char* target = nullptr;
    if (address_of_cdata(state, *data, &target)) {
      if (mode == Mode::Assign && !may_point_to(state, pointee, *data))
        return fail_conversion(state, value, type, problem);
    } else {
      Number number;
      if (mode == Mode::Assign || !load_number(state.types, data->type, data->address, &number)) {
        return fail_conversion(state, value, type, problem);
      }
      target = reinterpret_cast<char*>(number.as_integer());
    }
    address = target;
  } else if (value.is_function() && state.types[pointee].kind == TypeKind::Function) {
    address = make_callback(state, pointee, value, problem);
    if (address == nullptr) return problem->empty() ? fail_conversion(state, value, type, problem) : false;
  } else if (!address_of_value(state, pointee, value, mode, &address)) {
    return fail_conversion(state, value, type, problem);
  }
  store_as(destination, address);
  return true;
}

bool store_enum(State& state, TypeId type, char* destination, const Value& value, std::string* problem) {
  for (const auto& [name, constant] : state.types.enumeration(type).constants) {
    if (name != value.as_string()->view()) continue;
    store_number(state.types, type, destination, Number::of(constant));
    return true;
  }
  return fail_conversion(state, value, type, problem);
}

/// Pointers and what else has an address become integers in casts.
bool cast_address_to_number(State& state, TypeId type, char* destination, const Value& value,
                            std::string* problem) {
  const TypeKind kind = state.types[type].kind;
  void* address = nullptr;
  char* target = nullptr;
  if (kind == TypeKind::Float || kind == TypeKind::Bool || value.is_nil())
    return fail_conversion(state, value, type, problem);
  if (const CData* data = cdata_of(value); data != nullptr && address_of_cdata(state, *data, &target)) {
    address = target;
  } else if (data != nullptr ||
             !address_of_value(state, builtin::kConstVoid, value, Mode::Assign, &address)) {
    return fail_conversion(state, value, type, problem);
  }
  store_number(state.types, type, destination, Number::of(reinterpret_cast<int64_t>(address)));
  return true;
}

/// A struct or union, or the elements of an array: from a table, or from the same type.
bool store_aggregate(State& state, TypeId type, char* destination, uint64_t bytes, const Value& value,
                     std::string* problem) {
  if (value.is_table())
    return initialize_from_table(state, type, destination, bytes, value.as_table(), problem);
  const CData* data = cdata_of(value);
  if (data == nullptr || !state.types.same_unqualified(data->type, type))
    return fail_conversion(state, value, type, problem);
  std::memmove(destination, data->address, std::min(bytes, size_of_cdata(state, *data)));
  return true;
}

bool store_array(State& state, TypeId type, char* destination, uint64_t bytes, const Value& value,
                 std::string* problem) {
  const CType array = state.types[type];
  if (value.is_string() && state.types.is_char_like(array.element)) {
    const String& text = *value.as_string();
    std::memcpy(destination, text.data,
                std::min<uint64_t>(bytes, text.length + 1));  // with its end, if there is room
    return true;
  }
  return store_aggregate(state, type, destination, bytes, value, problem);
}

}  // namespace

std::string name_of_value(const State& state, const Value& value) {
  if (const CData* data = cdata_of(value); data != nullptr) return state.types.name_of(data->type);
  return type_name(value);
}

bool fail_conversion(const State& state, const Value& value, TypeId to, std::string* problem) {
  *problem = "cannot convert '" + name_of_value(state, value) + "' to '" + state.types.name_of(to) + "'";
  return false;
}

bool address_of_cdata(const State& state, const CData& data, char** address) {
  switch (state.types[data.type].kind) {
    case TypeKind::Pointer:
      *address = load_as<char*>(data.address);
      return true;
    case TypeKind::Array:
    case TypeKind::Record:
    case TypeKind::Function:
      *address = data.address;
      return true;
    default:
      return false;
  }
}

Value to_lua(State& state, TypeId id, char* address, Value owner) {
  const CType type = state.types[id];
  switch (type.kind) {
    case TypeKind::Bool:
      return Value::boolean(load_as<uint8_t>(address) != 0);
    case TypeKind::Integer:
    case TypeKind::Float: {
      Number number;
      load_number(state.types, id, address, &number);
      return number.kind == Number::Kind::Float ? Value::number(number.real) : Value::integer(number.integer);
    }
    case TypeKind::Pointer:
      return new_pointer(state, id, load_as<void*>(address));
    case TypeKind::Reference:
      return to_lua(state, type.element, load_as<char*>(address), Value::nil());
    case TypeKind::Enum:
    case TypeKind::TypeObject:
    case TypeKind::Complex:
    case TypeKind::Vector:
    case TypeKind::Opaque: {
      Userdata* copy = new_cdata(state, id, type.size);
      std::memcpy(reinterpret_cast<CData*>(copy->payload)->address, address, type.size);
      return Value::userdata(copy);
    }
    case TypeKind::Array:
    case TypeKind::Record:
    case TypeKind::Function:
      return Value::userdata(new_reference(state, id, address, owner));
    case TypeKind::Void:
      break;
  }
  return Value::nil();
}

bool from_lua(State& state, TypeId type, char* address, uint64_t bytes, const Value& value, Mode mode,
              std::string* problem) {
  switch (state.types[type].kind) {
    case TypeKind::Enum:
      if (value.is_string()) return store_enum(state, type, address, value, problem);
      [[fallthrough]];
    case TypeKind::Bool:
    case TypeKind::Integer:
    case TypeKind::Float: {
      Number number;
      const bool is_real_part = state.types[type].kind != TypeKind::Bool && real_part_of(state, value, &number);
      if (is_real_part || number_of(state, value, &number)) {
        store_number(state.types, type, address, number);
        return true;
      }
      if (mode == Mode::Cast) return cast_address_to_number(state, type, address, value, problem);
      return fail_conversion(state, value, type, problem);
    }
    case TypeKind::Pointer:
    case TypeKind::Reference:
      return store_pointer(state, type, address, value, mode, problem);
    case TypeKind::Array:
      return store_array(state, type, address, bytes, value, problem);
    case TypeKind::Record:
      return store_aggregate(state, type, address, bytes, value, problem);
    case TypeKind::Complex:
    case TypeKind::Vector:
      return store_parts(state, type, address, value, problem);
    default:
      return fail_conversion(state, value, type, problem);
  }
}

}  // namespace mangata::ffi
