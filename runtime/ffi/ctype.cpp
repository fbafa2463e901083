// See ctype.h.
#include "runtime/ffi/ctype.h"

#include <algorithm>

namespace mangata::ffi {

const Field* Record::find(std::string_view field_name) const {
  if (field_name.empty()) return nullptr;
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.name == field_name; });
  return found == fields.end() ? nullptr : &*found;
}

const MemberConstant* Record::find_constant(std::string_view constant_name) const {
  const auto found = std::find_if(constants.begin(), constants.end(),
                                  [&](const MemberConstant& constant) { return constant.name == constant_name; });
  return found == constants.end() ? nullptr : &*found;
}

Types::Types() {
  const auto scalar = [&](TypeKind kind, uint64_t size, bool is_unsigned = false) {
    return intern(
        {.kind = kind, .is_unsigned = is_unsigned, .align = static_cast<uint32_t>(size), .size = size});
  };
  intern({});
  scalar(TypeKind::Bool, 1, true);
  for (const uint64_t size : {1, 2, 4, 8}) {
    scalar(TypeKind::Integer, size);
    scalar(TypeKind::Integer, size, true);
  }
  for (const uint64_t size : {4, 8, 16}) scalar(TypeKind::Float, size);
  scalar(TypeKind::TypeObject, 8);
  pointer_to(builtin::kVoid);
  pointer_to(qualified(builtin::kInt8, kConst));
  pointer_to(qualified(builtin::kVoid, kConst));
  for (const TypeId part : {builtin::kFloat, builtin::kDouble, builtin::kLongDouble}) {
    const CType of = (*this)[part];
    intern({.kind = TypeKind::Complex, .align = of.align, .size = 2 * of.size, .element = part, .count = 2});
  }
  for (const uint64_t size : {16, 32}) intern({.kind = TypeKind::Opaque, .align = 16, .size = size});
}

TypeId Types::add(const CType& type) {
  types_.push_back(type);
  return static_cast<TypeId>(types_.size() - 1);
}

TypeId Types::intern(const CType& type) {
  // Scalars without an element are told apart by size and sign, the others by what they are made of.
  uint64_t number = type.size << 1 | static_cast<uint64_t>(type.is_unsigned);
  if (type.kind == TypeKind::Array) number = type.count;
  if (type.kind == TypeKind::Enum || type.kind == TypeKind::Record)
    number = 0;  // they change when they are completed
  const TypeId element = type.kind == TypeKind::Enum ? TypeId{} : type.element;
  const Key key{type.kind, type.qualifiers, type.align, index_of(element), number, type.info};
  const auto [place, is_new] = known_.try_emplace(key, TypeId{});
  if (is_new) {
    CType stored = type;
    const bool is_pointer = type.kind == TypeKind::Pointer || type.kind == TypeKind::Reference;
    if (is_pointer && (*this)[type.element].kind != TypeKind::Record)
      stored.depth = static_cast<uint16_t>((*this)[type.element].depth + 1);
    if (type.kind == TypeKind::Array) stored.depth = static_cast<uint16_t>(depth_of(type.element) + 1);
    place->second = add(stored);
  }
  return place->second;
}

uint32_t Types::align_of(TypeId id) const {
  const CType& type = (*this)[id];
  if (type.kind == TypeKind::Record) return std::max(type.align, records_[type.info].align);
  if (type.kind == TypeKind::Array || type.kind == TypeKind::Enum)
    return std::max(type.align, align_of(type.element));
  return type.align;
}

TypeId Types::pointer_to(TypeId element) {
  return intern({.kind = TypeKind::Pointer, .align = 8, .size = 8, .element = element});
}

TypeId Types::reference_to(TypeId element) {
  return intern({.kind = TypeKind::Reference, .align = 8, .size = 8, .element = strip_reference(element)});
}

TypeId Types::array_of(TypeId element, uint64_t count) {
  const bool is_sized = count < kVariableCount;
  return intern({.kind = TypeKind::Array,
                 .size = is_sized ? count * size_of(element) : kUnknownSize,
                 .element = element,
                 .count = count});
}

TypeId Types::vector_of(TypeId element, uint64_t bytes) {
  const uint8_t qualifiers = (*this)[element].qualifiers;
  element = unqualified(element);
  return intern({.kind = TypeKind::Vector,
                 .qualifiers = qualifiers,
                 .align = static_cast<uint32_t>(bytes),
                 .size = bytes,
                 .element = element,
                 .count = bytes / size_of(element)});
}

