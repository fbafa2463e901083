// __attribute__, __declspec, __asm__ and calling conventions; see parser.h.
#include "runtime/ffi/parser.h"

namespace mangata::ffi {
namespace {

constexpr uint32_t kMaxAlign = 1 << 16;

/// The name without the underscores around it.
std::string_view plain_name(std::string_view name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
    return name.substr(2, name.size() - 4);
  return name;
}

uint64_t bytes_of_mode(std::string_view mode) {
  if (mode == "QI" || mode == "byte") return 1;
  if (mode == "HI") return 2;
  if (mode == "SI") return 4;
  if (mode == "TF") return 16;
  if (mode == "TC") return 32;
  return mode == "DI" || mode == "word" || mode == "pointer" ? 8 : 0;
}

}  // namespace

Status Parser::attributes(Attributes* found) {
  for (;;) {
    if (token_.is("__attribute__") || token_.is("__attribute")) {
      TRY(advance());
      TRY(expect("("));
      TRY(expect("("));
      while (!token_.is(")")) {
        if (TRY(accept(","))) continue;
        TRY(attribute(found));
      }
      TRY(expect(")"));
      TRY(expect(")"));
    } else if (token_.is("__declspec")) {
      TRY(advance());
      TRY(expect("("));
      while (!token_.is(")")) TRY(attribute(found));
      TRY(expect(")"));
    } else if (token_.is("_Alignas") || token_.is("alignas")) {
      TRY(attribute(found));
    } else if (token_.is("__cdecl") || token_.is("__stdcall") || token_.is("__fastcall") ||
               token_.is("__thiscall")) {
      TRY(advance());  // there is one convention only
    } else {
      return {};
    }
  }
}

Status Parser::attribute(Attributes* found) {
  if (token_.kind != TokenKind::Identifier) return fail_expected("'<identifier>'");
  const std::string name(plain_name(token_.text));
  TRY(advance());
  if (name == "packed") {
    found->is_packed = true;
  } else if (name == "aligned" || name == "align" || name == "_Alignas" || name == "alignas") {
    uint32_t align = 16;  // the largest of the machine
    if (TRY(accept("("))) {
      if (starts_type()) {
        align = types_.align_of(TRY(type_name()));
      } else {
        const Constant value = TRY(constant());
        if (value.value <= 0 || value.value > kMaxAlign || (value.value & (value.value - 1)) != 0)
          return fail("invalid alignment");
        align = static_cast<uint32_t>(value.value);
      }
      TRY(expect(")"));
    }
    found->align = std::max(found->align, align);
  } else if (name == "mode") {
    TRY(expect("("));
    found->mode_bytes = bytes_of_mode(plain_name(token_.text));
    if (found->mode_bytes == 0) return fail_near("invalid mode");
    TRY(advance());
    TRY(expect(")"));
  } else if (name == "vector_size") {
    TRY(expect("("));
    const Constant value = TRY(constant());
    if (value.value <= 0 || value.value > kMaxAlign || (value.value & (value.value - 1)) != 0)
      return fail("invalid size of a vector");
    found->vector_bytes = static_cast<uint64_t>(value.value);
    TRY(expect(")"));
  } else {
    TRY(skip_parentheses());  // nothing that changes sizes or calls
  }
  return {};
}

Status Parser::skip_parentheses() {
  if (!TRY(accept("("))) return {};
  for (int depth = 1; depth > 0;) {
    if (token_.kind == TokenKind::End) return fail_expected("')'");
    if (token_.is("(")) ++depth;
    if (token_.is(")")) --depth;
    TRY(advance());
  }
  return {};
}

Status Parser::assembler_name(std::string* symbol) {
  if (!token_.is("__asm__") && !token_.is("__asm") && !token_.is("asm")) return {};
  TRY(advance());
  TRY(expect("("));
  if (token_.kind != TokenKind::String) return fail_expected("'<string>'");
  while (token_.kind == TokenKind::String) {
    *symbol += token_.string;
    TRY(advance());
  }
  return expect(")");
}

Result<TypeId> Parser::with_attributes(TypeId type, const Attributes& attributes) {
  if (attributes.mode_bytes >= 16) {
    const TypeKind wanted = attributes.mode_bytes == 16 ? TypeKind::Float : TypeKind::Complex;
    if (types_[type].kind != wanted) return fail("invalid mode");
    type = types_.qualified(wanted == TypeKind::Float ? builtin::kFloat128 : builtin::kComplexFloat128, types_[type].qualifiers);
  } else if (attributes.mode_bytes != 0 && types_[type].kind == TypeKind::Integer) {
    const TypeId of_size = attributes.mode_bytes == 1   ? builtin::kInt8
                           : attributes.mode_bytes == 2 ? builtin::kInt16
                           : attributes.mode_bytes == 4 ? builtin::kInt32
                                                        : builtin::kInt64;
    const uint8_t qualifiers = types_[type].qualifiers;
    type = types_.qualified(static_cast<TypeId>(index_of(of_size) + (types_[type].is_unsigned ? 1 : 0)),
                            qualifiers);
  }
  if (attributes.vector_bytes != 0) {
    const CType& part = types_[type];
    const bool is_number = part.kind == TypeKind::Integer || part.kind == TypeKind::Float;
    if (!is_number || part.size > 8 || part.size > attributes.vector_bytes) return fail("invalid vector type");
    type = types_.vector_of(type, attributes.vector_bytes);
  }
  if (attributes.align != 0) type = types_.aligned(type, attributes.align);
  return type;
}

}  // namespace mangata::ffi
