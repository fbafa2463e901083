// Follows decisions: has functions compiled, installs versions of the bytecode that count paths, and sets when to ask again.
//
// The parts that it connects: Asker (who asks the policy), SnapshotBuilder (what the policy is shown), PlanInstaller (what is counted),
// RegionScheduler (optimized code), MachineCode (baseline code), RegionReports and DecisionLog (what is told of it all).
// Without machine code (another processor, no executable memory, --policy=interpreter) it does nothing: the interpreter runs
// everything. While exact profiles are asked for, policies decide about machine code only, and optimized code counts, too.
// Read next: runtime/tiering/README.md (the path of control), policy_abi.h, vm/tier_hooks.h (what it hears).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "profiler/sampled_profiler.h"
#include "runtime/lib/jit_library.h"
#include "runtime/tiering/asker.h"
#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/event_clock.h"
#include "runtime/tiering/function_table.h"
#include "runtime/tiering/machine_code.h"
#include "runtime/tiering/plan_installer.h"
#include "runtime/tiering/region_reports.h"
#include "runtime/tiering/region_scheduler.h"
#include "runtime/tiering/snapshot_builder.h"
#include "runtime/tiering/stopwatch.h"
#include "runtime/tiering/tier_settings.h"
#include "vm/vm.h"

namespace mangata {

class TierManager : public TierControl {
 public:
  /// The machine must outlive it.
  TierManager(Vm& vm, const TierSettings& settings);
  ~TierManager() override;

  // What TierHooks reports (vm/tier_hooks.h)
  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void function_is_hot(Proto& proto);
  void loop_is_hot(Proto& proto);
  void sample_is_due(Proto& proto, int32_t events);
  void region_is_left(Proto& proto);
  void recording_ended(Proto& proto);

  /// The program ends, and its functions are still there.
  void program_ends();
  /// The program has ended: the last line of the log. Once.
  void finish();

  /// Compiles `proto` and returns the text of its machine code (--dump=asm). Empty: *error says why there is none.
  std::optional<std::string> dump_machine_code(Proto& proto, std::string* error);
  /// From now on regions count events (Vm::region_fuel); those that do not are invalidated.
  void count_events_in_regions() {
    if (regions_ != nullptr) regions_->count_events();
  }
  /// The program has ended, and its machine is about to go.
  void machine_goes() {
    if (code_ != nullptr) code_->close();
  }
  /// Whether any function may be optimized, if that is profitable.
  bool forms_regions() const { return regions_ != nullptr; }

  /// Tells `observer` of all machine code, from before there is any.
  void observe_code(std::unique_ptr<CodeObserver> observer);
  /// Processor time that regions have taken to compile.
  uint64_t compile_thread_nanoseconds() const { return regions_ == nullptr ? 0 : regions_->compile_thread_nanoseconds(); }

  // TierControl: tier_control.cpp
  bool is_on() const override { return code_ != nullptr && functions_.is_on(); }
  std::vector<std::string_view> features() const override;
  void turn(bool on) override;
  void turn(Proto& proto, bool on) override;
  void flush() override;
  void flush(Proto& proto) override;
  State state_of(const Proto& proto) override;

  // Exact counting on request: tier_control.cpp
  /// On: what policies decide to count waits.
  void count_exactly(bool on) {
    counts_exactly_ = on;
    vm_.leave_regions_for(kLeaveToCountPaths, on);
  }
  /// Another version of the code of `proto` is installed: it is compiled if the function was, and frames in
  /// its loops change over.
  void version_changed(Proto& proto);
  /// Installs the version that the policy wanted last.
  void install_sampled_version(Proto& proto);

  /// What policies have had counted; nothing while exact profiles are asked for.
  PathProfile sampled_profile() const { return sampled_.snapshot(); }

 private:
  /// Does what the program has not asked for. [DESIGN] Compilers, policies and recordings need memory that may not be there, and have
  /// faults. No exception crosses machine code or ends the process: here it ends what was to be done, and the function stays in its
  /// tier. (The compile thread has a border of its own: jit/region/compile_thread.h.) False: there was one.
  template <typename Work>
  static bool completes(Work work);

  void enter_regions(const TierSettings& settings);
  void arm_sample();
  void take_sample(Proto& proto, uint64_t events);
  void credit(const Proto& proto, FunctionState& function, uint64_t events, double nanoseconds);

  void ask(Proto& proto, mangata_occasion occasion);
  void follow(Proto& proto, FunctionState& function, const Decision& decision, mangata_occasion occasion, DecisionCost* cost);
  bool compile(Proto& proto, mangata_occasion occasion, DecisionCost* cost);
  void set_countdowns(Proto& proto, const Decision& decision);
  bool is_large(const Proto& proto) const { return proto.original_code.size() > large_; }
  double speed_since_last_line(FunctionState& function) const;

  void start_anew(Proto& proto);
  bool was_interrupted(Proto& proto);

  Vm& vm_;
  std::shared_ptr<Policy> policy_;
  const bool samples_;     ///< policies hear of what machine code does
  const bool profiles_;    ///< and decide what is counted
  const char* const whole_run_;  ///< what is counted from the start to the end: "exact", "edges"; or null
  const size_t large_;           ///< instructions, above which only loops are compiled for what runs in loops
  std::unique_ptr<MachineCode> code_;
  SampledProfiler sampled_;
  DecisionLog log_;
  EventClock clock_;
  Stopwatch running_;
  FunctionTable functions_;
  Asker asker_;
  SnapshotBuilder builder_;
  PlanInstaller plans_;
  RegionReports reports_;
  RegionCompiler* regions_ = nullptr;           ///< of `code_`; null: nothing is optimized
  std::unique_ptr<RegionScheduler> scheduler_;  ///< of these
  std::unique_ptr<LoopMeter> meter_;            ///< --measure-loops
  std::unordered_map<const Proto*, int32_t> interrupted_;  ///< loop countdowns that version_changed() has ended
  int32_t hurries_ = 0;  ///< polls at each backedge and call that are still to come, for frames to change over soon
  bool counts_exactly_ = false;  ///< jit.paths.start()
  bool finished_ = false;
};

}  // namespace mangata
