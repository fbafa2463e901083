// Names of types, as error messages and tostring() show them.
//
// A name grows from the inside out: `left` and `right` are what stands before and after the place of a
// declared name. What is behind a pointer needs parentheses when it is an array or a function.
#include "runtime/ffi/ctype.h"

namespace mangata::ffi {
namespace {

std::string integer_name(const CType& type) {
  switch (type.size) {
    case 1:
      return type.is_unsigned ? "unsigned char" : "char";
    case 2:
      return type.is_unsigned ? "unsigned short" : "short";
    case 4:
      return type.is_unsigned ? "unsigned int" : "int";
    default:
      return type.is_unsigned ? "uint64_t" : "int64_t";
  }
}

std::string qualifier_words(uint8_t qualifiers) {
  std::string words;
  if ((qualifiers & kConst) != 0) words += "const ";
  if ((qualifiers & kVolatile) != 0) words += "volatile ";
  return words;
}

struct Name {
  std::string left, right;
  bool is_behind_pointer = false;
  void parenthesize() {
    if (!is_behind_pointer) return;
    left.insert(0, "(");
    right += ")";
    is_behind_pointer = false;
  }
};

}  // namespace

/// Of a type that is not made of another, without its qualifiers.
std::string Types::base_name(TypeId id) const {
  const CType& type = (*this)[id];
  switch (type.kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Bool: return "bool";
    case TypeKind::Integer: return integer_name(type);
    case TypeKind::Float: return type.size == 4 ? "float" : type.size == 8 ? "double"
                                                                           : "long double";
    case TypeKind::TypeObject: return "ctype";
    case TypeKind::Complex:
      return type.element == builtin::kFloat ? "complex float" : type.element == builtin::kDouble ? "complex"
                                                                                                  : "complex long double";
    case TypeKind::Opaque: return type.size == 16 ? "_Float128" : "complex _Float128";
    case TypeKind::Vector: return name_of(type.element) + " __attribute__((vector_size(" + std::to_string(type.size) + ")))";
    case TypeKind::Enum: return "enum " + (enumeration(id).name.empty() ? std::to_string(type.info) : enumeration(id).name);
    case TypeKind::Record:
      return (record(id).is_union ? "union " : "struct ") + (record(id).name.empty() ? std::to_string(type.info) : record(id).name);
    case TypeKind::Pointer:
    case TypeKind::Reference:
    case TypeKind::Array:
    case TypeKind::Function: break;
  }
  return {};
}

std::string Types::name_of(TypeId id) const {
  Name name;
  for (;;) {
    const CType& type = (*this)[id];
    switch (type.kind) {
      case TypeKind::Pointer:
      case TypeKind::Reference: {
        std::string words = qualifier_words(type.qualifiers);
        if (!words.empty()) words.pop_back();
        name.left = (type.kind == TypeKind::Pointer ? "*" : "&") + words +
                    (words.empty() || name.left.empty() ? "" : " ") + name.left;
        name.is_behind_pointer = true;
        id = type.element;
        continue;
      }
      case TypeKind::Array:
        name.parenthesize();
        name.right += type.count == kVariableCount  ? "[?]"
                      : type.count == kUnknownCount ? "[]"
                                                    : "[" + std::to_string(type.count) + "]";
        id = type.element;
        continue;
      case TypeKind::Function:
        name.parenthesize();
        name.right += "()";
        id = type.element;
        continue;
      default: break;
    }
    std::string text = qualifier_words(type.qualifiers) + base_name(id);
    if (!name.left.empty() || !name.right.empty()) text += " " + name.left + name.right;
    return text;
  }
}

}  // namespace mangata::ffi
