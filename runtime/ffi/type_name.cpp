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

std::string Types::name_of(TypeId id) const {
  Name name;
  for (;;) {
    const CType& type = (*this)[id];
    std::string base;
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
      case TypeKind::Void:
        base = "void";
        break;
      case TypeKind::Bool:
        base = "bool";
        break;
      case TypeKind::Integer:
        base = integer_name(type);
        break;
      case TypeKind::Float:
        base = type.size == 4 ? "float" : type.size == 8 ? "double" : "long double";
        break;
      case TypeKind::TypeObject:
        base = "ctype";
        break;
      case TypeKind::Complex:
        base = type.element == builtin::kFloat ? "complex float" : type.element == builtin::kDouble ? "complex" : "complex long double";
        break;
      case TypeKind::Opaque:
        base = type.size == 16 ? "_Float128" : "complex _Float128";
        break;
      case TypeKind::Vector:
        base = name_of(type.element) + " __attribute__((vector_size(" + std::to_string(type.size) + ")))";
        break;
      case TypeKind::Enum:
        base = "enum " + (enumeration(id).name.empty() ? std::to_string(type.info) : enumeration(id).name);
        break;
      case TypeKind::Record:
        base = (record(id).is_union ? "union " : "struct ") +
               (record(id).name.empty() ? std::to_string(type.info) : record(id).name);
        break;
    }
    std::string text = qualifier_words(type.qualifiers) + base;
    if (!name.left.empty() || !name.right.empty()) text += " " + name.left + name.right;
    return text;
  }
}

}  // namespace mangata::ffi
