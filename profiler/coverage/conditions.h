// The conditions of a function as its source has them, and which of their outcomes came about: every test of `if`, `while` and
// `repeat`, every operand of `and` and `or`, every comparison whose value is used, and the two questions of a `for` (does it run at
// all, does it go on). Constant conditions decide nothing and are none.
#pragma once

#include <array>
#include <vector>

#include "numbering/edge_profile.h"
#include "profiler/coverage/model/condition.h"
#include "profiler/function_shape.h"

namespace mangata {
struct Proto;
}

namespace mangata::coverage {

/// Where a condition is in the control flow.
struct ConditionPlace {
  Condition condition;  ///< counts are 0
  std::array<numbering::EdgeId, 2> edges;
};

/// In the order of the code. Code from a binary chunk has only those of `for`: the compiler's notes are lost.
std::vector<ConditionPlace> find_conditions(const Proto& proto, const FunctionShape& shape);

std::vector<Condition> counted(const std::vector<ConditionPlace>& places, const numbering::EdgeCounts& counts);

}  // namespace mangata::coverage