TypeId Types::function_of(TypeId result, std::vector<TypeId> parameters, bool is_variadic) {
  const auto [place, is_new] = signatures_.try_emplace({parameters, is_variadic}, 0);
  if (is_new) place->second = static_cast<uint32_t>(signatures_.size());
  const CType type{.kind = TypeKind::Function, .element = result, .info = place->second};
  const Key key{type.kind, type.qualifiers, type.align, index_of(result), 0, place->second};
  const auto [known, is_new_type] = known_.try_emplace(key, TypeId{});
  if (is_new_type) {
    uint32_t depth = depth_of(result);
    for (const TypeId parameter : parameters) depth = std::max(depth, depth_of(parameter));
    functions_.push_back(std::make_unique<Function>(std::move(parameters), is_variadic));
    CType stored = type;
    stored.info = static_cast<uint32_t>(functions_.size() - 1);
    stored.depth = static_cast<uint16_t>(depth + 1);
    known->second = add(stored);
  }
  return known->second;
}

TypeId Types::new_record(std::string name, bool is_union) {
  records_.push_back({.name = std::move(name), .is_union = is_union});
  return intern({.kind = TypeKind::Record, .info = static_cast<uint32_t>(records_.size() - 1)});
}

TypeId Types::new_enum(std::string name) {
  enums_.push_back({.name = std::move(name)});
  return intern({.kind = TypeKind::Enum,
                 .is_unsigned = true,
                 .size = 4,
                 .element = builtin::kUint32,
                 .info = static_cast<uint32_t>(enums_.size() - 1)});
}

void Types::complete_enum(TypeId id, TypeId base) {
  const uint32_t info = (*this)[id].info;
  enums_[info].is_complete = true;
  const CType stored = (*this)[base];
  for (CType& type : types_) {
    if (type.kind != TypeKind::Enum || type.info != info) continue;
    type.element = base;
    type.size = stored.size;
    type.is_unsigned = stored.is_unsigned;
  }
}

TypeId Types::qualified(TypeId id, uint8_t qualifiers) {
  CType type = (*this)[id];
  if ((type.qualifiers | qualifiers) == type.qualifiers) return id;
  if (type.kind == TypeKind::Array) {
    type.element = qualified(type.element, qualifiers);
    return intern(type);
  }
  if (type.kind == TypeKind::Function || type.kind == TypeKind::Reference) return id;
  type.qualifiers |= qualifiers;
  return intern(type);
}

TypeId Types::unqualified(TypeId id) {
  CType type = (*this)[id];
  if (type.kind == TypeKind::Array) {
    type.element = unqualified(type.element);
    return intern(type);
  }
  if (type.qualifiers == 0) return id;
  type.qualifiers = 0;
  return intern(type);
}

TypeId Types::aligned(TypeId id, uint32_t align) {
  CType type = (*this)[id];
  if (type.kind == TypeKind::Function || type.kind == TypeKind::Void || align_of(id) == align) return id;
  type.align = align;
  return intern(type);
}

bool Types::has_variable_size(TypeId id) const {
  const CType& type = (*this)[id];
  return type.kind == TypeKind::Array ? type.count == kVariableCount
                                      : type.kind == TypeKind::Record && record(id).has_variable_size;
}

uint64_t Types::size_with(TypeId id, uint64_t extra) const {
  const CType& type = (*this)[id];
  if (type.kind == TypeKind::Record) {
    const Record& of = record(id);
    const uint64_t tail = size_with(of.fields.back().type, extra);
    if (tail == kUnknownSize) return kUnknownSize;
    const uint64_t size = std::max(of.size, of.fields.back().offset + tail);
    return size > kMaxTypeBytes ? kUnknownSize : size;
  }
  const uint64_t element = size_of(type.element);
  if (element == kUnknownSize || (element != 0 && extra > kMaxTypeBytes / element)) return kUnknownSize;
  return element * extra;
}

bool Types::same_unqualified(TypeId a, TypeId b) {
  if (a == b) return true;
  const CType x = (*this)[a], y = (*this)[b];
  if (x.kind != y.kind) return false;
  switch (x.kind) {
    case TypeKind::Pointer:
    case TypeKind::Reference:
      return same_unqualified(x.element, y.element);
    case TypeKind::Array:
    case TypeKind::Complex:
    case TypeKind::Vector:
      return x.count == y.count && same_unqualified(x.element, y.element);
    case TypeKind::Function: {
      const Function &f = function(a), &g = function(b);
      return same_unqualified(x.element, y.element) && f.is_variadic == g.is_variadic &&
             std::equal(f.parameters.begin(), f.parameters.end(), g.parameters.begin(), g.parameters.end(),
                        [&](TypeId p, TypeId q) { return same_unqualified(p, q); });
    }
    case TypeKind::Record:
    case TypeKind::Enum:
      return x.info == y.info;
    default:
      return x.size == y.size && x.is_unsigned == y.is_unsigned;
  }
}

}  // namespace mangata::ffi
