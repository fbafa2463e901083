// Comparing, copying and hashing bytes inline. Most strings of programs have a few bytes only, and for those
// the calls of memcmp and memcpy cost more than what they do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vm/object/hash_key.h"

namespace mangata {

template <typename Word>
inline Word load_word(const char* data) {
  Word word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

/// Copies `length` bytes, sizeof(Word) <= length <= 2 * sizeof(Word), as two words that may overlap.
template <typename Word>
inline void copy_ends(char* to, const char* from, size_t length) {
  const Word first = load_word<Word>(from), last = load_word<Word>(from + length - sizeof(Word));
  std::memcpy(to, &first, sizeof(Word));
  std::memcpy(to + length - sizeof(Word), &last, sizeof(Word));
}

/// memcpy.
inline void copy_bytes(char* to, const char* from, size_t length) {
  if (length > 32) {
    std::memcpy(to, from, length);
  } else if (length >= 16) {
    copy_ends<unsigned __int128>(to, from, length);
  } else if (length >= 8) {
    copy_ends<uint64_t>(to, from, length);
  } else if (length >= 4) {
    copy_ends<uint32_t>(to, from, length);
  } else if (length >= 2) {
    copy_ends<uint16_t>(to, from, length);
  } else if (length == 1) {
    *to = *from;
  }
}

/// memcmp() == 0.
inline bool equal_bytes(const char* a, const char* b, size_t length) {
  if (length >= 8) {
    const char* const last = a + length - 8;
    const ptrdiff_t distance = b - a;
    for (; a < last; a += 8) {
      if (load_word<uint64_t>(a) != load_word<uint64_t>(a + distance)) return false;
    }
    return load_word<uint64_t>(last) == load_word<uint64_t>(last + distance);
  }
  if (length >= 4) {
    return load_word<uint32_t>(a) == load_word<uint32_t>(b) &&
           load_word<uint32_t>(a + length - 4) == load_word<uint32_t>(b + length - 4);
  }
  if (length == 0) return true;
  return a[0] == b[0] && a[length / 2] == b[length / 2] && a[length - 1] == b[length - 1];
}

/// Folds the 128-bit product: every input bit reaches every output bit.
inline uint64_t mix_bits(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// The hash of the bytes of any string: with the plain key the same in every process.
inline uint32_t hash_bytes(const char* data, size_t length, const HashKey& key = kPlainHashKey) {
  uint64_t state = key.offset ^ length;
  if (length >= 8) {
    // The last word may overlap the one before: no tail loop.
    const char* last = data + length - 8;
    for (; data < last; data += 8) state = mix_bits(state ^ load_word<uint64_t>(data), key.factor);
    state = mix_bits(state ^ load_word<uint64_t>(last), key.factor);
  } else {
    uint64_t word = 0;
    if (length >= 4) {
      word = uint64_t{load_word<uint32_t>(data + length - 4)} << 32 | load_word<uint32_t>(data);
    } else if (length > 0) {
      const auto byte = [data](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(data[i])); };
      word = byte(0) | (byte(length / 2) << 8) | (byte(length - 1) << 16);
    }
    state = mix_bits(state ^ word, key.factor);
  }
  return static_cast<uint32_t>(state ^ (state >> 32));
}

}  // namespace mangata
