// What tiering wants of optimized code: recorded, compiled, installed, watched. The JIT implements it (machine_code.cpp), tests fake it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jit/region/region_outcome.h"
#include "profiler/loop_paths.h"
#include "profiler/run_so_far.h"
#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/snapshot.h"

namespace mangata {

struct Proto;

using jit::RegionOutcome;

class RegionCompiler {
 public:
  virtual ~RegionCompiler() = default;

  /// So many calls and backedges have happened in machine code, the last in `proto`: a recording that rests may go on.
  virtual void events_happened(Proto& proto, uint64_t count) = 0;
  /// Calls and backedges of `proto` after which a region of it may be profitable; 0: it may be now.
  virtual uint64_t profitable_after(const Proto& proto, const RunSoFar& so_far) const = 0;
  /// mangata_compiler: of regions of `proto` that are made from now on, as far as --opt-compiler lets it.
  virtual void choose_compiler(const Proto& proto, uint32_t compiler) = 0;
  /// Records the running thread, for a region of `proto`, now or soon. False: there will be none.
  virtual bool start_recording(Proto& proto) = 0;
  /// Forgets what is being recorded, or was and is not asked for.
  virtual void give_up_recording() = 0;
  /// Compiles loops of `proto`, or all of it, by what was recorded and counted. Outcomes only of what is refused; otherwise see finished().
  virtual std::vector<RegionOutcome> request(Proto& proto, const std::vector<LoopPaths>& counted, const RunSoFar& so_far) = 0;
  /// Installs regions that have been compiled meanwhile.
  virtual std::vector<RegionOutcome> finished() = 0;
  /// Invalidates a region of `proto` that is left too often; what is in the way then.
  virtual std::optional<RegionOutcome> watch(Proto& proto) = 0;
  /// Invalidates all regions of `proto`, and makes none until it is recorded again. What has gone or will not come.
  virtual std::vector<RegionOutcome> drop(Proto& proto) = 0;
  /// A function with regions, another one each time; null: there is none.
  virtual Proto* next_with_regions() = 0;
  /// Iterations and calls in all regions so far.
  virtual uint64_t iterations() const = 0;

  /// Adds the regions of `proto`. `has_times`: also how long they took to compile.
  virtual void describe(const Proto& proto, bool has_times, Snapshot* snapshot) const = 0;
  /// Of all regions of functions that are still there; without their functions' names.
  virtual std::vector<ExitsRecord> exits() const = 0;
  /// `baseline_cycles`: for an iteration of a function's loops; 0: not known.
  virtual std::string describe_exits(bool has_costs, const std::function<double(const Proto&)>& baseline_cycles) const = 0;
  /// Processor time of regions that came, on the thread that compiles them.
  virtual uint64_t compile_thread_nanoseconds() const = 0;

  /// Regions made from now on count events; those that are installed do, or are invalidated, and made anew from what is recorded again.
  virtual void count_events() = 0;
};

}  // namespace mangata
