// UTF-8 as Lua 5.4 understands it: up to six bytes and 2^31 - 1 (manual §6.5); "strict" is Unicode proper.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace mangata {

inline constexpr uint32_t kMaxUtf8 = 0x7fffffff;
inline constexpr int kMaxUtf8Bytes = 6;

inline bool is_utf8_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Decodes the sequence at the beginning of `text` (not empty). Returns its length in bytes, or 0 when it is
/// malformed, overlong or, if `strict`, a surrogate or above 0x10FFFF.
inline size_t decode_utf8(std::string_view text, bool strict, uint32_t* code) {
  constexpr uint32_t kMaxUnicode = 0x10ffff;
  constexpr uint32_t kSmallest[kMaxUtf8Bytes + 1] = {0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
  const unsigned char first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) {
    *code = first;
    return 1;
  }
  const auto length = static_cast<size_t>(std::countl_one(first));
  if (length < 2 || length > kMaxUtf8Bytes || length > text.size()) return 0;
  uint32_t value = first & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if (!is_utf8_continuation(text[i])) return 0;
    value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  if (value < kSmallest[length]) return 0;
  if (strict && (value > kMaxUnicode || (value >= 0xd800 && value <= 0xdfff))) return 0;
  *code = value;
  return length;
}

/// Writes `code` (<= kMaxUtf8) and returns how many bytes that took.
inline size_t encode_utf8(uint32_t code, char out[kMaxUtf8Bytes]) {
  if (code < 0x80) {
    out[0] = static_cast<char>(code);
    return 1;
  }
  size_t length = 2;
  while (length < kMaxUtf8Bytes && code >> (5 * length + 1) != 0) ++length;
  for (size_t i = length - 1; i > 0; --i) {
    out[i] = static_cast<char>(0x80 | (code & 0x3f));
    code >>= 6;
  }
  out[0] = static_cast<char>((0xff00u >> length & 0xff) | code);
  return length;
}

}  // namespace mangata
