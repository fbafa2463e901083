// Spelling of tokens, for messages and dumps.
#include "vm/frontend/token.h"

#include "vm/object/string.h"

namespace mangata {
namespace {

struct TokenSpelling {
  std::string_view name;
  std::string_view text;
  bool quoted;  ///< messages put fixed spellings in quotes, classes such as <name> stand as they are
};

constexpr TokenSpelling kSpellings[] = {
#define RESERVED(name, text) {#name, text, true},
#define SYMBOL(name, text) {#name, text, true},
#define CLASS(name, text) {#name, text, false},
#include "vm/frontend/tokens.def"
};

const TokenSpelling& spelling(TokenKind kind) { return kSpellings[static_cast<int>(kind)]; }

/// A character that begins no token: shown itself when it is printable ASCII, else by its code.
std::string describe_character(unsigned char character) {
  if (character >= 32 && character < 127) return {'\'', static_cast<char>(character), '\''};
  return "'<\\" + std::to_string(character) + ">'";
}

/// The opening bracket of a string token: a quote, or "[", "="s, "[".
std::string_view opening_delimiter(std::string_view text) {
  if (text[0] != '[') return text.substr(0, 1);
  return text.substr(0, text.find('[', 1) + 1);
}

TokenKind word_if(std::string_view word, TokenKind kind) {
  return word == spelling(kind).text ? kind : TokenKind::Name;
}

}  // namespace

std::string_view token_kind_name(TokenKind kind) { return spelling(kind).name; }

std::string describe_token_kind(TokenKind kind) {
  const std::string text(spelling(kind).text);
  return spelling(kind).quoted ? "'" + text + "'" : text;
}

std::string quote_for_message(std::string_view text) {
  return "'" + std::string(text.substr(0, text.find('\0'))) + "'";
}

std::string describe_token(const Token& token) {
  switch (token.kind) {
    case TokenKind::Unknown:
      return describe_character(static_cast<unsigned char>(token.text[0]));
    case TokenKind::Name:
    case TokenKind::Integer:
    case TokenKind::Float:
      return quote_for_message(token.text);
    case TokenKind::String: {
      const std::string_view open = opening_delimiter(token.text);
      const std::string_view close = token.text.substr(token.text.size() - open.size());
      std::string text(open);
      text.append(token.string->view()).append(close);
      return quote_for_message(text);
    }
    default:
      return describe_token_kind(token.kind);
  }
}

// Called for every word of a source: first letter and length leave at most one or two candidates.
TokenKind classify_word(std::string_view word) {
  if (word.size() < 2 || word.size() > 8) return TokenKind::Name;
  switch (word[0]) {
    case 'a':
      return word_if(word, TokenKind::And);
    case 'b':
      return word_if(word, TokenKind::Break);
    case 'd':
      return word_if(word, TokenKind::Do);
    case 'e':
      if (word.size() == 3) return word_if(word, TokenKind::End);
      return word_if(word, word.size() == 4 ? TokenKind::Else : TokenKind::Elseif);
    case 'f':
      if (word.size() == 3) return word_if(word, TokenKind::For);
      return word_if(word, word.size() == 5 ? TokenKind::False : TokenKind::Function);
    case 'g':
      return word_if(word, TokenKind::Goto);
    case 'i':
      return word_if(word, word[1] == 'f' ? TokenKind::If : TokenKind::In);
    case 'l':
      return word_if(word, TokenKind::Local);
    case 'n':
      return word_if(word, word[1] == 'i' ? TokenKind::Nil : TokenKind::Not);
    case 'o':
      return word_if(word, TokenKind::Or);
    case 'r':
      return word_if(word, word.size() == 6 && word[2] == 'p' ? TokenKind::Repeat : TokenKind::Return);
    case 't':
      return word_if(word, word[1] == 'h' ? TokenKind::Then : TokenKind::True);
    case 'u':
      return word_if(word, TokenKind::Until);
    case 'w':
      return word_if(word, TokenKind::While);
    default:
      return TokenKind::Name;
  }
}

}  // namespace mangata
