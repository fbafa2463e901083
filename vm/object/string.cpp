// Hashing of strings.
#include "vm/object/string.h"

#include <cstring>

#include "vm/object/string_table.h"

namespace mangata {
namespace {

uint64_t load_word(const char* data) {
  uint64_t word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

/// Folds the 128-bit product: every input bit reaches every output bit.
uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio
constexpr uint64_t kOffset = 0xC2B2AE3D27D4EB4Fu;

}  // namespace

uint32_t hash_bytes(const char* data, size_t length) {
  uint64_t state = kOffset ^ length;
  if (length >= 8) {
    // The last word may overlap the one before: no tail loop.
    const char* last = data + length - 8;
    for (; data < last; data += 8) state = mix(state ^ load_word(data), kFactor);
    state = mix(state ^ load_word(last), kFactor);
  } else {
    uint64_t word = 0;
    if (length >= 4) {
      uint32_t low, high;
      std::memcpy(&low, data, 4);
      std::memcpy(&high, data + length - 4, 4);
      word = (uint64_t{high} << 32) | low;
    } else if (length > 0) {
      const auto byte = [data](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(data[i])); };
      word = byte(0) | (byte(length / 2) << 8) | (byte(length - 1) << 16);
    }
    state = mix(state ^ word, kFactor);
  }
  return static_cast<uint32_t>(state ^ (state >> 32));
}

uint32_t string_hash(String* string) {
  if ((string->type_flags & String::kHashed) == 0) {
    string->type_word = hash_bytes(string->data, string->length);
    string->type_flags |= String::kHashed;
  }
  return string->type_word;
}

}  // namespace mangata
