// Strings: immutable bytes, NUL-terminated, non-moving (Lua 5.4 manual §2.1).
//
// Short strings (at most kMaxShortLength bytes) are interned: equal means identical. Long strings are compared by
// content and hash on demand.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

struct String : Object {
  // type_flags: bits below. type_byte: 1 + index of the reserved word, or 0. type_word: the hash.
  enum StringFlag : uint8_t {
    kShort = 1,          ///< interned
    kHashed = 2,         ///< the hash is valid (always for short strings)
    kMetamethodName = 4, ///< starts with "__": writing such a key may change cached metamethod lookups
  };
  static constexpr size_t kMaxShortLength = 40;

  size_t length;  ///< in bytes, without the NUL
  char data[1];  ///< length bytes and a NUL

  bool is_short() const { return (type_flags & kShort) != 0; }
  bool is_metamethod_name() const { return (type_flags & kMetamethodName) != 0; }
  std::string_view view() const { return {data, length}; }
  /// Valid only when kHashed is set; see string_hash().
  uint32_t cached_hash() const { return type_word; }
  static size_t size_bytes(size_t length) { return offsetof(String, data) + length + 1; }
};

/// The hash of any string; computed once and cached in long strings.
uint32_t string_hash(String* string);

/// Content equality (identity for short strings).
inline bool strings_equal(const String* a, const String* b) {
  if (a == b) return true;
  if (a->is_short() || b->is_short()) return false;
  return a->length == b->length && std::memcmp(a->data, b->data, a->length) == 0;
}

}  // namespace mangata
