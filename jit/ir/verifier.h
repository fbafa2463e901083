// What has to hold for every function of the IR; that passes and backends may rely on it is looked at in tests and in stress modes.
#pragma once

#include <string>

#include "jit/ir/function.h"

namespace mangata::jit::ir {

/// The first problem; empty: there is none. Looks at types of operands and results, at blocks' ends, at arguments of jumps and calls, and
/// whether each operand's definition dominates its use. What cannot be reached is looked at, too, but for dominance.
std::string verify(const Module& module);

}  // namespace mangata::jit::ir
