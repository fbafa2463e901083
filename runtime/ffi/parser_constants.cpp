// Constant expressions (C99 §6.6): integers of 32 and 64 bits, with the conversions of §6.3.1.8; see
// parser.h.
#include <array>
#include <optional>
#include <utility>

#include "runtime/ffi/parser.h"

namespace mangata::ffi {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 18> kPrecedence = {{{"||", 1},
                                                                           {"&&", 2},
                                                                           {"|", 3},
                                                                           {"^", 4},
                                                                           {"&", 5},
                                                                           {"==", 6},
                                                                           {"!=", 6},
                                                                           {"<", 7},
                                                                           {">", 7},
                                                                           {"<=", 7},
                                                                           {">=", 7},
                                                                           {"<<", 8},
                                                                           {">>", 8},
                                                                           {"+", 9},
                                                                           {"-", 9},
                                                                           {"*", 10},
                                                                           {"/", 10},
                                                                           {"%", 10}}};

int precedence_of(const Token& token) {
  if (token.kind != TokenKind::Symbol) return 0;
  for (const auto& [symbol, precedence] : kPrecedence) {
    if (token.text == symbol) return precedence;
  }
  return 0;
}

bool is_integral(const CType& type) {
  return type.kind == TypeKind::Integer || type.kind == TypeKind::Bool || type.kind == TypeKind::Enum;
}

/// As by a cast to the type.
int64_t converted(int64_t value, const CType& type) {
  if (type.kind == TypeKind::Bool) return value != 0 ? 1 : 0;
  const int unused = 64 - static_cast<int>(type.size * 8);
  const uint64_t high = static_cast<uint64_t>(value) << unused;
  return type.is_unsigned ? static_cast<int64_t>(high >> unused) : static_cast<int64_t>(high) >> unused;
}

}  // namespace

Result<Parser::Constant> Parser::constant() {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return fail("too many nested expressions");
  const Constant condition = TRY(binary(1));
  if (!TRY(accept("?"))) return condition;
  const Constant yes = TRY(constant());
  TRY(expect(":"));
  const Constant no = TRY(constant());
  Constant result = condition.value != 0 ? yes : no;
  result.is_long = yes.is_long || no.is_long;
  result.is_unsigned = yes.is_unsigned || no.is_unsigned;
  return result;
}

Result<Parser::Constant> Parser::binary(int least_precedence) {
  Constant left = TRY(unary());
  for (;;) {
    const int precedence = precedence_of(token_);
    if (precedence < least_precedence || precedence == 0) return left;
    const std::string symbol(token_.text);
    TRY(advance());
    const Constant right = TRY(binary(precedence + 1));
    left = TRY(operate(symbol, left, right));
  }
}

namespace {

/// Nothing: it is no comparison. The values are of the same signedness.
std::optional<bool> compare(std::string_view symbol, uint64_t x, uint64_t y, bool is_unsigned) {
  const auto sx = static_cast<int64_t>(x), sy = static_cast<int64_t>(y);
  if (symbol == "==") return x == y;
  if (symbol == "!=") return x != y;
  if (symbol == "<") return is_unsigned ? x < y : sx < sy;
  if (symbol == ">") return is_unsigned ? x > y : sx > sy;
  if (symbol == "<=") return is_unsigned ? x <= y : sx <= sy;
  if (symbol == ">=") return is_unsigned ? x >= y : sx >= sy;
  return std::nullopt;
}

}  // namespace

Result<Parser::Constant> Parser::operate(std::string_view symbol, Constant a, Constant b) {
  const auto boolean = [](bool value) { return Constant{.value = value}; };
  if (symbol == "&&") return boolean(a.value != 0 && b.value != 0);
  if (symbol == "||") return boolean(a.value != 0 || b.value != 0);
  Constant result{.is_unsigned = a.is_unsigned, .is_long = a.is_long};
  const bool is_shift = symbol == "<<" || symbol == ">>";
  if (!is_shift) {
    result.is_long = a.is_long || b.is_long;
    result.is_unsigned =
        (a.is_unsigned && a.is_long >= b.is_long) || (b.is_unsigned && b.is_long >= a.is_long);
  }
  // Everything is computed in 64 bits; a value of 32 bits is kept extended by its sign or by zeros.
  const bool is_unsigned = result.is_unsigned;
  const auto x =
      static_cast<uint64_t>(is_unsigned && !result.is_long ? static_cast<uint32_t>(a.value) : a.value);
  const auto y = static_cast<uint64_t>(
      is_unsigned && !result.is_long && !is_shift ? static_cast<uint32_t>(b.value) : b.value);
  const auto sx = static_cast<int64_t>(x), sy = static_cast<int64_t>(y);
  if (const std::optional<bool> holds = compare(symbol, x, y, is_unsigned)) return boolean(*holds);
  uint64_t value = 0;
  if (symbol == "+") {
    value = x + y;
  } else if (symbol == "-") {
    value = x - y;
  } else if (symbol == "*") {
    value = x * y;
  } else if (symbol == "/" || symbol == "%") {
    if (y == 0) return fail("division by zero");
    const bool is_remainder = symbol == "%";
    if (is_unsigned) {
      value = is_remainder ? x % y : x / y;
    } else if (sy == -1) {
      value = is_remainder ? 0 : 0 - x;
    } else {
      value = static_cast<uint64_t>(is_remainder ? sx % sy : sx / sy);
    }
  } else if (is_shift) {
    const uint64_t most = result.is_long ? 63 : 31;
    if (y > most) return fail("invalid shift");
    value = symbol == "<<" ? x << y : is_unsigned ? x >> y
                                                  : static_cast<uint64_t>(sx >> y);
  } else if (symbol == "&") {
    value = x & y;
  } else if (symbol == "|") {
    value = x | y;
  } else {
    value = x ^ y;
  }
  if (!result.is_long)
    value = is_unsigned ? static_cast<uint32_t>(value)
                        : static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)});
  result.value = static_cast<int64_t>(value);
  return result;
}

