// Blank space, names, numerals, symbols, and the lexer's errors. Strings are in lexer_string.cpp.
#include "vm/frontend/lexer.h"

#include "vm/frontend/characters.h"
#include "vm/heap/emergency_memory.h"
#include "vm/operations/long_numeral.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

/// What a chunk costs however short it is, in steps (vm/poll.h), a byte of source, and a token.
constexpr int64_t kLeastWork = 200, kWorkOfByte = 2, kWorkOfToken = 3;

}  // namespace

Lexer::Lexer(Vm& vm, std::string_view text, std::string_view chunk_name)
    : vm_(vm), cursor_(text.data()), end_(text.data() + text.size()), polled_(cursor_), chunk_name_(chunk_name) {}

Lexer::~Lexer() {
  charge_native(vm_, unpaid_work() + kLeastWork);
  vm_.heap.account(-static_cast<ptrdiff_t>(accounted_bytes_));
}

int64_t Lexer::unpaid_work() const { return (cursor_ - polled_) * kWorkOfByte + unpaid_tokens_ * kWorkOfToken; }

TokenKind Lexer::look_ahead() {
  if (!has_next_) {
    has_next_ = has_detour_ = true;
    read_token(next_);
  }
  return next_.kind;
}

/// advance(), where more is to do than to read a token.
void Lexer::advance_by_detour() {
  if (notes_positions_) {
    last_end_ = token_.text.data() + token_.text.size();
    if (token_.kind == TokenKind::Function) function_begin_ = token_.text.data();
  }
  if (has_next_) {
    token_ = next_;
    has_next_ = false;
    has_detour_ = notes_positions_;
  } else {
    read_token(token_);
  }
}

void Lexer::error_near_token(std::string_view message) { error_near(message, describe_token(token_)); }

void Lexer::error_near(std::string_view message, std::string_view near) {
  if (failed_) return;
  error(std::string(message).append(" near ").append(near));
}

void Lexer::error(std::string_view message) {
  if (failed_) return;
  std::string text = chunk_id(chunk_name_);
  text.append(":").append(std::to_string(line_)).append(": ").append(message);
  static_cast<void>(raise_plain(vm_, text));
  stop();
}

void Lexer::stop() {
  failed_ = true;
  cursor_ = end_;
  has_next_ = false;
  token_.kind = next_.kind = TokenKind::EndOfText;
}

String* Lexer::unique_string(std::string_view text) {
  if (text.size() <= String::kMaxShortLength) [[likely]]
    return vm_.strings.intern(text);
  if (const auto known = long_strings_.find(text); known != long_strings_.end()) return known->second;
  const Result<String*> made = vm_.new_string(text);
  if (!made) {
    stop();
    return vm_.empty_string;
  }
  long_strings_.emplace(made.value()->view(), made.value());
  return made.value();
}

void Lexer::poll() {
  charge_native(vm_, unpaid_work());
  polled_ = cursor_;
  unpaid_tokens_ = 0;
  if (EmergencyMemory::is_short()) {
    static_cast<void>(raise_out_of_memory(vm_));
    vm_.heap.memory_is_short();
    return stop();
  }
  if (code_in_progress_ != nullptr && !account()) return;
  // Without an embedder, an interrupt is an ordinary error, which load() would return as a flaw of the text: it waits for Lua code.
  if (vm_.embedder != nullptr && !poll_native(vm_, 0).ok()) stop();
}

/// False: there may not be so much.
bool Lexer::account() {
  const size_t bytes = code_in_progress_->bytes();
  if (bytes > accounted_bytes_ && !vm_.heap.may_hold(vm_.heap.total_bytes() + bytes - accounted_bytes_)) {
    (void)raise_out_of_memory(vm_);
    stop();
    return false;
  }
  vm_.heap.account(static_cast<ptrdiff_t>(bytes) - static_cast<ptrdiff_t>(accounted_bytes_));
  accounted_bytes_ = bytes;
  return true;
}

/// Counts a line break; "\r\n" and "\n\r" are one.
void Lexer::skip_newline() {
  const char first = *cursor_++;
  if (cursor_ < end_ && is_newline(*cursor_) && *cursor_ != first) cursor_++;
  line_++;
  poll_if_due();
}

/// Skips space and comments. False at the end of the text.
bool Lexer::skip_blank() {
  while (cursor_ < end_) {
    const char c = *cursor_;
    if (is_newline(c)) {
      skip_newline();
    } else if (is_in_class(c, kSpace)) {
      cursor_++;
    } else if (c == '-' && next_is('-')) {
      skip_comment();
    } else {
      return true;
    }
  }
  return false;
}

void Lexer::skip_comment() {
  cursor_ += 2;
  if (cursor_ < end_ && *cursor_ == '[') {
    if (const int level = long_bracket_level(); level >= 0) {
      scan_long_bracket(level, /*keep=*/false, "comment");
      return;
    }
  }
  while (cursor_ < end_ && !is_newline(*cursor_)) cursor_++;
}

void Lexer::finish(Token& token, TokenKind kind, int length) {
  token.kind = kind;
  token.text = {cursor_, static_cast<size_t>(length)};
  cursor_ += length;
}

void Lexer::read_token(Token& token) {
  poll_if_due();
  if (!skip_blank()) {
    token.kind = TokenKind::EndOfText;
    token.text = {};
    return;
  }
  const char c = *cursor_;
  if (is_in_class(c, kLetter)) {
    read_word(token);
  } else if (is_in_class(c, kDigit) || (c == '.' && cursor_ + 1 < end_ && is_in_class(cursor_[1], kDigit))) {
    read_numeral(token);
  } else if (c == '"' || c == '\'') {
    read_string(token);
  } else {
    read_symbol(token);
  }
}

