// See lexer.h.
#include "runtime/ffi/lexer.h"

#include <array>
#include <cstdlib>

namespace mangata::ffi {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

}  // namespace

bool Lexer::next(Token* token) {
  token->kind = TokenKind::End;
  token->text = {};
  token->line = line_;
  if (!skip_blanks()) return false;
  token->line = line_;
  if (position_ == source_.size()) return true;
  const size_t start = position_;
  bool is_good = true;
  const char c = at(0);
  if (is_name_start(c)) {
    token->kind = TokenKind::Identifier;
    while (is_name(at(0))) ++position_;
  } else if (is_digit(c)) {
    is_good = read_number(token);
  } else if (c == '\'') {
    is_good = read_character(token);
  } else if (c == '"') {
    is_good = read_string(token);
  } else if (c == '$') {
    token->kind = TokenKind::Parameter;
    ++position_;
  } else {
    read_symbol(token);
  }
  token->text = source_.substr(start, position_ - start);
  return is_good;
}

bool Lexer::skip_blanks() {
  while (position_ < source_.size()) {
    const char c = at(0);
    if (c == '\n') {
      ++line_;
      ++position_;
      is_line_start_ = true;
    } else if (is_blank(c)) {
      ++position_;
    } else if (c == '\\' && (at(1) == '\n' || (at(1) == '\r' && at(2) == '\n'))) {
      position_ += at(1) == '\n' ? 2 : 3;
      ++line_;
    } else if (c == '/' && at(1) == '/') {
      while (position_ < source_.size() && at(0) != '\n') ++position_;
    } else if (c == '/' && at(1) == '*') {
      const size_t end = source_.find("*/", position_ + 2);
      if (end == std::string_view::npos) return fail("unfinished comment");
      for (; position_ < end + 2; ++position_) line_ += at(0) == '\n';
    } else if (c == '#' && is_line_start_) {
      if (!skip_directive()) return false;
    } else {
      break;
    }
  }
  is_line_start_ = false;
  return true;
}

bool Lexer::skip_directive() {
  size_t end = source_.find('\n', position_);
  if (end == std::string_view::npos) end = source_.size();
  std::string_view text = source_.substr(position_ + 1, end - position_ - 1);
  const auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size())); };
  const auto take = [&](std::string_view word) {
    if (!text.starts_with(word) || (text.size() > word.size() && is_name(text[word.size()]))) return false;
    text.remove_prefix(word.size());
    skip();
    return true;
  };
  skip();
  if (take("pragma")) {
    if (take("pack") && !read_pack(text)) return fail("invalid #pragma pack");
  } else if (!take("line") && !text.empty() && !is_digit(text[0])) {
    return fail("preprocessor directives are not supported");
  }
  position_ = end;
  return true;
}

/// (n), (), (push), (push, n), (pop)
bool Lexer::read_pack(std::string_view arguments) {
  std::string text;
  for (const char c : arguments) {
    if (!is_blank(c)) text += c;
  }
  const size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string::npos) return false;
  text = text.substr(1, close - 1);
  if (text == "pop") {
    pack_ = pack_stack_.empty() ? 0 : static_cast<uint32_t>(pack_stack_.back());
    if (!pack_stack_.empty()) pack_stack_.pop_back();
    return true;
  }
  if (text.starts_with("push")) {
    pack_stack_ += static_cast<char>(pack_);
    if (text == "push") return true;
    if (text[4] != ',') return false;
    text.erase(0, 5);
  }
  if (text.empty()) {
    pack_ = 0;
    return true;
  }
  if (text != "1" && text != "2" && text != "4" && text != "8" && text != "16" && text != "0") return false;
  pack_ = static_cast<uint32_t>(std::atoi(text.c_str()));
  return true;
}

/// To the end of what C calls a preprocessing number (C99 §6.4.8).
void Lexer::read_rest_of_number(Token* token) {
  token->kind = TokenKind::Number;
  const auto is_exponent = [](char c) { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; };
  for (char last = '0'; is_name(at(0)) || at(0) == '.' || ((at(0) == '+' || at(0) == '-') && is_exponent(last)); ++position_) {
    last = at(0);
  }
}

