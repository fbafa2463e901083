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

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "profiler/path_profile.h"
#include "profiler/profile_options.h"
#include "vm/interpreter/count_table.h"
#include "vm/interpreter/path_allocations.h"

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

  /// The program may be stopped at any time: numbering of a function is given up where `stop` is set, and what has more instructions than
  /// that is not numbered.
  void limit(const std::atomic<bool>& stop, size_t most_instructions) {
    stop_ = &stop;
    most_instructions_ = most_instructions;
  }

  // What TierHooks reports (vm/tier_hooks.h)
  /// False: the program is to stop (limit()). Nothing has changed, and it may be called again.
  bool proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void path_cut(Proto& proto, const Value* base);

  /// `proto`, made at any time before, counts here from its next call on. False: it cannot be numbered.
  bool install_counting_version(Proto& proto);
  /// What is kept of functions, roughly; and what numbering `proto` may take, beside that.
  size_t memory_bytes() const { return memory_bytes_; }
  size_t bytes_to_number(const Proto& proto) const;
  /// All counters are 0 again.
  void reset();

  /// The paths counted so far. `times`: where processor time was spent, by FunctionIdentity::key and pc; null: that was not measured.
  PathProfile snapshot(const std::unordered_map<uint64_t, std::map<int32_t, uint64_t>>* times = nullptr) const;

  /// With ProfileOptions::allocations; else null. To be attached to the heap.
  PathAllocations* allocations() { return allocations_.get(); }

  /// Flow conservation of every function (function_record.h): empty, or what is wrong.
  std::string check(bool all_ended) const;

 protected:
  /// For tests: may add events of kind Trace.
  virtual void adjust_events(FunctionRecord& record, EdgeCode& events);
  /// Paths to be counted through a compact table: those of the baseline, in functions that need one. Virtual for tests.
  virtual std::vector<numbering::PathNumber> interesting_paths(FunctionRecord& record);

  void for_each_record(const std::function<void(const FunctionRecord&)>& visit) const;

 private:
  bool is_stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  FunctionRecord* record_of(const Proto& proto);
  bool give_up(FunctionRecord& record);
  void erase(FunctionRecord& record);
  FunctionRecord* own_record(const PathCounters* counters) const;

  /// Decodes what there is memory for.
  void decode_all(const std::unordered_map<uint64_t, std::map<int32_t, uint64_t>>* times, PathProfile* profile) const;

  ProfileOptions options_;
  CountBudget budget_;
  std::unique_ptr<PathAllocations> allocations_;
  std::unique_ptr<BaselineMatch> baseline_;  ///< null without ProfileOptions::baseline
  std::unordered_map<uint64_t, std::unique_ptr<FunctionRecord>> records_;  ///< by place_hash
  size_t memory_bytes_ = 0;
  const std::atomic<bool>* stop_ = nullptr;  ///< null: never
  size_t most_instructions_ = SIZE_MAX;
};

}  // namespace mangata
