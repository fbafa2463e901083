// Counters of profiles that a loop increments are kept in registers while it runs.
//
// [DESIGN] An increment of a counter in memory is four micro-operations, and the next one of the same counter waits for it: in a loop of
// ten instructions that counts a path or two that is a fifth of the time. So an innermost loop counts from 0 in a variable, and adds it to
// the counter wherever it is left. Nobody looks meanwhile: only calls may, so a loop that calls something in each iteration stays as it is,
// and in front of a call in a cold block what was counted is added, too. Other increments in the loop, of counters that are not known
// before it runs, may be of the same counter: sums do not mind.
#pragma once

#include "jit/ir/function.h"

namespace mangata::jit {

/// Precondition: there are no variables. True: now there are, and variables_to_values() is to make values of them.
bool keep_counters_in_variables(ir::Function* function);

}  // namespace mangata::jit
