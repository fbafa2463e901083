#include "profiler/report_pprof.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <vector>

#include "profiler/model/views.h"
#include "profiler/report.h"
#include "profiler/report_frames.h"
#include "profiler/report_gzip.h"
#include "profiler/report_pprof_message.h"
#include "profiler/selection.h"

namespace mangata {
namespace {

/// Since 1970; of the first of several runs; 0: not known.
uint64_t start_of(const std::vector<RunInfo>& runs) {
  uint64_t first = 0;
  for (const RunInfo& run : runs) {
    int year = 0, hour = 0, minute = 0, second = 0;
    unsigned month = 0, day = 0;
    if (std::sscanf(run.date.c_str(), "%d-%u-%uT%d:%d:%dZ", &year, &month, &day, &hour, &minute, &second) != 6) continue;
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    if (!date.ok() || year < 1970 || year > 2200) continue;
    const std::chrono::nanoseconds since = std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hour) +
                                           std::chrono::minutes(minute) + std::chrono::seconds(second);
    const auto start = static_cast<uint64_t>(std::max<int64_t>(since.count(), 0));
    first = first == 0 ? start : std::min(first, start);
  }
  return first;
}

void add_stacks(const TimeProfile& time, PprofMessage& message) {
  std::vector<PprofFunction> functions;
  for (const FrameSymbol& symbol : time.symbols) functions.push_back(message.function(symbol));
  PprofValues values;
  std::vector<PprofLocation> locations;
  for (const StackSample& stack : time.stacks) {
    if (stack.frames.empty()) continue;
    locations.clear();
    for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
      locations.push_back(message.location(functions[frame->symbol], frame->line));
    }
    if (stack.is_shortened) locations.push_back(message.location(message.function(kMoreFrames), 0));
    values[PprofValue::Samples] = stack.samples;
    values[PprofValue::Cpu] = stack.nanoseconds;
    message.add_sample(locations, values);
  }
  if (time.invalid_samples == 0) return;
  values[PprofValue::Samples] = time.invalid_samples;
  values[PprofValue::Cpu] = time.invalid_ns;
  message.add_sample({{message.location(message.function("[invalid samples]"), 0)}}, values);
}

PprofValues values_of(const Cost& cost) {
  PprofValues values;
  values[PprofValue::Paths] = cost.count;
  values[PprofValue::Bytecodes] = cost.bytecodes;
  values[PprofValue::AllocatedBytes] = cost.allocated_bytes;
  values[PprofValue::AllocatedObjects] = cost.allocated_objects;
  return values;
}

/// What names a path in labels. Descriptions leave out the middle of long paths: those that are then the same also have their keys.
class PathNames {
 public:
  std::string name(const FunctionProfile& function, const Path& path) {
    std::string text = one_line(describe_place(function) + " " + describe(path, function.crowded_lines));
    if (!taken_.insert(text).second) text += " [" + one_line(path.key) + "]";
    return text;
  }

 private:
  std::set<std::string> taken_;
};

void add_paths(const PathProfile& profile, const ReportOptions& options, PprofMessage& message) {
  std::set<const PathCount*> shown;
  PathNames names;
  const Selection selection = select_paths(profile, options, /*default_top=*/0);
  for (const SelectedPath& selected : selection.paths) {
    const FunctionProfile& function = *selected.function;
    const FrameSymbol symbol = frame_symbol_of(function);
    const Path& path = selected.path->path;
    const int32_t line = path.start != PathStart::Entry && path.start_line > 0 ? path.start_line : frame_line(symbol);
    message.add_sample({{message.location(message.function(symbol), line)}}, values_of(cost_of(*selected.path)), names.name(function, path));
    shown.insert(selected.path);
  }
  for (const FunctionProfile& function : profile.functions) {
    Cost rest;
    for_each_path(function, [&](const PathCount& path, const LoopProfile*) {
      if (!shown.contains(&path)) rest += cost_of(path);
    });
    const PprofValues values = values_of(rest);
    const FrameSymbol symbol = frame_symbol_of(function);
    if (!values.is_zero()) message.add_sample({{message.location(message.function(symbol), frame_line(symbol))}}, values);
  }
}

void add_comments(const RunProfile& profile, PprofMessage& message) {
  for (const RunInfo& run : profile.runs) {
    std::string command = "Mangata " + run.version + ":";
    for (const std::string& word : run.command_line) command += " " + word;
    message.add_comment(one_line(command));
  }
  const std::string counts = profile.paths.is_estimate ? "Counts, estimates scaled up from samples" : "Exact counts";
  message.add_comment(counts + " (paths, bytecodes, alloc_*) come without a call stack: their stack is the function alone,");
  message.add_comment("their line is where the path begins, and the path is the label `path`. samples and cpu have call stacks.");
  if (!profile.time || profile.time->samples == 0) message.add_comment("Processor time was not sampled: samples and cpu are 0.");
  if (!profile.has_allocations) message.add_comment("Allocations were not counted (--profile-alloc): alloc_space and alloc_objects are 0.");
  if (const LeftOutPaths& left_out = profile.paths.left_out; left_out.paths != 0) {
    message.add_comment("The rarest paths are left out (--profile-max-memory); they ran " + std::to_string(left_out.executions) + " times.");
  }
}

}  // namespace

std::string write_pprof_report(const RunProfile& profile, const ReportOptions& options) {
  const bool is_timed = profile.time && profile.time->samples != 0;
  const bool has_program = !profile.runs.empty() && !profile.runs[0].command_line.empty();
  PprofMessage message(one_line(has_program ? profile.runs[0].command_line[0] : "mangata"));
  message.set_run(start_of(profile.runs), is_timed ? profile.time->wall_ns : 0, is_timed ? profile.time->mean_period_ns : 0,
                  is_timed ? PprofValue::Cpu : PprofValue::Paths);
  if (is_timed) add_stacks(*profile.time, message);
  add_paths(profile.paths, options, message);
  add_comments(profile, message);
  return gzipped(message.finish());
}

}  // namespace mangata
