// Literal strings: quoted ones with their escape sequences, and long brackets (Lua 5.4 manual §3.1).
//
// A string without escapes is a piece of the source and is interned from there. The first backslash moves
// what was read so far into buffer_. Messages show the contents read so far, then the characters of the
// faulty escape as written.
#include <cstring>

#include "vm/frontend/characters.h"
#include "vm/frontend/lexer.h"

namespace mangata {

/// An escape sequence being read: text from the backslash on, and the first character not taken yet.
struct Lexer::Escape {
  const char* start;
  const char* next;
};

void Lexer::read_string(Token& token) {
  const char* const start = cursor_++;
  while (cursor_ < end_ && *cursor_ != *start) {
    if (*cursor_ == '\\' || is_newline(*cursor_)) return read_string_with_escapes(token, start);
    cursor_++;
  }
  if (cursor_ == end_) {
    error_near("unfinished string", describe_token_kind(TokenKind::EndOfText));
    token.kind = TokenKind::EndOfText;
    return;
  }
  token.string = unique_string({start + 1, static_cast<size_t>(cursor_ - start - 1)});
  cursor_++;
  token.kind = failed_ ? TokenKind::EndOfText : TokenKind::String;
  token.text = {start, static_cast<size_t>(cursor_ - start)};
}

/// The general case. buffer_ holds the opening quote and the contents so far.
void Lexer::read_string_with_escapes(Token& token, const char* start) {
  token.kind = TokenKind::EndOfText;
  buffer_.assign(start, cursor_ - start);
  while (cursor_ < end_ && *cursor_ != *start) {
    if (is_newline(*cursor_)) return error_near("unfinished string", quote_for_message(buffer_));
    if (*cursor_ == '\\') {
      if (!read_escape()) return;
    } else {
      buffer_.push_back(*cursor_++);
    }
  }
  if (cursor_ == end_) return error_near("unfinished string", describe_token_kind(TokenKind::EndOfText));
  token.string = unique_string(std::string_view(buffer_).substr(1));
  cursor_++;
  if (!failed_) token.kind = TokenKind::String;
  token.text = {start, static_cast<size_t>(cursor_ - start)};
}

/// One escape sequence, appended to buffer_. False after an error. At the end of the text it takes only the
/// backslash.
bool Lexer::read_escape() {
  static constexpr char kLetters[] = "abfnrtv\\\"'";
  static constexpr char kMeanings[] = "\a\b\f\n\r\t\v\\\"'";
  Escape escape{cursor_, cursor_ + 1};
  if (escape.next == end_) {
    cursor_ = end_;
    return true;
  }
  const char c = *escape.next;
  if (is_newline(c)) {
    cursor_++;
    skip_newline();
    buffer_.push_back('\n');
    return true;
  }
  if (c == 'z') {
    cursor_ += 2;
    while (cursor_ < end_ && is_in_class(*cursor_, kSpace)) {
      if (is_newline(*cursor_)) {
        skip_newline();
      } else {
        cursor_++;
      }
    }
    return true;
  }
  if (c == 'x') return read_hexadecimal_escape(escape);
  if (c == 'u') return read_unicode_escape(escape);
  if (is_in_class(c, kDigit)) return read_decimal_escape(escape);
  const char* const letter = c == '\0' ? nullptr : std::strchr(kLetters, c);
  if (letter == nullptr) return escape_error(escape, "invalid escape sequence");
  buffer_.push_back(kMeanings[letter - kLetters]);
  cursor_ += 2;
  return true;
}

/// The message shows the escape up to and including the character that does not fit.
bool Lexer::escape_error(const Escape& escape, const char* message) {
  buffer_.append(escape.start, escape.next + (escape.next < end_ ? 1 : 0));
  error_near(message, quote_for_message(buffer_));
  return false;
}

bool Lexer::read_hexadecimal_escape(Escape& escape) {
  int value = 0;
  escape.next++;
  for (int i = 0; i < 2; i++, escape.next++) {
    if (escape.next == end_ || !is_in_class(*escape.next, kHexadecimalDigit)) {
      return escape_error(escape, "hexadecimal digit expected");
    }
    value = value * 16 + hexadecimal_digit_value(*escape.next);
  }
  buffer_.push_back(static_cast<char>(value));
  cursor_ = escape.next;
  return true;
}

bool Lexer::read_unicode_escape(Escape& escape) {
  escape.next++;
  if (escape.next == end_ || *escape.next != '{') return escape_error(escape, "missing '{'");
  escape.next++;
  if (escape.next == end_ || !is_in_class(*escape.next, kHexadecimalDigit)) {
    return escape_error(escape, "hexadecimal digit expected");
  }
  uint32_t code_point = 0;
  while (escape.next < end_ && is_in_class(*escape.next, kHexadecimalDigit)) {
    if (code_point > (0x7fffffffu >> 4)) return escape_error(escape, "UTF-8 value too large");
    code_point = code_point * 16 + hexadecimal_digit_value(*escape.next);
    escape.next++;
  }
  if (escape.next == end_ || *escape.next != '}') return escape_error(escape, "missing '}'");
  append_utf8(code_point);
  cursor_ = escape.next + 1;
  return true;
}

bool Lexer::read_decimal_escape(Escape& escape) {
  int value = 0;
  for (int i = 0; i < 3 && escape.next < end_ && is_in_class(*escape.next, kDigit); i++, escape.next++) {
    value = value * 10 + (*escape.next - '0');
  }
  if (value > 255) return escape_error(escape, "decimal escape too large");
  buffer_.push_back(static_cast<char>(value));
  cursor_ = escape.next;
  return true;
}

/// UTF-8 as it was first defined: up to 31 bits in up to six bytes.
void Lexer::append_utf8(uint32_t code_point) {
  if (code_point < 0x80) {
    buffer_.push_back(static_cast<char>(code_point));
    return;
  }
  int continuation_count = 1;
  while (continuation_count < 5 && code_point >> (5 * continuation_count + 6) != 0) continuation_count++;
  const uint32_t length_mark = 0xff80u >> continuation_count;  // one bit for every byte, then a zero
  buffer_.push_back(static_cast<char>(length_mark | code_point >> (6 * continuation_count)));
  for (int i = continuation_count - 1; i >= 0; i--) {
    buffer_.push_back(static_cast<char>(0x80 | (code_point >> (6 * i) & 0x3f)));
  }
}

/// At a '[': the number of '=' signs of a long bracket that opens here, or -1.
int Lexer::long_bracket_level() const {
  const char* p = cursor_ + 1;
  while (p < end_ && *p == '=') p++;
  return p < end_ && *p == '[' ? static_cast<int>(p - cursor_ - 1) : -1;
}

void Lexer::read_long_string(Token& token, int level) {
  const char* const start = cursor_;
  if (!scan_long_bracket(level, /*keep=*/true, "string")) {
    token.kind = TokenKind::EndOfText;
    return;
  }
  token.string = unique_string(buffer_);
  token.kind = failed_ ? TokenKind::EndOfText : TokenKind::String;
  token.text = {start, static_cast<size_t>(cursor_ - start)};
}

/// From an opening long bracket to past the closing one. The contents, with every line break as '\n', go to
/// buffer_ when `keep` is set; a line break right after the opening bracket is dropped.
bool Lexer::scan_long_bracket(int level, bool keep, const char* what) {
  const int start_line = line_;
  cursor_ += level + 2;
  buffer_.clear();
  if (cursor_ < end_ && is_newline(*cursor_)) skip_newline();
  while (cursor_ < end_) {
    const char* const piece = cursor_;
    while (cursor_ < end_ && *cursor_ != ']' && !is_newline(*cursor_)) cursor_++;
    if (keep) buffer_.append(piece, cursor_);
    if (cursor_ == end_) break;
    if (is_newline(*cursor_)) {
      skip_newline();
      if (keep) buffer_.push_back('\n');
      continue;
    }
    const char* close = cursor_ + 1;
    while (close < end_ && *close == '=') close++;
    if (close < end_ && *close == ']' && close - cursor_ - 1 == level) {
      cursor_ = close + 1;
      return true;
    }
    if (keep) buffer_.append(cursor_, close);
    cursor_ = close;  // a ']' here may begin the closing bracket
  }
  error_near(std::string("unfinished long ")
                 .append(what)
                 .append(" (starting at line ")
                 .append(std::to_string(start_line))
                 .append(")"),
             describe_token_kind(TokenKind::EndOfText));
  return false;
}

}  // namespace mangata
