// Installs what decisions want counted: versions of a function's bytecode with the events of a plan.
//
// Read next: profiler/sampled_profiler.h (who makes versions), vm/bytecode/code_version.h.
#pragma once

#include "profiler/sampled_profiler.h"
#include "runtime/tiering/function_table.h"

namespace mangata {

/// What a decision about a function with such loops wants counted. Iterations are counted only of loops that can be; if of none, paths are.
SamplingPlan plan_of(const Decision& decision, const SampledFunction& sampled, uint32_t generation);

class PlanInstaller {
 public:
  explicit PlanInstaller(SampledProfiler& profiler) : profiler_(profiler) {}

  /// Forgets what the decision wants forgotten, and installs the version that counts what it wants counted. False: the version that is
  /// installed has not changed. Precondition: FunctionState::sampled is there.
  bool follow(Proto& proto, FunctionState& function, const Decision& decision);

 private:
  SampledProfiler& profiler_;
};

}  // namespace mangata
