// The parts of the string library (Lua 5.4 manual §6.4), which is spread over several files.
#pragma once

#include <cstdint>

#include "vm/native.h"

namespace mangata {

// string_search.cpp
Result<int> string_find(Call& call);
Result<int> string_match(Call& call);
Result<int> string_gmatch(Call& call);
// string_substitute.cpp
Result<int> string_gsub(Call& call);
// string_format.cpp
Result<int> string_format(Call& call);
// string_pack.cpp
Result<int> string_pack(Call& call);
Result<int> string_packsize(Call& call);
Result<int> string_unpack(Call& call);
// string_arithmetic.cpp: the metamethods of strings (manual §3.4.3)
void set_string_arithmetic(Vm& vm, Table* metatable);

/// Of upper, lower and reverse where the result is short, and of rep, in both forms (direct.h).
inline constexpr int64_t kWorkOfShortResult = 1, kWorkOfRepeating = 2;

/// check_integer and check_string without a call when there is nothing to convert.
inline Result<int64_t> integer_argument(Call& call, int i) {
  const Value value = call[i];
  if (value.is_integer()) [[likely]]
    return value.as_integer();
  return call.check_integer(i);
}
inline Result<int64_t> integer_argument(Call& call, int i, int64_t fallback) {
  const Value value = call[i];
  if (value.is_integer()) [[likely]]
    return value.as_integer();
  return call.optional_integer(i, fallback);
}
inline Result<String*> string_argument(Call& call, int i) {
  const Value value = call[i];
  if (value.is_string()) [[likely]]
    return value.as_string();
  return call.check_string(i);
}

/// A start position in 1..: negative ones count from the end, those before the beginning become 1.
inline size_t start_position(int64_t position, size_t length) {
  if (position > 0) return static_cast<size_t>(position);
  if (position == 0 || position < -static_cast<int64_t>(length)) return 1;
  return length + static_cast<size_t>(position) + 1;
}

/// An end position in 0..length: negative ones count from the end.
inline size_t end_position(int64_t position, size_t length) {
  if (position > static_cast<int64_t>(length)) return length;
  if (position >= 0) return static_cast<size_t>(position);
  if (position < -static_cast<int64_t>(length)) return 0;
  return length + static_cast<size_t>(position) + 1;
}

}  // namespace mangata
