// Asks the policy about functions, and does what it says: machine code, versions of the bytecode that count paths, and when to
// ask again.
//
// Without machine code (another processor, no executable memory, --policy=interpreter) it does nothing: the interpreter runs
// everything. While exact profiles are asked for, policies decide about machine code only, and optimized code counts, too.
// Read next: runtime/tiering/policy_abi.h, vm/tier_hooks.h (what it hears), profiler/sampled_profiler.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "profiler/sampled_profiler.h"
#include "runtime/lib/jit_library.h"
#include "runtime/options.h"
#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/machine_code.h"
#include "runtime/tiering/policy.h"
#include "runtime/tiering/stopwatch.h"
#include "vm/vm.h"

namespace mangata {

class TierManager : public TierControl {
 public:
  TierManager(Vm& vm, const Options& options);
  ~TierManager() override;

  // What TierHooks reports (vm/tier_hooks.h)
  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void function_is_hot(Proto& proto);
  void loop_is_hot(Proto& proto);
  void sample_is_due(Proto& proto, int32_t events);
  void region_is_left(Proto& proto);
  void instruction_starts(Thread& thread, Proto& proto, int pc);

  /// The program ends, and its functions are still there.
  void program_ends();
  /// The program has ended: the last line of the log. Once.
  void finish();

  /// Compiles `proto` and returns the text of its machine code (--dump=asm). Empty: *error says why there is none.
  std::optional<std::string> dump_machine_code(Proto& proto, std::string* error);
  /// From now on regions count events (Vm::region_fuel); those that do not are put out of force.
  void count_events_in_regions() {
    if (code_ != nullptr) code_->count_events_in_regions();
  }
  /// Whether any function may be optimized, if it is worth it.
  bool forms_regions() const { return forms_regions_; }

  /// Told of all machine code, from before there is any.
  void observe_code(std::unique_ptr<CodeObserver> observer);
  /// Processor time that regions have taken to compile.
  uint64_t compile_thread_nanoseconds() const { return code_ == nullptr ? 0 : code_->compile_thread_nanoseconds(); }

  // TierControl: tier_control.cpp
  bool is_on() const override { return code_ != nullptr && is_on_; }
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
  /// Another version of the code of `proto` is in force: it is compiled if the function was, and frames in
  /// its loops change over.
  void version_changed(Proto& proto);
  /// The version that the policy wanted last.
  void put_sampled_version_in_force(Proto& proto);

  /// What policies have had counted; nothing while exact profiles are asked for.
  PathProfile sampled_profile() const { return sampled_.snapshot(); }

 private:
  /// What is known of a function that was asked about.
  struct Function {
    Decision decision = {};  ///< the last one
    uint32_t asked = 0;
    uint32_t versions = 0;
    SamplingPlan plan;       ///< in force
    uint64_t credit = 0;     ///< events in machine code since the last decision
    SampledFunction* sampled = nullptr;
    uint32_t generation = 0;  ///< of preferred paths
    bool is_off = false;      ///< jit.off(function)
    uint32_t regions_dropped = 0;
    bool was_recorded = false;         ///< to be optimized
    uint64_t worth_after = 0;          ///< calls and backedges from which a region pays that was asked for; 0: there is none
    uint64_t asked_at_clock = 0;       ///< when the log was written last
    double asked_at_milliseconds = 0;
  };

  /// Does what the program has not asked for. [DESIGN] Compilers, policies and recordings need memory that may not be there, and have
  /// faults. No exception crosses machine code or ends the process: here it ends what was to be done, and the function stays in its
  /// tier. (The compile thread has a border of its own: jit/region/compile_thread.h.) False: there was one.
  template <typename Work>
  static bool completes(Work work);

  static int32_t countdown(int32_t wanted) { return wanted < 0 ? MANGATA_NEVER : wanted; }

  std::vector<LoopPaths> counted_paths(const Proto& proto, const Function& function) const;
  void take_up_regions();
  /// What became of a request: when it is to be made again, and a line of the log.
  void note_region(const MachineCode::RegionResult& result);
  void log_region(const MachineCode::RegionResult& result);
  template <typename Record>
  void name(const Proto& proto, Record* record);
  void record_callers(Proto& proto);
  void record_if_worth(Proto& proto, Function* function);
  void dump_region(const MachineCode::RegionResult& result);
  void take_sample(Proto& proto, int32_t events);
  void ask(Proto& proto, mangata_occasion occasion);
  void record(Thread& thread, Proto& proto, int pc);
  bool is_large(const Proto& proto) const { return proto.original_code.size() > large_; }
  bool may_compile(const Function& function) const { return is_on_ && !function.is_off; }
  void start_anew(Proto& proto);
  bool was_interrupted(Proto& proto);
  void set_first_countdowns(Proto& proto);
  void arm_sample();
  void watch_regions(Proto& proto, Function* function);
  void drop_regions(Proto& proto, Function* function);
  double time_passed(uint64_t events);
  void count_events(const Proto& proto, Function& function, uint64_t events, double nanoseconds);
  uint64_t events_before(const Function& function, mangata_occasion occasion) const;
  void apply(Proto& proto, Function& function, const Decision& decision, mangata_occasion occasion, DecisionCost* cost);
  bool compile(Proto& proto, mangata_occasion occasion, DecisionCost* cost);
  void set_countdowns(Proto& proto, const Decision& decision);
  double speed_since_last_decision(Function& function) const;
  void change_plan(Proto& proto, Function& function, const Decision& decision);
  SamplingPlan plan_of(Function& function, const Decision& decision) const;

  Vm& vm_;
  std::shared_ptr<Policy> policy_;
  const bool samples_;     ///< policies hear of what machine code does
  const bool profiles_;    ///< and decide what is counted
  const bool describes_;   ///< snapshots have names
  std::unique_ptr<MachineCode> code_;
  SampledProfiler sampled_;
  DecisionLog log_;
  std::unordered_map<const Proto*, Function> functions_;
  std::unordered_map<const Proto*, int32_t> interrupted_;  ///< loop countdowns that version_changed() has ended
  uint64_t clock_ = 0;
  Stopwatch running_;
  double sampled_at_ = 0;       ///< milliseconds, by that
  uint64_t rounds_at_sample_ = 0;  ///< of all regions
  RunSoFar outside_regions_;       ///< samples between which hardly a region ran
  bool is_repeatable_ = false;  ///< no decision depends on time
  bool finished_ = false;
  uint64_t random_ = 0;  ///< of the distances between samples
  int32_t hurries_ = 0;  ///< polls at each backedge and call that are still to come, for frames to change over soon
  bool forms_regions_ = false;
  std::unique_ptr<LoopMeter> meter_;  ///< --measure-loops
  const bool dumps_regions_;     ///< --dump=region, --dump=ir
  OutputFile dump_;
  bool is_on_ = true;            ///< jit.off()
  bool counts_exactly_ = false;  ///< jit.paths.start()
  const size_t large_;           ///< instructions, above which only loops are compiled for what runs in loops
  const char* const whole_run_;  ///< what is counted from the start to the end: "exact", "edges"; or null
  const bool counts_paths_;      ///< it is paths
};

}  // namespace mangata