bool Lexer::read_number(Token* token) {
  token->kind = TokenKind::Integer;
  int base = 10;
  if (at(0) == '0' && (at(1) == 'x' || at(1) == 'X')) {
    base = 16;
    position_ += 2;
  } else if (at(0) == '0' && (at(1) == 'b' || at(1) == 'B')) {
    base = 2;
    position_ += 2;
  } else if (at(0) == '0') {
    base = 8;
  }
  uint64_t value = 0;
  bool has_digit = false;
  for (; digit_value(at(0)) < base; ++position_) {
    if (__builtin_mul_overflow(value, static_cast<uint64_t>(base), &value) ||
        __builtin_add_overflow(value, static_cast<uint64_t>(digit_value(at(0))), &value)) {
      return fail("number too large");
    }
    has_digit = true;
  }
  token->is_unsigned = token->is_long = false;
  for (; is_name(at(0)); ++position_) {
    if (at(0) == 'u' || at(0) == 'U') {
      token->is_unsigned = true;
    } else if (at(0) == 'l' || at(0) == 'L') {
      token->is_long = true;
    } else {
      break;
    }
  }
  if (!has_digit || at(0) == '.' || is_name(at(0))) {
    read_rest_of_number(token);
    return true;
  }
  // As in C: a decimal constant is signed, another becomes unsigned before it becomes longer.
  const bool decimal = base == 10;
  if (value > INT64_MAX || (!decimal && !token->is_long && value > INT32_MAX && value <= UINT32_MAX))
    token->is_unsigned = true;
  if (value > UINT32_MAX || (value > INT32_MAX && !token->is_unsigned)) token->is_long = true;
  token->integer = static_cast<int64_t>(value);
  return true;
}

bool Lexer::read_escape(int64_t* character) {
  static constexpr std::string_view kNames = "abfnrtve";
  static constexpr std::string_view kValues = "\a\b\f\n\r\t\v\x1b";
  if (at(0) != '\\') {
    *character = static_cast<signed char>(at(0));
    ++position_;
    return true;
  }
  const char c = at(1);
  position_ += 2;
  if (const size_t known = kNames.find(c); c != '\0' && known != std::string_view::npos) {
    *character = kValues[known];
  } else if (c == 'x') {
    uint32_t value = 0;
    if (digit_value(at(0)) > 15) return fail("invalid escape sequence");
    for (; digit_value(at(0)) < 16; ++position_)
      value = value << 4 | static_cast<uint32_t>(digit_value(at(0)));
    *character = static_cast<signed char>(value);
  } else if (digit_value(c) < 8) {
    int value = digit_value(c);
    for (int i = 0; i < 2 && digit_value(at(0)) < 8; ++i)
      value = value * 8 + digit_value(source_[position_++]);
    *character = static_cast<signed char>(value);
  } else if (c == '\\' || c == '\'' || c == '"' || c == '?') {
    *character = c;
  } else {
    position_ = std::min(position_, source_.size());
    return fail("invalid escape sequence");
  }
  return true;
}

bool Lexer::read_character(Token* token) {
  token->kind = TokenKind::Integer;
  token->is_unsigned = token->is_long = false;
  ++position_;
  if (position_ == source_.size() || at(0) == '\n' || at(0) == '\'')
    return fail("malformed character constant");
  if (!read_escape(&token->integer)) return false;
  if (at(0) != '\'') return fail("malformed character constant");
  ++position_;
  return true;
}

bool Lexer::read_string(Token* token) {
  token->kind = TokenKind::String;
  token->string.clear();
  ++position_;
  while (at(0) != '"') {
    if (position_ == source_.size() || at(0) == '\n') return fail("unfinished string");
    int64_t character;
    if (!read_escape(&character)) return false;
    token->string += static_cast<char>(character);
  }
  ++position_;
  return true;
}

void Lexer::read_symbol(Token* token) {
  static constexpr std::array<std::string_view, 9> kLong = {
      "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  token->kind = TokenKind::Symbol;
  for (const std::string_view symbol : kLong) {
    if (source_.substr(position_).starts_with(symbol)) {
      position_ += symbol.size();
      return;
    }
  }
  ++position_;
}

}  // namespace mangata::ffi
