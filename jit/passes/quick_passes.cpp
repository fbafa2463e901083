#include "jit/passes/quick_passes.h"

#include "jit/passes/conjunctions.h"
#include "jit/passes/counters.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/hoisting.h"
#include "jit/passes/redundancies.h"
#include "jit/passes/strength_reduction.h"
#include "jit/passes/variables_to_values.h"

namespace mangata::jit {

void run_quick_passes(ir::Function* function) {
  variables_to_values(function);
  reduce_strength(function);
  remove_redundancies(function);
  if (keep_counters_in_variables(function)) variables_to_values(function);
  hoist_invariants(function);
  remove_dead_code(function);
  split_conjunctions(function);
}

}  // namespace mangata::jit
