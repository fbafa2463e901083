// The judge of the path profiler: records every edge that control passes, cuts the record into paths by
// definition, and compares how often each path occurred. It uses the graph and the loops (with the k of
// each), nothing of the numbering.
//
// The definition for a stay of n iterations in a loop with k >= 2: when n > k, the path that entered the loop
// is counted with the first k iterations, then every k consecutive iterations from the second to the last but
// one, and the path that leaves begins with the last but k-1. When n <= k, the path that entered goes on.
//
// Invariant: a path under way is in exactly one activation; it leaves it by ending, by being cut off, or the
// check fails.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "profiler/function_record.h"
#include "profiler/instrument.h"
#include "profiler/path_profiler.h"
#include "vm/object/frame.h"

namespace mangata {

/// How a path begins, the edges it takes, how it ends.
struct TracedPath {
  uint32_t begin = 0;  ///< 0: the entry; else 1 + LoopId
  std::vector<uint32_t> edges;
  uint32_t end = 0;  ///< 0: the exit; else 1 + LoopId; kInFlight
  static constexpr uint32_t kInFlight = UINT32_MAX;
  friend auto operator<=>(const TracedPath&, const TracedPath&) = default;
};

using TracedCounts = std::map<TracedPath, uint64_t>;

class TracingProfiler : public PathProfiler {
 public:
  /// `preferential`: in every function some paths that have nothing in common are interesting.
  explicit TracingProfiler(const ProfileOptions& options = {}, bool preferential = false);

  /// Call before PathProfiler::path_cut.
  void trace_cut(Proto& proto, const Value* base);

  /// Compares the counts of both; empty, or the first difference. Call when every path has ended or was cut
  /// off.
  std::string compare();

  uint64_t traced_paths() const { return traced_paths_; }
  uint64_t traced_edges() const { return traced_edges_; }

 protected:
  void adjust_events(FunctionRecord& record, EdgeCode& events) override;
  std::vector<numbering::PathNumber> interesting_paths(FunctionRecord& record) override;

 private:
  struct Activation {
    FunctionRecord* record = nullptr;
    TracedPath path;
    TracedPath last;                ///< the path that ended at the exit
    bool is_open = false;           ///< has not left the function
    uint32_t block = 0;             ///< where control is
    numbering::LoopId stay;         ///< the loop with k >= 2 around it
    unsigned completed = 0;         ///< iterations, in this stay
    std::vector<size_t> backedges;  ///< of this stay, on `path`: how many edges up to and with each
  };
  struct Traced {
    std::vector<numbering::LoopId> k_loop_at;  ///< per block: the loop with k >= 2 around it
    TracedCounts completed;
    TracedCounts cut;
  };

  static void on_trace(PathCounters& counters, const FrameHeader& frame, int64_t value);
  void enter(FunctionRecord& record, const FrameHeader& frame);
  void take(FunctionRecord& record, const FrameHeader& frame, uint32_t edge);
  void complete_iteration(Traced& traced, Activation& activation, uint32_t backedge);
  static void enter_stay(const Traced& traced, Activation& activation);
  static std::string compare(const FunctionRecord& record, const Traced& traced);
  void fail(const std::string& what);

  std::map<FunctionRecord*, Traced> traced_;
  std::map<const FrameHeader*, Activation> activations_;
  uint64_t traced_paths_ = 0;
  uint64_t traced_edges_ = 0;
  bool preferential_ = false;
  std::string failure_;
};

}  // namespace mangata
