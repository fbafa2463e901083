// What was counted of one loop, as an optimizer wants it: the paths through an iteration, and which runs of
// them followed each other.
//
// Read next: profiler/iteration_runs.h, jit/region/loop_contexts.h (who reads it).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "profiler/sampled_function.h"
#include "vm/bytecode/pc.h"

namespace mangata {

/// A conditional branch on the way through an iteration.
struct BranchStep {
  OriginalPc pc{};     ///< of the branch
  bool taken = false;  ///< it jumped
  friend bool operator==(const BranchStep&, const BranchStep&) = default;
};

/// From the loop's head to a backedge, which is the last step if it is the arm of a branch.
using LoopPath = std::vector<BranchStep>;

struct LoopPaths {
  OriginalPc head_pc{};  ///< where it goes back to
  int32_t line = -1;  ///< of the head; -1: not known
  unsigned k = 1;                                                ///< iterations in a run
  std::vector<LoopPath> distinct;                                ///< those that ran
  std::vector<std::pair<std::vector<uint32_t>, uint64_t>> runs;  ///< k paths, oldest first, and how often
  /// Iterations in all runs that were counted.
  uint64_t iterations() const {
    uint64_t sum = 0;
    for (const auto& run : runs) sum += run.second;
    return sum;
  }
};

/// Of every natural loop that is around no other, from the layer of counters that is installed or was last.
/// Empty while nothing was counted.
std::vector<LoopPaths> loop_paths(const SampledFunction& function);
/// From all that has been counted.
std::vector<LoopPaths> loop_paths(const FunctionRecord& record);

}  // namespace mangata
