// See names.h.
#include "runtime/ffi/names.h"

namespace mangata::ffi {

namespace {

/// Of an unnamed record or enum, itself or behind pointers and arrays.
bool is_unnamed(const Types& types, TypeId id) {
  while (types[id].kind == TypeKind::Pointer || types[id].kind == TypeKind::Array) id = types[id].element;
  if (types[id].kind == TypeKind::Record) return types.record(id).name.empty();
  return types[id].kind == TypeKind::Enum && types.enumeration(id).name.empty();
}

}  // namespace

Names::Names(Types& types) {
  using namespace builtin;
  const struct {
    const char* name;
    TypeId type;
  } kTypes[] = {{"bool", kBool},
                {"int8_t", kInt8},
                {"uint8_t", kUint8},
                {"int16_t", kInt16},
                {"uint16_t", kUint16},
                {"int32_t", kInt32},
                {"uint32_t", kUint32},
                {"int64_t", kInt64},
                {"uint64_t", kUint64},
                {"intptr_t", kInt64},
                {"uintptr_t", kUint64},
                {"ptrdiff_t", kInt64},
                {"size_t", kUint64},
                {"ssize_t", kInt64},
                {"wchar_t", kInt32},
                {"va_list", kVoidPointer},
                {"__builtin_va_list", kVoidPointer},
                {"__gnuc_va_list", kVoidPointer}};
  for (const auto& [name, type] : kTypes) declare(types, name, {.type = type});
}

const Declaration* Names::find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

const Declaration* Names::find_typedef(std::string_view name) const {
  const Declaration* declaration = find(name);
  return declaration != nullptr && declaration->kind == Declaration::Kind::Typedef ? declaration : nullptr;
}

bool Names::declare(Types& types, const std::string& name, Declaration declaration) {
  const auto [place, is_new] = names_.try_emplace(name, declaration);
  if (is_new) return true;
  using Kind = Declaration::Kind;
  Declaration& old = place->second;
  if (old.kind == Kind::Extern && declaration.kind == Kind::Extern) {
    if (declaration.symbol.empty()) declaration.symbol = old.symbol;
    old = std::move(declaration);
    return true;
  }
  if (old.kind == Kind::Typedef && declaration.kind == Kind::Typedef) {
    if (is_unnamed(types, old.type) && is_unnamed(types, declaration.type)) {
      old = std::move(declaration);
      return true;
    }
  }
  return old.kind == declaration.kind && old.value == declaration.value &&
         types.same_unqualified(old.type, declaration.type);
}

const TypeId* Names::find_tag(std::string_view tag) const {
  const auto found = tags_.find(tag);
  return found == tags_.end() ? nullptr : &found->second;
}

}  // namespace mangata::ffi
