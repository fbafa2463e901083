// The order of strings, by bytes (see README.md), inline.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "vm/object/short_bytes.h"
#include "vm/object/string.h"

namespace mangata {

/// Negative, zero or positive as `a` comes before `b`, equals it, or comes behind it. Most differ in the
/// first eight bytes.
inline int64_t string_order(const String* a, const String* b) {
  const size_t common = std::min(a->length, b->length);
  if (common >= 8) {
    const uint64_t x = __builtin_bswap64(load_word<uint64_t>(a->data)),
                   y = __builtin_bswap64(load_word<uint64_t>(b->data));
    if (x != y) return x < y ? -1 : 1;
    if (const int rest = std::memcmp(a->data + 8, b->data + 8, common - 8); rest != 0) return rest;
  } else {
    for (size_t i = 0; i < common; ++i) {
      if (a->data[i] != b->data[i])
        return int64_t{static_cast<uint8_t>(a->data[i])} - static_cast<uint8_t>(b->data[i]);
    }
  }
  return static_cast<int64_t>(a->length) - static_cast<int64_t>(b->length);
}

}  // namespace mangata
