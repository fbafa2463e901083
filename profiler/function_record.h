// What the profiler keeps of one function: how its paths are numbered, and how often each one ran.
//
// All prototypes with the same code, lines and place in the source share one record: a chunk that is loaded again goes on
// counting. Read next: profiler/path_profiler.h.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "numbering/path_plan.h"
#include "profiler/function_shape.h"
#include "profiler/path_profile.h"
#include "vm/interpreter/path_event.h"

namespace mangata {

struct FunctionRecord {
  FunctionRecord(FunctionShape function_shape, numbering::PathPlan path_plan)
      : shape(std::move(function_shape)), plan(std::move(path_plan)) {}

  FunctionShape shape;
  numbering::PathPlan plan;
  PathCounters counters;
  int32_t first_started_pc = 0;  ///< see InstrumentedCode
  int prototypes = 0;            ///< how many living prototypes count here
  uint64_t key = 0;              ///< place_hash of them

  std::string id;
  std::string name;
  std::string source;
  int32_t line_defined = 0;
  int32_t last_line_defined = 0;

  /// Where a path was left in the middle.
  struct Cut {
    int32_t pc = 0;  ///< the instruction that was running, in the original code
    uint32_t block = 0;
    int64_t path_register = 0;  ///< as it is in that block
    friend auto operator<=>(const Cut&, const Cut&) = default;
  };
  std::map<Cut, uint64_t> cuts;  ///< how often

  bool has_run() const;
};

/// The plan of a graph as data for instrumentation.
InstrumentationPlan instrumentation_plan(const FunctionShape& shape, const numbering::PathPlan& plan);

/// The frame's path was left while it executed original instruction `pc`; `path_register` belongs to that place. When
/// `is_leaving`, the exit events have been executed and are taken back. Call with started = false when not even the entry
/// events have been executed.
void record_cut(FunctionRecord& record, int pc, int64_t path_register, bool started, bool is_leaving);

/// The paths of a record in the terms of the source.
FunctionProfile decode(const FunctionRecord& record);

/// Flow conservation: every path that ended at a loop was followed by one that began there, which has ended, was cut off, or
/// is still under way. Empty, or what is wrong. `all_ended`: no path is under way.
std::string check_flow(const FunctionRecord& record, bool all_ended);

}  // namespace mangata
