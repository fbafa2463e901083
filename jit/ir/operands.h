// The values that an operation reads, to look at or to exchange.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit::ir {

/// Calls `visit` with a reference to each value that the operation reads, a constant one if the two are. Constants of a switch are not
/// among them.
/// FunctionOf, OperationOf: Function and Operation, or their constant forms
template <typename FunctionOf, typename OperationOf, typename Visit>
void for_each_operand(FunctionOf& function, OperationOf& operation, Visit visit) {
  const Shape shape = info_of(operation.op).shape;
  const auto count = static_cast<size_t>(operand_count(shape));
  for (size_t i = 0; i < count; ++i) {
    if (operation.operands[i]) visit(operation.operands[i]);
  }
  if (!has_list(shape)) return;
  for (auto& value : function.list(operation)) visit(value);
}

}  // namespace mangata::jit::ir
