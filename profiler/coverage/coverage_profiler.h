// Counts what coverage is computed from: the edges of every function that belongs to a file. A function stays known when its code is
// gone, even if it never ran: that is what coverage is about.
//
// Read next: profiler/coverage/line_events.h (hits of lines), profiler/coverage/run_coverage.h (what comes out).
#pragma once

#include <functional>
#include <string>

#include "profiler/coverage/run_coverage.h"
#include "profiler/edge_profiler.h"

namespace mangata::coverage {

/// Whether chunks of this name are of interest. All others run without counters.
using ChunkFilter = std::function<bool(const std::string& source)>;

class CoverageProfiler : public EdgeProfiler {
 public:
  explicit CoverageProfiler(ChunkFilter filter) : filter_(std::move(filter)) {}

  /// As EdgeProfiler::snapshot: call when every call has returned or was cut off.
  RunCoverage coverage() const;

 protected:
  std::unique_ptr<EdgeRecord> make_record(FunctionIdentity identity, const Proto& proto) override;
  bool watches(const Proto& proto) const override;
  bool forgets_what_never_ran() const override { return false; }

 private:
  ChunkFilter filter_;
};

}  // namespace mangata::coverage
