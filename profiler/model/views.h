// Views of a profile: its costs by function, by line, and by file.
//
// Invariant: what something cost itself is in exactly one row, so that rows add up to the whole. What it cost with all it called is
// counted once per stack, however often the function stands in it; callers that a tail call has replaced are in no stack; what a coroutine
// runs is below the function that resumed it; finalizers are below the row `[finalizer]`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/model/cost.h"
#include "profiler/model/run_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// So many samples order functions.
inline constexpr uint64_t kEnoughSamples = 500;

/// Time if it was measured with enough samples, else bytecodes; any other weight is as it is.
ReportWeight effective_weight(ReportWeight weight, const RunProfile& profile);
uint64_t value_of(const Cost& cost, ReportWeight weight);

/// The exact and estimated costs of one path. Its time is without what it called.
Cost cost_of(const PathCount& path);

/// Calls visit(path, loop) for every completed path of a function; `loop` is that of a window, else null.
template <class Visit>
void for_each_path(const FunctionProfile& function, Visit visit) {
  for (const PathCount& path : function.paths) visit(path, static_cast<const LoopProfile*>(nullptr));
  for (const LoopProfile& loop : function.loops) {
    for (const PathCount& path : loop.windows) visit(path, &loop);
  }
}

/// Where a function that reports name stands: "file.lua:30".
std::string place_of(std::string_view file, int32_t line_defined, int32_t column_defined);
/// "[C]" for native functions, "" for what is none.
std::string place_of(const FrameSymbol& symbol);
/// "pcall", "[collector]": what reports call it.
std::string name_of(const FrameSymbol& symbol);

struct FunctionRow {
  FrameKind kind = FrameKind::Lua;
  std::string name;  ///< as name_of says
  std::string file;                           ///< "[C]" of native functions
  std::string place;                          ///< "file.lua:30"
  const FunctionProfile* function = nullptr;  ///< null: it is only in stacks
  uint64_t paths = 0;                         ///< completed
  Cost self = {};                             ///< count is that of its calls
  Cost total = {};                                 ///< with what it called: time and samples only
};

/// One row per function, native function, and thing that is none (collector, ...), in no particular order. Without stacks, only Lua functions.
/// @param row_of_symbol  if given: for each symbol of the stacks, the index of its row
std::vector<FunctionRow> by_function(const RunProfile& profile, std::vector<size_t>* row_of_symbol = nullptr);
/// Costliest first; rows of equal cost as they stood.
/// What makes the row hot, itself; Count: its paths.
uint64_t value_of(const FunctionRow& row, ReportWeight weight);
void sort_rows(std::vector<FunctionRow>& rows, ReportWeight weight);

/// Of one function. `count` is how often paths through the line were completed.
struct LineRow {
  Cost self;  ///< of the line itself
  uint64_t total_ns = 0;  ///< with what it called, once per stack
};
std::map<int32_t, LineRow> by_line(const RunProfile& profile, const FunctionProfile& function);

/// Sums of the rows of one file each, costliest first by `weight`.
struct FileRow {
  std::string file;  ///< as FunctionProfile::file
  uint64_t value = 0;  ///< sum of value_of(row, weight)
  size_t functions = 0;  ///< that stand in it
  Cost self;  ///< of these, added up
};
std::vector<FileRow> by_file(const std::vector<FunctionRow>& rows, ReportWeight weight);

Cost sum_of(const std::vector<FunctionRow>& rows);
uint64_t total_of(const std::vector<FunctionRow>& rows, ReportWeight weight);

/// Of the share of `samples` in `total`, in percent of `total`: samples are taken to fall independently.
double standard_error_percent(uint64_t samples, uint64_t total);

}  // namespace mangata
