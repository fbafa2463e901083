// What a record has counted, as paths through the graph: every counter that is not zero and every cut path,
// decoded.
//
// Read next: profiler/decode.cpp (in the terms of the source), profiler/flow_check.cpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "profiler/function_record.h"

namespace mangata {

/// Counters that are not zero, by key, ascending.
using CounterList = std::vector<std::pair<uint64_t, uint64_t>>;

/// Those of a function at one moment, or the growth between two.
struct CounterLists {
  CounterList paths;                 ///< by number or hashed id
  std::vector<CounterList> windows;  ///< per loop with k >= 2, by slot
};

CounterLists counters_of(const PathCounters& counters);

struct CountedFlow {
  numbering::FlowPath path;
  uint64_t count = 0;  ///< completed executions
  double nanoseconds = 0;    ///< of all executions, estimated (profiler/path_times.h)
  Allocated allocated = {};  ///< by all executions, where that is counted; not of a cut path
  int32_t cut_pc = -1;  ///< of a cut path: the instruction that was running
};

struct CountedFlows {
  std::vector<CountedFlow> paths;                 ///< of the function's own table
  std::vector<std::vector<CountedFlow>> windows;  ///< per loop with k >= 2
  std::vector<CountedFlow> cuts;  ///< paths that were left in the middle
  std::string problem;  ///< not empty: some counter or cut is on no path, which is a bug
};

/// Those that end where a loop goes back, by that loop: of the function's own table first.
class FlowsByLoop {
 public:
  explicit FlowsByLoop(const CountedFlows& flows);
  /// Empty for a loop whose backedges were never taken.
  const std::vector<const CountedFlow*>& of(numbering::LoopId loop) const {
    static const std::vector<const CountedFlow*> kNone;
    return loop.index() < flows_.size() ? flows_[loop.index()] : kNone;
  }

 private:
  void add(const std::vector<CountedFlow>& flows);
  std::vector<std::vector<const CountedFlow*>> flows_;
};

CountedFlows counted_flows(const FunctionRecord& record);

/// The same, but of these counters of it.
CountedFlows counted_flows(const FunctionRecord& record, const CounterLists& counters);

/// The same of some of its counts, without what was cut off.
CountedFlows flows_of(const FunctionRecord& record, const CounterLists& counters);

/// The edges of each iteration of `loop` on the path, oldest first, without backedges. The first begins at
/// the loop's head, the last is the one in which the path ends.
std::vector<std::vector<numbering::EdgeId>> iterations_on(const FunctionRecord& record,
                                                          const numbering::FlowPath& path,
                                                          numbering::LoopId loop);

}  // namespace mangata
