// Numerals in strings of any length: reading a long one can be interrupted.
#pragma once

#include "vm/object/string.h"
#include "vm/operations/operations.h"

namespace mangata {

/// Longer texts are read with polls, and charged.
inline constexpr size_t kLongNumeralBytes = 128;

/// `text` without the space around it, as numerals may have. Raises only interrupts, as the next one.
Result<std::string_view> without_space(Vm& vm, std::string_view text);

/// What string_to_number() gives for a long text. Raises only interrupts: a safepoint as poll_native (vm/poll.h).
Result<Value> long_string_to_number(Vm& vm, std::string_view text);

/// string_to_number() of text that may be long; raises only interrupts.
inline Result<Value> any_string_to_number(Vm& vm, std::string_view text) {
  if (text.size() > kLongNumeralBytes) [[unlikely]]
    return long_string_to_number(vm, text);
  return string_to_number(text);
}

/// A number as it is, the number that a string converts to (manual §3.4.3), or nil. Raises only interrupts.
inline Result<Value> number_of(Vm& vm, const Value& value) {
  if (value.is_number()) return value;
  return value.is_string() ? any_string_to_number(vm, value.as_string()->view()) : Value::nil();
}

}  // namespace mangata
