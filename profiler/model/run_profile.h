// The profile of one run, or of several merged: what ran, which paths, what they cost, and where time went.
//
// [DESIGN] A profile is function × path × call stack × a vector of values (cost.h). Counts, bytecodes and allocations are exact and per
// path; stacks carry processor time. All views, flat and cumulated, by function, path, line and file, are sums over these two lists
// (views.h), profiles are merged and compared by structural keys (merge.h, diff.h), and nothing here or in the reports knows the virtual
// machine: what can be said while a program ends can be said of a saved profile, by an executable without a machine (profiler/reader).
//
// Functions are the same in two profiles of one program when id, source, line and (if noted) column are; what compares programs goes by id, the hash of a
// function's code, and by the key of a path (profiler/JSON.md).
//
// Read next: profiler/path_profile.h, profiler/model/time_profile.h, profiler/model/views.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/model/time_profile.h"
#include "profiler/path_profile.h"

namespace mangata {

/// How a profile came about.
struct RunInfo {
  std::vector<std::string> command_line;  ///< the program and its arguments, as given
  std::string version;             ///< of Mangata
  std::string date;                ///< of the start, UTC: "2026-11-24T10:00:00Z"
  std::string policy;              ///< as --policy= takes it
  std::optional<int> exit_status;  ///< empty: the program was still running, or it is not known

  friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

struct RunProfile {
  std::vector<RunInfo> runs;  ///< one; several when merged; none when nothing is known of it
  PathProfile paths;  ///< of all runs together
  std::optional<TimeProfile> time;  ///< empty: not measured
  bool has_allocations = false;     ///< of every path
};

}  // namespace mangata
