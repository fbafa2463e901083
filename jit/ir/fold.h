// What operations on constants are, and which operations are one of their operands.
#pragma once

#include <optional>

#include "jit/ir/function.h"

namespace mangata::jit::ir {

/// The same, where the first operand is a constant.
std::optional<uint64_t> fold_from_first(const Function& function, const Operation& operation);
/// The bits of the result, where all operands are constants and it has one that is the same everywhere.
inline std::optional<uint64_t> fold_constants(const Function& function, const Operation& operation) {
  if (!may_be_constant(operation.op) || !function.is_constant(operation.operands[0])) return {};  // nearly all that is asked for
  return fold_from_first(function, operation);
}

/// A value that is equal to the operation's: x + 0, x & x, x ^ 0; what compares a value with itself, as a constant. Invalid: there is none.
/// Floats are left alone but for x * 1.
Value fold_identity(Function* function, const Operation& operation);

}  // namespace mangata::jit::ir
