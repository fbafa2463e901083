// Counts what coverage is computed from: the edges of every function that belongs to a file, or its paths, if these were asked for and are
// few enough. A function stays known when its code is gone, even if it never ran: that is what coverage is about.
//
// Edges follow from paths, so lines and conditions are the same either way.
//
// Read next: profiler/coverage/line_events.h (hits of lines), profiler/coverage/path_coverage.h, profiler/coverage/run_coverage.h (what
// comes out).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "profiler/coverage/run_coverage.h"

namespace mangata {
struct Proto;
struct Value;
}  // namespace mangata

namespace mangata::coverage {

/// Whether chunks of this name are of interest. All others run without counters.
using ChunkFilter = std::function<bool(const std::string& source)>;

class CoverageProfiler {
 public:
  /// `counts_paths`: --coverage-paths.
  explicit CoverageProfiler(ChunkFilter filter, bool counts_paths = false);
  ~CoverageProfiler();

  // What TierHooks reports (vm/tier_hooks.h)
  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void path_cut(Proto& proto, const Value* base);

  /// As EdgeProfiler::snapshot: call when every call has returned or was cut off.
  RunCoverage coverage() const;

 private:
  class Edges;
  class Paths;

  ChunkFilter filter_;
  std::unique_ptr<Edges> edges_;
  std::unique_ptr<Paths> paths_;  ///< null: only edges are counted
};

}  // namespace mangata::coverage
