// struct, union and enum specifiers (C99 §6.7.2.1-§6.7.2.3); see parser.h.
#include <limits>
#include <unordered_set>

#include "runtime/ffi/parser.h"

namespace mangata::ffi {

Result<TypeId> Parser::tagged(TypeKind kind, bool is_union, Attributes* found, std::string* tag, bool* is_given) {
  if (token_.kind == TokenKind::Identifier) {
    *tag = token_.text;
    TRY(advance());
  } else if (token_.kind == TokenKind::Parameter && parameters_taken_ < parameters_.size()) {
    const TypeParameter* parameter = TRY(take_parameter());
    if (parameter->kind == TypeParameter::Kind::Type) {  // struct $: the type itself
      if (types_[parameter->type].kind != kind) return fail("invalid C type");
      *is_given = true;
      return parameter->type;
    }
    *tag = parameter->name;
  } else if (!token_.is("{")) {
    return fail_expected("'<identifier>'");
  }
  TRY(attributes(found));
  const TypeId* known = tag->empty() ? nullptr : names_.find_tag(*tag);
  if (known == nullptr && !tag->empty() && !allows_new_tags_ && !token_.is("{"))
    return fail("undeclared or implicit tag '" + *tag + "'");
  const bool is_record = kind == TypeKind::Record;
  if (known != nullptr &&
      (types_[*known].kind != kind || (is_record && types_.record(*known).is_union != is_union))) {
    return fail("attempt to redefine '" + *tag + "'");
  }
  if (known != nullptr) return *known;
  const TypeId id = is_record ? types_.new_record(*tag, is_union) : types_.new_enum(*tag);
  if (!tag->empty()) names_.declare_tag(*tag, id);
  return id;
}

Result<TypeId> Parser::record(bool is_union, bool* defines) {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return fail("too many nested declarations");
  *defines = true;
  Attributes found;
  TRY(attributes(&found));
  std::string tag;
  bool is_given = false;
  const TypeId id = TRY(tagged(TypeKind::Record, is_union, &found, &tag, &is_given));
  if (is_given) return id;
  if (!token_.is("{")) return id;
  if (types_.record(id).is_complete) return fail("attempt to redefine '" + tag + "'");

  RecordAttributes layout{.pack = lexer_.pack()};
  TRY(advance());
  declared_.push_back((is_union ? "union" : "struct") + (tag.empty() ? tag : " " + tag));
  std::vector<MemberDeclaration> declared;
  std::vector<MemberConstant> constants;
  TRY(members(&declared, &constants, found.is_packed));
  // Attributes may also stand behind the members.
  const bool was_packed = found.is_packed;
  TRY(attributes(&found));
  if (found.is_packed && !was_packed) {
    for (MemberDeclaration& member : declared) member.is_packed = true;
  }
  layout.align = found.align;
  if (types_.record(id).is_complete) return fail("attempt to redefine '" + tag + "'");  // by a member
  const MemberDeclaration* culprit = lay_out(types_, id, declared, layout);
  if (culprit != nullptr) {
    return fail("size of C type is unknown or too large" +
                (culprit->name.empty() ? "" : " (member '" + culprit->name + "')"));
  }
  types_.record(id).constants = std::move(constants);
  declared_.pop_back();
  return id;
}

Status Parser::members(std::vector<MemberDeclaration>* found, std::vector<MemberConstant>* constants, bool is_packed) {
  std::unordered_set<std::string> names;
  while (!TRY(accept("}"))) {
    if (TRY(accept(";"))) continue;
    const Specifiers declared = TRY(specifiers());
    if (declared.storage == Storage::Static) {
      TRY(member_constants(declared, constants));
    } else if (declared.storage != Storage::None) {
      return fail("storage class of a member");
    } else if (token_.is(";") && types_[declared.type].kind == TypeKind::Enum) {
      for (const auto& [name, value] : types_.enumeration(declared.type).constants) constants->push_back({name, value});
    } else if (token_.is(";")) {
      if (types_[declared.type].kind == TypeKind::Record && declared.declares_tag) {
        found->push_back({.type = declared.type, .align = declared.attributes.align, .is_packed = is_packed});
      }
    } else {
      TRY(member_declarators(declared, found, is_packed));
    }
    TRY(expect(";"));
  }
  const auto add = [&](const std::string& name) -> Status {
    if (!name.empty() && !names.insert(name).second) return fail("duplicate member '" + name + "'");
    return {};
  };
  for (const MemberDeclaration& member : *found) {
    TRY(add(member.name));
    if (!member.name.empty() || types_[member.type].kind != TypeKind::Record) continue;
    const Record& inner = types_.record(member.type);
    for (const Field& field : inner.fields) TRY(add(field.name));
    constants->insert(constants->end(), inner.constants.begin(), inner.constants.end());
  }
  return {};
}

/// static const int A = 1, B = 2; as in C++.
Status Parser::member_constants(const Specifiers& specifiers, std::vector<MemberConstant>* found) {
  do {
    Declarator declared;
    TRY(declarator(Naming::Allowed, &declared));
    if (declared.name.empty()) return fail_expected("'<identifier>'");
    const TypeId type = TRY(apply(specifiers, declared));
    const int64_t value = TRY(initializer(type));
    found->push_back({std::move(declared.name), value});
  } while (TRY(accept(",")));
  return {};
}

Status Parser::member_declarators(const Specifiers& specifiers, std::vector<MemberDeclaration>* found,
                                  bool is_packed) {
  do {
    MemberDeclaration member;
    Declarator declared;
    if (!token_.is(":")) TRY(declarator(Naming::Allowed, &declared));
    Attributes own = declared.attributes;
    declared.attributes.align = 0;  // of the member, not of its type
    Specifiers plain = specifiers;
    plain.attributes.align = 0;
    member.name = declared.name;
    member.type = TRY(apply(plain, declared));
    if (TRY(accept(":"))) {
      const Constant width = TRY(constant());
      TRY(check_bit_field(member, width.value));
      member.bit_width = static_cast<uint32_t>(width.value);
      TRY(attributes(&own));
    } else if (member.name.empty()) {
      return fail_expected("'<identifier>'");
    } else if (types_[member.type].kind == TypeKind::Function) {
      return fail("invalid C type of member '" + member.name + "'");
    }
    member.align = std::max(own.align, specifiers.attributes.align);
    member.is_packed = is_packed || own.is_packed || specifiers.attributes.is_packed;
    found->push_back(std::move(member));
  } while (TRY(accept(",")));
  return {};
}

Status Parser::check_bit_field(const MemberDeclaration& member, int64_t width) {
  const CType& type = types_[member.type];
  const bool has_integer_type =
      type.kind == TypeKind::Integer || type.kind == TypeKind::Bool || type.kind == TypeKind::Enum;
  if (!has_integer_type) return fail("invalid type of bit-field '" + member.name + "'");
  const int64_t most = type.kind == TypeKind::Bool ? 1 : static_cast<int64_t>(type.size * 8);
  if (width < 0 || width > most || (width == 0 && !member.name.empty()))
    return fail("invalid width of bit-field '" + member.name + "'");
  return {};
}

Result<TypeId> Parser::enumeration(bool* defines) {
  *defines = true;
  Attributes found;
  TRY(attributes(&found));
  std::string tag;
  bool is_given = false;
  const TypeId id = TRY(tagged(TypeKind::Enum, false, &found, &tag, &is_given));
  if (is_given) return id;
  if (!token_.is("{")) return id;
  if (types_.enumeration(id).is_complete) return fail("attempt to redefine '" + tag + "'");
  TRY(advance());
  declared_.push_back(tag.empty() ? "enum" : "enum " + tag);
  TRY(enumerators(id, &found));
  declared_.pop_back();
  return id;
}

Status Parser::enumerators(TypeId id, Attributes* found) {
  int64_t next = 0, least = 0, greatest = 0;
  while (!TRY(accept("}"))) {
    if (token_.kind != TokenKind::Identifier) return fail_expected("'<identifier>'");
    std::string name(token_.text);
    TRY(advance());
    Attributes ignored;
    TRY(attributes(&ignored));
    if (TRY(accept("="))) next = TRY(constant())
    .value;
    least = std::min(least, next);
    greatest = std::max(greatest, next);
    types_.enumeration(id).constants.emplace_back(name, next);
    const Declaration declaration{
        .kind = Declaration::Kind::Constant, .type = builtin::kInt32, .value = next};
    if (!names_.declare(types_, name, declaration)) return fail("attempt to redefine '" + name + "'");
    next = static_cast<int64_t>(static_cast<uint64_t>(next) + 1);
    if (!token_.is("}")) TRY(expect(","));
  }
  // As GCC: unsigned unless there is a negative value, and as long as need be.
  TRY(attributes(found));
  const bool is_packed = found->is_packed;
  using namespace builtin;
  const auto fits = [&](auto of) {
    using T = decltype(of);
    return least >= static_cast<int64_t>(std::numeric_limits<T>::min()) &&
           greatest <= static_cast<int64_t>(std::numeric_limits<T>::max());
  };
  TypeId base = least < 0 ? kInt64 : kUint64;
  if (least < 0) {
    if (fits(int32_t{})) base = kInt32;
    if (is_packed && fits(int16_t{})) base = kInt16;
    if (is_packed && fits(int8_t{})) base = kInt8;
  } else {
    if (fits(uint32_t{})) base = kUint32;
    if (is_packed && fits(uint16_t{})) base = kUint16;
    if (is_packed && fits(uint8_t{})) base = kUint8;
  }
  types_.complete_enum(id, base);
  return {};
}

}  // namespace mangata::ffi