void Lexer::read_word(Token& token) {
  const char* after = cursor_ + 1;
  while (after < end_ && is_in_class(*after, kLetter | kDigit)) after++;
  const std::string_view word(cursor_, after - cursor_);
  token.text = word;
  cursor_ = after;
  token.kind = classify_word(word);
  if (token.kind == TokenKind::Name) {
    token.string = unique_string(word);
    if (failed_) token.kind = TokenKind::EndOfText;
  }
}

/// Takes everything that could belong to a numeral, and lets the conversion refuse what does not: "3x" is one
/// malformed number, not a number and a name. A sign belongs to it only after an exponent mark.
void Lexer::read_numeral(Token& token) {
  const char* const start = cursor_;
  bool is_plain = true;  // decimal digits only
  char exponent = 'e';
  if (*cursor_ == '0' && cursor_ + 1 < end_ && (cursor_[1] | 0x20) == 'x') {
    exponent = 'p';
    is_plain = false;
    cursor_ += 2;
  }
  while (cursor_ < end_) {
    if (is_in_class(*cursor_, kDigit)) {
      cursor_++;
      continue;
    }
    if ((*cursor_ | 0x20) == exponent) {
      cursor_++;
      if (cursor_ < end_ && (*cursor_ == '+' || *cursor_ == '-')) cursor_++;
    } else if (is_in_class(*cursor_, kHexadecimalDigit) || *cursor_ == '.') {
      cursor_++;
    } else {
      break;
    }
    is_plain = false;
  }
  if (cursor_ < end_ && is_in_class(*cursor_, kLetter)) {
    cursor_++;
    is_plain = false;
  }
  token.text = {start, static_cast<size_t>(cursor_ - start)};
  if (is_plain && token.text.size() <= 18) {
    int64_t value = 0;
    for (const char digit : token.text) value = value * 10 + (digit - '0');
    token.kind = TokenKind::Integer;
    token.integer = value;
    return;
  }
  // Interrupts: as in poll().
  const Result<Value> read =
      vm_.embedder != nullptr ? any_string_to_number(vm_, token.text) : string_to_number(token.text);
  if (!read.ok()) return stop();
  const Value value = read.value();
  if (value.is_integer()) {
    token.kind = TokenKind::Integer;
    token.integer = value.as_integer();
  } else if (value.is_float()) {
    token.kind = TokenKind::Float;
    token.number = value.as_float();
  } else {
    error_near("malformed number", quote_for_message(token.text));
    token.kind = TokenKind::EndOfText;
  }
}

/// `[`, or what begins with it.
void Lexer::read_bracket(Token& token) {
  const int level = long_bracket_level();
  if (level >= 0) return read_long_string(token, level);
  if (next_is('=')) {  // "[=" and no second bracket
    const char* after = cursor_ + 1;
    while (after < end_ && *after == '=') after++;
    error_near("invalid long string delimiter",
               quote_for_message({cursor_, static_cast<size_t>(after - cursor_)}));
    token.kind = TokenKind::EndOfText;
    return;
  }
  return finish(token, TokenKind::LeftBracket, 1);
}

void Lexer::read_symbol(Token& token) {
  using enum TokenKind;
  switch (*cursor_) {
    case '+':
      return finish(token, Plus, 1);
    case '-':
      return finish(token, Minus, 1);
    case '*':
      return finish(token, Star, 1);
    case '/':
      return next_is('/') ? finish(token, DoubleSlash, 2) : finish(token, Slash, 1);
    case '%':
      return finish(token, Percent, 1);
    case '^':
      return finish(token, Caret, 1);
    case '#':
      return finish(token, Hash, 1);
    case '&':
      return finish(token, Ampersand, 1);
    case '|':
      return finish(token, Pipe, 1);
    case '~':
      return next_is('=') ? finish(token, NotEqual, 2) : finish(token, Tilde, 1);
    case '=':
      return next_is('=') ? finish(token, Equal, 2) : finish(token, Assign, 1);
    case '<':
      if (next_is('=')) return finish(token, LessEqual, 2);
      return next_is('<') ? finish(token, ShiftLeft, 2) : finish(token, Less, 1);
    case '>':
      if (next_is('=')) return finish(token, GreaterEqual, 2);
      return next_is('>') ? finish(token, ShiftRight, 2) : finish(token, Greater, 1);
    case '(':
      return finish(token, LeftParenthesis, 1);
    case ')':
      return finish(token, RightParenthesis, 1);
    case '{':
      return finish(token, LeftBrace, 1);
    case '}':
      return finish(token, RightBrace, 1);
    case ']':
      return finish(token, RightBracket, 1);
    case ';':
      return finish(token, Semicolon, 1);
    case ',':
      return finish(token, Comma, 1);
    case ':':
      return next_is(':') ? finish(token, DoubleColon, 2) : finish(token, Colon, 1);
    case '.':
      if (!next_is('.')) return finish(token, Dot, 1);
      return cursor_ + 2 < end_ && cursor_[2] == '.' ? finish(token, Ellipsis, 3) : finish(token, Concat, 2);
    case '[':
      return read_bracket(token);
    default:
      return finish(token, Unknown, 1);
  }
}

}  // namespace mangata
