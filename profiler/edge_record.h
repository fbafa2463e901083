// What the edge profiler keeps of one function: counters on the chords of a spanning tree of its control
// flow, and where calls ended without returning. Everything else is derived.
//
// Read next: numbering/edge_profile.h, profiler/edge_profiler.h.
#pragma once

#include <map>
#include <vector>

#include "numbering/edge_profile.h"
#include "profiler/edge_profile.h"
#include "profiler/profiled_function.h"

namespace mangata {

struct EdgeRecord : ProfiledFunction {
  /// Makes the numbering and the counters, all 0.
  EdgeRecord(FunctionIdentity identity, FunctionShape function_shape);
  virtual ~EdgeRecord() = default;  ///< coverage derives its records

  numbering::EdgeProfilePlan plan;
  std::map<int32_t, uint64_t> left_at;  ///< calls that ended without returning, by the instruction that ran

  /// The same per block.
  std::vector<uint64_t> left() const;

  /// Every finished call passes a counter, because the edge from the exit back to the entry is in the tree.
  bool has_run() const;
};

/// One CountEdge per chord.
EdgeCode edge_code(const EdgeRecord& record);

/// A call ended at `place`. If the edge into the exit has been counted already, that is taken back.
void record_left(EdgeRecord& record, FramePlace place);

/// Every edge of the graph. errors: a count contradicts another, which is a bug once every call has ended.
numbering::Result<numbering::EdgeCounts> edge_counts(const EdgeRecord& record);

/// In the terms of the source; nothing when edge_counts fails.
FunctionEdgeProfile decode(const EdgeRecord& record);

}  // namespace mangata
