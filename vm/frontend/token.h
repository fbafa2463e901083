// Tokens: what the lexer hands to the parser.
//
// Read next: vm/frontend/lexer.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mangata {

struct String;

enum class TokenKind : uint8_t {
#define RESERVED(name, text) name,
#define SYMBOL(name, text) name,
#define CLASS(name, text) name,
#include "vm/frontend/tokens.def"
};

struct Token {
  TokenKind kind = TokenKind::EndOfText;
  std::string_view text;  ///< the characters in the source
  union {
    String* string = nullptr;  ///< Name, String: the name or the contents
    int64_t integer;           ///< Integer
    double number;             ///< Float
  };
};

/// The name of a kind in a table of tokens: "Name", "While".
std::string_view token_kind_name(TokenKind kind);

/// A kind as messages write it: 'while', '..', <name>, <eof>.
std::string describe_token_kind(TokenKind kind);

/// A token as messages write it after "near": its text in quotes. String contents are shown with their
/// escapes resolved.
std::string describe_token(const Token& token);

/// Text in quotes, up to its first NUL (a C string, as Lua's own messages are).
std::string quote_for_message(std::string_view text);

/// The reserved word with this spelling, or TokenKind::Name.
TokenKind classify_word(std::string_view word);

}  // namespace mangata
