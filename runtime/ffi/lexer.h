// Tokens of C declarations. Read next: parser.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mangata::ffi {

enum class TokenKind : uint8_t {
  End,
  Identifier,
  Integer,
  Number,     ///< any other; in bodies of functions only
  String,     ///< "text", joined with its neighbours
  Parameter,  ///< $
  Symbol,     ///< any other character, and the operators of several characters
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  ///< as it stands in the source
  int line = 1;  ///< from 1
  int64_t integer = 0;  ///< Integer
  bool is_unsigned = false;  ///< of an integer
  bool is_long = false;      ///< of an integer: has 64 bits
  std::string string;        ///< of a string
  bool is(std::string_view symbol) const {
    return (kind == TokenKind::Symbol || kind == TokenKind::Identifier) && text == symbol;
  }
};

/// Splits the source; comments and lines of the form `#pragma ...` (except pack), `#line` and `# 5 "file"`
/// are blanks.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}
  /// False: problem() says what is wrong with the text at the token.
  bool next(Token* token);
  const char* problem() const { return problem_; }
  /// Alignment by the #pragma pack that applies; 0: none.
  uint32_t pack() const { return pack_; }

 private:
  bool fail(const char* problem) {
    problem_ = problem;
    return false;
  }
  char at(size_t offset) const {
    return position_ + offset < source_.size() ? source_[position_ + offset] : '\0';
  }
  bool skip_blanks();
  bool skip_directive();
  bool read_pack(std::string_view arguments);
  bool read_number(Token* token);
  void read_rest_of_number(Token* token);
  bool read_character(Token* token);
  bool read_string(Token* token);
  bool read_escape(int64_t* character);
  void read_symbol(Token* token);

  std::string_view source_;
  size_t position_ = 0;
  int line_ = 1;
  bool is_line_start_ = true;
  uint32_t pack_ = 0;
  std::string pack_stack_;  // each character an alignment
  const char* problem_ = nullptr;
};

}  // namespace mangata::ffi
