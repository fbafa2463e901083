// Character classes of Lua source text: ASCII only, independent of the locale (manual §3.1).
#pragma once

#include <array>
#include <cstdint>

namespace mangata {

enum CharacterClass : uint8_t {
  kLetter = 1,
  kDigit = 2,
  kHexadecimalDigit = 4,
  kSpace = 8
};

inline constexpr std::array<uint8_t, 256> kCharacterClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; c++) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  classes['_'] = kLetter;
  for (int c = 'a'; c <= 'f'; c++) classes[c] = classes[c - 'a' + 'A'] = kLetter | kHexadecimalDigit;
  for (int c = '0'; c <= '9'; c++) classes[c] = kDigit | kHexadecimalDigit;
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'}) classes[static_cast<int>(c)] = kSpace;
  return classes;
}();

inline bool is_in_class(char c, int character_class) {
  return (kCharacterClasses[static_cast<unsigned char>(c)] & character_class) != 0;
}
inline bool is_newline(char c) { return c == '\n' || c == '\r'; }
/// Precondition: a hexadecimal digit.
inline int hexadecimal_digit_value(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

}  // namespace mangata
