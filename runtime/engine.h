// The whole pipeline on one screen: a virtual machine with its libraries and, when asked for, its path profiler.
//
// source -> compile (vm/frontend) -> Proto -> [instrument (profiler): Cfg -> FlowGraph -> numbering -> plan -> events]
// -> run (vm/interpreter) -> counters -> snapshot -> report (profiler)
//
// Meanwhile, of what is hot: calls, backedges and paths counted -> policy (runtime/tiering) -> machine code (jit/baseline) -> paths, and
// types recorded in the interpreter (jit/region) -> region: optimized code (jit/optimizer, a thread of its own) -> installed. A guess that
// fails is a side exit: frames are made, baseline code goes on, and when that is frequent the policy is asked again.
//
// [DESIGN] The virtual machine knows nothing of profiling or tiers; it tells TierHooks when a function is made, dies, or is
// left in mid-path. Engine implements these hooks and decides what happens. Read next: vm/vm.h, profiler/path_profiler.h,
// runtime/tiering/policy.h.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "profiler/loaded_texts.h"
#include "profiler/model/run_profile.h"
#include "runtime/lib/exit_status.h"
#include "runtime/options/options.h"
#include "vm/vm.h"

namespace mangata {

class CoverageSession;
class EdgeProfiler;
class PathProfiler;
class PathAllocations;
class PathSession;
class TierManager;
class TimeSampler;

class Engine : public TierHooks, public ProgramOutputs {
 public:
  /// Opens the machine, with the tiers and profilers that the options ask for.
  explicit Engine(const Options& options);
  ~Engine() override;

  Vm& vm() { return *vm_; }
  TierManager& tiers() { return *tiers_; }
  PathSession& paths() { return *session_; }

  /// Ends the program: closes the machine (finalizers run), then writes the profile. Once.
  void close();

  /// Writes the profile to its file or to stderr, when one was asked for and none has been written yet.
  void write_profile();
  /// At a safepoint: the same of what has been counted so far, again and again. Paths under way are not in it.
  void write_snapshot();
  /// Whether all that options asked for could be written so far. What could not has been told on stderr.
  bool are_whole() const { return !options_.log.errors->any(); }
  int exit_code(int code) const override;

  void ends_with(int status) override { run_.exit_status = status; }
  /// Of the run: what profiles say of how they came about. Without a command line they say nothing.
  void describe_run(RunInfo run) { run_ = std::move(run); }

  // TierHooks
  bool text_compiling(std::string_view text, std::string_view chunk_name) override;
  void proto_created(Proto& proto) override;
  void proto_destroyed(Proto& proto) override;
  void path_cut(Proto& proto, const Value* base) override;
  void function_is_hot(Proto& proto) override;
  void loop_is_hot(Proto& proto) override;
  void sample_is_due(Proto& proto, int32_t events) override;
  void region_is_left(Proto& proto) override;
  void events_interpreted() override;
  void recording_ended(Proto& proto) override;
  void process_exiting(Vm& vm) override;

  /// Where processor time has gone; empty: it is not sampled.
  std::optional<TimeProfile> time_profile() const;

 private:
  void count_allocations(PathAllocations& allocations);
  void start_sampling();
  void stop_sampling();
  bool has_to_report() const { return options_.reports() && !options_.only_dumps() && !profile_written_; }
  RunProfile profile_of_paths();
  void write_stacks_file(const RunProfile& profile);
  void report();

  const Options& options_;
  std::unique_ptr<PathProfiler> profiler_;      ///< null when paths are not profiled
  std::unique_ptr<EdgeProfiler> edge_profiler_;  ///< null when edges are not profiled
  std::unique_ptr<CoverageSession> coverage_;    ///< null without --coverage
  std::unique_ptr<Vm> vm_;
  Vm* machine_;  ///< the same, also while it is destroyed
  std::unique_ptr<TimeSampler> sampler_;         ///< null unless processor time is sampled
  std::unique_ptr<TierManager> tiers_;
  std::unique_ptr<PathSession> session_;  ///< of jit.paths
  LoadedTexts texts_;
  RunInfo run_;
  bool profile_written_ = false;
};

}  // namespace mangata
