// The operands of an operator on cdata, as C sees them.
#pragma once

#include "runtime/ffi/convert.h"

namespace mangata::ffi {

struct Pointer {
  char* address = nullptr;  ///< may be null
  TypeId element{};  ///< what it points to
};

/// Pointers and arrays; nil is no pointer here.
bool pointer_of(const State& state, const Value& value, Pointer* pointer);
/// A number in the sense of number_of(), but no Lua boolean, as elsewhere in Lua.
bool number_operand_of(const State& state, const Value& value, Number* number);
/// Both operands as numbers. Beside an enum, a string is the name of one of its constants.
bool numbers_of(const State& state, const Value& x, const Value& y, Number* a, Number* b);
/// Whether C computes in uint64_t.
inline bool is_unsigned_operation(const Number& a, const Number& b) {
  return a.kind == Number::Kind::Unsigned || b.kind == Number::Kind::Unsigned;
}

/// The metamethod by ffi.metatype of either operand, called with call[0] and call[1]; false: there is none. A
/// safepoint.
Result<bool> call_own(Call& call, Metamethod event, Value* result);
/// `format` with the types of call[0] and call[1]; or that a string is no constant of the enum beside it.
Raised fail_operands(Call& call, const char* format);

}  // namespace mangata::ffi
