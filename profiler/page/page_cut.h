// Text of any length, cut for the page.
#pragma once

#include <string>
#include <string_view>

namespace mangata {

inline constexpr size_t kLongestName = 200;      ///< of functions and files
inline constexpr size_t kLongestCommand = 1000;

/// At most so many bytes with "..." behind them, and no part of a character.
inline std::string cut_text(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "...";
}

}  // namespace mangata
