// What the profiler keeps of one function: how its paths are numbered, and how often each one ran.
//
// Read next: profiler/profiled_function.h, profiler/path_profiler.h.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "profiler/function_numbering.h"
#include "profiler/path_profile.h"
#include "profiler/plan.h"
#include "profiler/profiled_function.h"

namespace mangata {

struct FunctionRecord : ProfiledFunction {
  /// With counters that are all zero.
  FunctionRecord(FunctionIdentity identity, FunctionShape function_shape,
                 FunctionNumbering function_numbering);

  FunctionNumbering numbering;

  /// Where a path was left in the middle, and what the activation's state was in that block.
  struct Cut {
    int32_t pc = 0;  ///< the instruction that was running, in the original code
    uint32_t block = 0;  ///< of that instruction
    int64_t path = 0;  ///< the path register
    int64_t window = 0;  ///< the window register, 0 outside of loops with windows
    uint32_t completed = 0;  ///< iterations of the stay that have ended
    friend auto operator<=>(const Cut&, const Cut&) = default;
  };
  std::map<Cut, uint64_t> cuts;  ///< how often

  /// Its hashed counters stay within `budget`, which outlives it.
  void set_budget(CountBudget& budget);
  /// What they have given up for that.
  GivenUpCounts given_up() const;

  /// Its counters also get what paths allocate, by `allocations`.
  void charge(PathAllocations& allocations);

  /// Some counter is not 0, or some path was cut.
  bool has_run() const;
  /// All counts are 0 again; paths under way will be counted.
  void reset();
};

/// The events of a function as data for instrumentation.
InstrumentationPlan instrumentation_plan(const FunctionShape& shape, const FunctionNumbering& numbering);

/// The frame's path was left at `place`; `path_register` belongs there. Exit events that have been executed
/// are taken back.
void record_cut(FunctionRecord& record, FramePlace place, int64_t path_register);

struct CountedFlows;

/// These paths of a record in the terms of the source. `has_times`: how long they took was measured.
FunctionProfile decode(const FunctionRecord& record, const CountedFlows& flows, bool has_times = false);

/// Flow conservation: every path that ended at a loop was followed by one that began there with the same k-1
/// iterations, and which has ended, was cut off, or is still under way. Empty, or what is wrong. `all_ended`:
/// no path is under way.
std::string check_flow(const FunctionRecord& record, bool all_ended);

}  // namespace mangata
