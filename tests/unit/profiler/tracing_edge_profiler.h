// The judge of the edge profiler: counts every edge that control passes, and compares with what the chords
// say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "profiler/edge_profiler.h"
#include "profiler/edge_record.h"
#include "vm/object/frame.h"

namespace mangata {

class TracingEdgeProfiler : public EdgeProfiler {
 public:
  TracingEdgeProfiler();

  /// Call before EdgeProfiler::path_cut.
  void trace_cut(Proto& proto, const Value* base);

  /// Empty, or the first difference. Call when every call has returned or was cut off.
  std::string compare() const;

  uint64_t traced_edges() const { return traced_edges_; }

 protected:
  void adjust_events(EdgeRecord& record, EdgeCode& events) override;

 private:
  struct Traced {
    std::vector<uint64_t> edges;
    uint64_t calls = 0;
  };
  static void on_trace(PathCounters& counters, const FrameHeader& frame, int64_t value);
  Traced& traced(const EdgeRecord& record);

  std::map<const EdgeRecord*, Traced> traced_;
  uint64_t traced_edges_ = 0;
};

}  // namespace mangata
