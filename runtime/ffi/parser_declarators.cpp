// Declarators and type names (C99 §6.7.5, §6.7.6); see parser.h.
#include <algorithm>

#include "runtime/ffi/parser.h"

namespace mangata::ffi {

Status Parser::pointers(std::vector<Part>* parts) {
  Attributes ignored;
  for (;;) {
    TRY(attributes(&ignored));
    if (!token_.is("*") && !token_.is("&")) return {};
    Part part{.kind = token_.is("*") ? Part::Kind::Pointer : Part::Kind::Reference};
    TRY(advance());
    do {
      TRY(attributes(&ignored));
    } while (TRY(qualifier_word(&part.qualifiers)));
    parts->push_back(std::move(part));
    if (parts->size() > 100) return fail("too many nested declarators");
  }
}

/// Whether the ( at hand starts a declarator in parentheses, not parameters.
bool Parser::starts_nested_declarator(Naming naming) const {
  if (next_.is("*") || next_.is("&") || next_.is("(") || next_.is("[") || next_.is("__attribute__") ||
      next_.is("__cdecl") || next_.is("__stdcall")) {
    return true;
  }
  return naming != Naming::Forbidden && next_.kind == TokenKind::Identifier &&
         names_.find_typedef(next_.text) == nullptr;
}

Status Parser::declarator(Naming naming, Declarator* found) {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return fail("too many nested declarators");
  std::vector<Part> inner;
  TRY(pointers(&found->parts));
  if (token_.is("(") && starts_nested_declarator(naming)) {
    TRY(advance());
    Declarator nested;
    TRY(declarator(naming, &nested));
    TRY(expect(")"));
    found->name = std::move(nested.name);
    found->symbol = std::move(nested.symbol);
    inner = std::move(nested.parts);
  } else if (token_.kind == TokenKind::Identifier && naming != Naming::Forbidden) {
    found->name = token_.text;
    if (naming == Naming::Required && !declared_.empty()) declared_.back() = found->name;
    TRY(advance());
  } else if (token_.kind == TokenKind::Parameter && naming != Naming::Forbidden) {
    const TypeParameter* parameter = TRY(take_parameter());
    if (parameter->kind != TypeParameter::Kind::Name) return fail_expected("'<identifier>'");
    found->name = parameter->name;
  } else if (naming == Naming::Required) {
    return fail_expected("'<identifier>'");
  }
  TRY(suffixes(&found->parts));
  found->parts.insert(found->parts.end(), std::make_move_iterator(inner.begin()),
                      std::make_move_iterator(inner.end()));
  TRY(assembler_name(&found->symbol));
  return attributes(&found->attributes);
}

Status Parser::suffixes(std::vector<Part>* parts) {
  std::vector<Part> found;
  while (token_.is("[") || token_.is("(")) {
    Part part;
    if (TRY(accept("["))) {
      TRY(array_suffix(&part));
    } else {
      TRY(advance());
      TRY(function_suffix(&part));
    }
    found.push_back(std::move(part));
    if (found.size() > 100) return fail("too many nested declarators");
  }
  parts->insert(parts->end(), std::make_move_iterator(found.rbegin()), std::make_move_iterator(found.rend()));
  return {};
}

Status Parser::array_suffix(Part* part) {
  part->kind = Part::Kind::Array;
  uint8_t ignored = 0;
  while (TRY(accept("static")) || TRY(qualifier_word(&ignored))) continue;
  if (TRY(accept("]"))) {
    part->count = kUnknownCount;
    return {};
  }
  const Declaration* named = token_.kind == TokenKind::Identifier ? names_.find(token_.text) : nullptr;
  const bool is_parameter = token_.kind == TokenKind::Identifier &&
                            (named == nullptr || named->kind != Declaration::Kind::Constant);
  if (parameter_lists_ > 0 && next_.is("]") &&
      (is_parameter || token_.is("*"))) {  // sizes of parameters may be parameters
    TRY(advance());
    part->count = kUnknownCount;
  } else if (token_.is("?")) {
    TRY(advance());
    part->count = kVariableCount;
  } else {
    const Constant count = TRY(constant());
    if (count.value < 0 || static_cast<uint64_t>(count.value) > kMaxTypeBytes)
      return fail("size of C type is unknown or too large");
    part->count = static_cast<uint64_t>(count.value);
  }
  return expect("]");
}

Status Parser::function_suffix(Part* part) {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return fail("too many nested declarators");
  part->kind = Part::Kind::Function;
  if (token_.is("void") && next_.is(")")) TRY(advance());
  if (TRY(accept(")"))) return {};
  ++parameter_lists_;
  do {
    if (TRY(accept("..."))) {
      part->is_variadic = true;
      break;
    }
    const Specifiers declared = TRY(specifiers());
    Declarator parameter;
    TRY(declarator(Naming::Allowed, &parameter));
    TypeId type = TRY(apply(declared, parameter));
    const CType of = types_[type];
    if (of.kind == TypeKind::Array) type = types_.pointer_to(of.element);
    if (of.kind == TypeKind::Function) type = types_.pointer_to(type);
    if (types_[type].kind == TypeKind::Void) return fail("invalid C type of a parameter");
    part->parameters.push_back(types_.unqualified(type));
  } while (TRY(accept(",")));
  --parameter_lists_;
  return expect(")");
}

Result<TypeId> Parser::apply(TypeId type, const Part& part) {
  const CType& of = types_[type];
  if (types_.depth_of(type) > kMaxTypeDepth) return fail("too many nested declarators");
  switch (part.kind) {
    case Part::Kind::Pointer:
      if (of.kind == TypeKind::Reference) return fail("invalid C type");
      return types_.qualified(types_.pointer_to(type), part.qualifiers);
    case Part::Kind::Reference:
      return types_.reference_to(type);
    case Part::Kind::Array: {
      const uint64_t size = types_.size_of(type);
      if (of.kind == TypeKind::Function || of.kind == TypeKind::Reference) return fail("invalid C type");
      const bool is_sized = part.count < kVariableCount;
      const bool has_size = size != kUnknownSize && !types_.has_variable_size(type);
      if ((!has_size && (is_sized || of.kind != TypeKind::Record)) ||
          (is_sized && size != 0 && part.count > kMaxTypeBytes / size)) {
        return fail("size of C type is unknown or too large");
      }
      return types_.array_of(type, part.count);
    }
    case Part::Kind::Function:
      if (of.kind == TypeKind::Array || of.kind == TypeKind::Function) return fail("invalid C type");
      return types_.function_of(types_.unqualified(type), part.parameters, part.is_variadic);
  }
  return type;
}

Result<TypeId> Parser::apply(const Specifiers& specifiers, const Declarator& declarator) {
  TypeId type = specifiers.type;
  Attributes both = declarator.attributes;
  both.align = std::max(both.align, specifiers.attributes.align);
  // These are about the type that the specifiers name.
  Attributes named = specifiers.attributes;
  if (both.mode_bytes != 0) named.mode_bytes = both.mode_bytes;
  if (both.vector_bytes != 0) named.vector_bytes = both.vector_bytes;
  named.align = 0;
  both.mode_bytes = both.vector_bytes = 0;
  type = TRY(with_attributes(type, named));
  for (const Part& part : declarator.parts) type = TRY(apply(type, part));
  return with_attributes(type, both);
}

Result<TypeId> Parser::type_name() {
  const Specifiers declared = TRY(specifiers());
  if (declared.storage != Storage::None) return fail("storage class of a type");
  Declarator unnamed;
  TRY(declarator(Naming::Forbidden, &unnamed));
  return apply(declared, unnamed);
}

}  // namespace mangata::ffi
