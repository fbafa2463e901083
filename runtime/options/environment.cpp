#include "runtime/options/environment.h"

namespace mangata {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\f\v";

/// Appends the character behind a backslash. In double quotes it stands for itself before most others.
bool unescape(std::string_view* text, bool is_quoted, std::string* word, std::string* error) {
  if (text->empty()) {
    *error = "nothing follows the last '\\'";
    return false;
  }
  const char next = text->front();
  text->remove_prefix(1);
  if (is_quoted && next != '"' && next != '\\' && next != '$' && next != '`') *word += '\\';
  *word += next;
  return true;
}

/// Reads up to the closing quote.
bool read_quoted(std::string_view* text, char quote, std::string* word, std::string* error) {
  while (!text->empty()) {
    const char next = text->front();
    text->remove_prefix(1);
    if (next == quote) return true;
    if (next == '\\' && quote == '"') {
      if (!unescape(text, true, word, error)) return false;
    } else {
      *word += next;
    }
  }
  *error = std::string("unfinished quote (") + quote + ")";
  return false;
}

}  // namespace

bool split_words(std::string_view text, std::vector<std::string>* words, std::string* error) {
  while (true) {
    const size_t start = text.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) return true;
    text.remove_prefix(start);
    std::string word;
    while (!text.empty() && kBlanks.find(text.front()) == std::string_view::npos) {
      const char next = text.front();
      text.remove_prefix(1);
      if (next == '\\') {
        if (!unescape(&text, false, &word, error)) return false;
      } else if (next == '\'' || next == '"') {
        if (!read_quoted(&text, next, &word, error)) return false;
      } else {
        word += next;
      }
    }
    words->push_back(std::move(word));
  }
}

}  // namespace mangata
