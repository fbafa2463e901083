// Profiles for `go tool pprof` and what reads its files: profile.proto, compressed.
//
// [DESIGN] Stacks carry sampled processor time, and paths carry exact counts that no stack belongs to. So there are two kinds of samples:
// those of stacks have `samples` and `cpu`; those of paths have all other values, with the function alone as their stack and the path as
// the label `path`. A path as the innermost frame would leave every function with nothing of its own. The line of such a sample is that
// where the path begins.
#pragma once

#include <string>

#include "profiler/model/run_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// Totals are of everything that ran: paths that the options hide are without label. Differences and merges are pprof's own.
std::string write_pprof_report(const RunProfile& profile, const ReportOptions& options);

}  // namespace mangata
