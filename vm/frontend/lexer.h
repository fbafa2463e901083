// The lexer: characters to tokens (Lua 5.4 manual §3.1), one token ahead of the parser and one more on
// request.
//
// [DESIGN] Syntax errors are sticky, not thrown. The first one is stored in Vm::error and puts the lexer at
// the end of the text: from then on every token is EndOfText, which ends every loop of the parser, and later
// errors are ignored. So the productions of the parser need no error path of their own, and whatever code
// they generate after an error is dropped.
//
// Read next: vm/frontend/parser.h.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "vm/frontend/token.h"
#include "vm/vm.h"

namespace mangata {

/// What is made from the text while it is read.
class CodeInProgress {
 public:
  virtual ~CodeInProgress() = default;
  /// Memory that is in no account yet.
  virtual size_t bytes() const = 0;
};

class Lexer {
 public:
  /// `text` must outlive the lexer. `chunk_name` as for lua_load. Call advance() to get the first token.
  Lexer(Vm& vm, std::string_view text, std::string_view chunk_name);
  ~Lexer();
  Lexer(const Lexer&) = delete;
  Lexer& operator=(const Lexer&) = delete;

  const Token& token() const { return token_; }
  TokenKind kind() const { return token_.kind; }
  /// The line where the newest token ends.
  int line() const { return line_; }
  /// The line where the token before the current one ended: instructions are attributed to it.
  int last_line() const { return last_line_; }

  /// The next token becomes the current one. An error of the text is thrown, as those of the parser are.
  void advance() {
    last_line_ = line_;
    ++unpaid_tokens_;
    if (!has_detour_) [[likely]] {
      read_token(token_);
      return;
    }
    advance_by_detour();
  }
  /// The kind of the token after the current one.
  TokenKind look_ahead();

  /// From now on the following two are known.
  void note_positions() { notes_positions_ = has_detour_ = true; }
  /// Where the token before the current one ended.
  const char* last_end() const { return last_end_; }
  /// Where the last keyword `function` begins.
  const char* function_begin() const { return function_begin_; }

  /// "chunk:line: message near 'token'".
  void error_near_token(std::string_view message);
  /// "chunk:line: message".
  void error(std::string_view message);
  /// Stops; Vm::error is already set.
  void stop();
  bool failed() const { return failed_; }

  /// From now on what `code` says it takes is in the heap's account, and is refused beyond the memory limit.
  void account_for(const CodeInProgress* code) { code_in_progress_ = code; }

  /// The one String with these bytes in this compilation, long ones included, so that names compare by
  /// identity.
  String* unique_string(std::string_view text);

 private:
  struct Escape;
  /// Source between two polls: compiled in some hundred microseconds.
  static constexpr ptrdiff_t kBytesPerPoll = 1 << 14;

  void read_token(Token& token);
  void advance_by_detour();
  /// Lets interrupts happen: now and then, as compiling may take long. May stop.
  void poll_if_due() {
    if (cursor_ - polled_ > kBytesPerPoll) [[unlikely]]
      poll();
  }
  void poll();
  int64_t unpaid_work() const;
  bool account();
  bool skip_blank();
  void skip_comment();
  void skip_newline();
  void finish(Token& token, TokenKind kind, int length);
  bool next_is(char character) const { return cursor_ + 1 < end_ && cursor_[1] == character; }
  void read_word(Token& token);
  void read_numeral(Token& token);
  void read_symbol(Token& token);
  void read_bracket(Token& token);

  // lexer_string.cpp
  void read_string(Token& token);
  void read_string_with_escapes(Token& token, const char* start);
  bool read_escape();
  bool read_hexadecimal_escape(Escape& escape);
  bool read_unicode_escape(Escape& escape);
  bool read_decimal_escape(Escape& escape);
  bool escape_error(const Escape& escape, const char* message);
  void append_utf8(uint32_t code_point);
  int long_bracket_level() const;
  void read_long_string(Token& token, int level);
  bool scan_long_bracket(int level, bool keep, const char* what);

  void error_near(std::string_view message, std::string_view near);

  Vm& vm_;
  const char* cursor_;
  const char* end_;
  const char* polled_;  ///< where the last poll was
  int64_t unpaid_tokens_ = 0;
  const CodeInProgress* code_in_progress_ = nullptr;
  size_t accounted_bytes_ = 0;
  std::string_view chunk_name_;
  Token token_;
  Token next_;
  bool has_next_ = false;
  bool notes_positions_ = false;
  bool has_detour_ = false;  ///< has_next_ or notes_positions_
  bool failed_ = false;
  int line_ = 1;
  int last_line_ = 1;
  const char* last_end_ = nullptr;
  const char* function_begin_ = nullptr;
  std::string buffer_;  ///< contents of a string that is not a plain piece of the source
  std::unordered_map<std::string_view, String*> long_strings_;
};

}  // namespace mangata
