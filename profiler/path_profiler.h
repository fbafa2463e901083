// Exact counts of the paths that functions take: instruments every function that is made, and reads the
// counters.
//
// [DESIGN] The profiler stands beside the machine: it changes no result, only what the interpreter executes
// besides. A function is instrumented before its first closure exists, so its counts are complete. Three
// things can happen to a path: it is counted when it ends; it is recorded by path_cut when its frame is
// discarded (an error, a closed or abandoned coroutine, the end of the program); or it is still under way.
//
// Read next: profiler/function_record.h, profiler/instrument.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "profiler/path_profile.h"
#include "profiler/profile_options.h"
#include "vm/interpreter/count_table.h"
#include "vm/interpreter/path_clock.h"

namespace mangata {

class BaselineMatch;
struct EdgeCode;
struct FunctionRecord;
struct PathCounters;
struct Proto;
struct Value;

class PathProfiler {
 public:
  explicit PathProfiler(const ProfileOptions& options = {});
  virtual ~PathProfiler();
  PathProfiler(const PathProfiler&) = delete;
  PathProfiler& operator=(const PathProfiler&) = delete;

  // What TierHooks reports (vm/tier_hooks.h)
  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void path_cut(Proto& proto, const Value* base);

  /// `proto`, made at any time before, counts here from its next call on. False: it cannot be numbered.
  bool put_events_in_force(Proto& proto);
  /// All counters are 0 again.
  void reset();

  /// The paths counted so far.
  PathProfile snapshot() const;

  /// With ProfileOptions::cycles; else null.
  PathClock* clock() { return clock_.get(); }

  /// Flow conservation of every function (function_record.h): empty, or what is wrong.
  std::string check(bool all_ended) const;

 protected:
  /// For tests: may add events of kind Trace.
  virtual void adjust_events(FunctionRecord& record, EdgeCode& events);
  /// Paths to be counted through a compact table: those of the baseline, in functions that need one. Virtual for tests.
  virtual std::vector<numbering::PathNumber> interesting_paths(FunctionRecord& record);

 private:
  FunctionRecord* record_of(const Proto& proto);
  FunctionRecord* own_record(const PathCounters* counters) const;

  /// Decodes what there is memory for.
  void decode_all(PathProfile* profile) const;

  ProfileOptions options_;
  CountBudget budget_;
  std::unique_ptr<PathClock> clock_;
  std::unique_ptr<BaselineMatch> baseline_;  ///< null without ProfileOptions::baseline
  std::unordered_map<uint64_t, std::unique_ptr<FunctionRecord>> records_;  ///< by place_hash
};

}  // namespace mangata