Result<Parser::Constant> Parser::unary() {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return fail("too many nested expressions");
  if (TRY(accept("+"))) return unary();
  if (TRY(accept("-"))) return operate("-", {}, TRY(unary()));
  if (TRY(accept("~"))) return operate("^", TRY(unary()), {.value = -1});
  if (TRY(accept("!"))) return Constant {
      .value = TRY(unary())
      .value == 0
    };
  if (token_.is("sizeof")) return size_or_align(true);
  if (token_.is("__alignof__") || token_.is("__alignof") || token_.is("_Alignof") || token_.is("alignof"))
    return size_or_align(false);
  return primary();
}

Result<Parser::Constant> Parser::size_or_align(bool is_size) {
  TRY(advance());
  Constant result{.is_unsigned = true, .is_long = true};
  if (!token_.is("(")) {
    const Constant of = TRY(unary());
    result.value = of.is_long ? 8 : 4;
    return result;
  }
  TRY(advance());
  if (!starts_type()) {
    const Constant of = TRY(constant());
    result.value = of.is_long ? 8 : 4;
  } else {
    const TypeId type = TRY(type_name());
    const uint64_t size = types_.size_of(type);
    if (is_size && (size == kUnknownSize || types_.has_variable_size(type)))
      return fail("size of C type is unknown or too large");
    result.value = static_cast<int64_t>(is_size ? size : types_.align_of(type));
  }
  TRY(expect(")"));
  return result;
}

Result<int64_t> Parser::initializer(TypeId id) {
  const CType& type = types_[id];
  if (!is_integral(type) || (type.qualifiers & kConst) == 0) return fail("invalid C type");
  TRY(expect("="));
  const Constant value = TRY(constant());
  return converted(value.value, type);
}

Result<Parser::Constant> Parser::primary() {
  if (TRY(accept("("))) {
    if (!starts_type()) {
      const Constant inner = TRY(constant());
      TRY(expect(")"));
      return inner;
    }
    const TypeId id = TRY(type_name());
    TRY(expect(")"));
    Constant value = TRY(unary());
    const CType& type = types_[id];
    if (!is_integral(type)) return fail("invalid C type");
    value.value = converted(value.value, type);
    if (type.kind == TypeKind::Bool) return Constant{.value = value.value};
    value.is_long = type.size == 8;
    value.is_unsigned = type.is_unsigned && type.size >= 4;
    return value;
  }
  Constant result{.value = token_.integer, .is_unsigned = token_.is_unsigned, .is_long = token_.is_long};
  if (token_.kind == TokenKind::Integer) {
    TRY(advance());
    return result;
  }
  if (token_.kind == TokenKind::Number) return fail_near("malformed number");
  if (token_.kind == TokenKind::Parameter) {
    const TypeParameter* parameter = TRY(take_parameter());
    if (parameter->kind != TypeParameter::Kind::Number) return fail("number expected for '$'");
    return Constant{.value = parameter->number,
                    .is_long = parameter->number != static_cast<int32_t>(parameter->number)};
  }
  if (token_.kind == TokenKind::Identifier) {
    const Declaration* named = names_.find(token_.text);
    if (named == nullptr || named->kind != Declaration::Kind::Constant) return fail_near("unexpected symbol");
    const CType& type = types_[named->type];
    TRY(advance());
    return Constant{.value = named->value,
                    .is_unsigned = type.is_unsigned && type.size >= 4,
                    .is_long = type.size == 8 || named->value != static_cast<int32_t>(named->value)};
  }
  return fail_near("unexpected symbol");
}

}  // namespace mangata::ffi
