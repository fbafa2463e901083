// Regions of one machine: recorded, formed, compiled, installed.
//
// [DESIGN] A request goes through three states. *Recording*: the thread runs in the interpreter for a few
// thousand instructions (type_recorder.h), in slices with rests between them, for what follows each other is alike. *Forming*: on the program's thread, everything the compiler needs
// is copied, and what its code will refer to is pinned by the Proto. *Compiling*: from the copy alone. Then
// the loop's entry in baseline code points to the region.
//
// Read next: region_input.h, optimizer.h, jit/driver/jit.h.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "jit/driver/jit.h"
#include "jit/region/compile_thread.h"
#include "jit/region/lessons.h"
#include "jit/region/loop_contexts.h"
#include "jit/region/loop_facts.h"
#include "jit/region/region_budget.h"
#include "jit/region/region_ledger.h"
#include "jit/region/region_settings.h"
#include "jit/region/snapshot_function.h"
#include "jit/region/type_recorder.h"
#include "profiler/loop_paths.h"
#include "vm/random_sequence.h"
#include "vm/vm.h"

namespace mangata::jit {

class RegionBuilder : public InstructionRecorder {
 public:
  /// @param quick  compiles regions at once, on the program's thread; null: all wait for the optimizer
  RegionBuilder(Vm& vm, Jit& jit, const RegionSettings& settings, std::unique_ptr<Optimizer> quick = nullptr)
      : vm_(vm), jit_(jit), settings_(settings), quick_(std::move(quick)) {
    vm.recorder = this;
    jit.enter_regions();
    if (settings.measures_loops) jit.measure_loops();
  }
  ~RegionBuilder() override;

  /// Whether a region of `proto` may be worth what it costs, recording included, by what is known of it. 0: it may; otherwise it is
  /// to be asked about again after so many of its calls and backedges. Forms nothing.
  uint64_t profitable_after(const Proto& proto, const RunSoFar& so_far) const;
  /// What makes regions of `proto` from now on, where the settings leave the choice.
  void choose_compiler(const Proto& proto, Compilers compilers);
  /// The running thread is recorded from its next instruction in the interpreter on, or when what is being recorded is done. False:
  /// regions cannot be made.
  bool start_recording(Proto& proto);
  /// So many calls and backedges have happened in machine code, the last in `proto`: a recording that rests or waits may go on, and
  /// regions that nobody can be in any more are freed. At a safepoint.
  void events_happened(Proto& proto, uint64_t count);
  /// Calls TierHooks::recording_ended when what was to be recorded has been. Without memory for it there is no recording.
  void instruction_starts(Thread& thread, Proto& proto, OriginalPc pc) noexcept override;
  /// What is being recorded, or was and is not asked for, is forgotten.
  void give_up_recording() {
    recording_ = nullptr;
    recorded_ = nullptr;
  }
  /// With what was recorded last. Outcomes of what failed at once; finished() will have the others.
  std::vector<RegionOutcome> request(Proto& proto, const std::vector<LoopPaths>& counted, const RunSoFar& so_far);
  /// Installs regions that have been compiled meanwhile. At a safepoint.
  std::vector<RegionOutcome> finished();
  /// Whether regions of `proto` are worth having: one that is left by failed checks and rare branches more
  /// often than by its end is uninstalled. An outcome if that has happened; up to a few times, the
  /// function should then be recorded anew.
  std::optional<RegionOutcome> watch(Proto& proto);
  /// All regions of `proto` are uninstalled, and those that are on the way are not made. Outcomes of what has gone or will not
  /// come. What their exits have taught is known when it is recorded again.
  std::vector<RegionOutcome> drop(Proto& proto);
  /// Of all functions with regions, another one each time; null: there are none. One that only ever runs in its region, and is left
  /// while others run, is not among those that are sampled.
  Proto* next_with_regions();
  /// Calls and backedges in all regions so far.
  uint64_t iterations() const;
  /// Processor time of the compile thread, on behalf of this machine.
  double spent_nanoseconds() const { return budget_.spent(); }
  /// Null: none was asked for.
  const std::vector<RegionState>* states(const Proto& proto) const { return ledger_.of(proto); }
  /// From now on: see RegionInput::counts_events. Regions that do not are uninstalled, and recorded anew.
  void count_events();
  void proto_destroyed(Proto& proto);
  struct Made {
    RegionPlace place;
    bool is_installed;
    const RegionCode* code;
  };
  /// All regions of functions that are still there, in the order of functions.
  std::vector<Made> all_made() const;
  /// How often each region was left, and where (exits_text.h). `baseline_cycles`: for an iteration of a function's loops.
  std::string describe_exits(bool has_costs, const std::function<double(const Proto&)>& baseline_cycles) const;

 private:
  /// Returns the function whose recording has ended.
  Proto* record(Thread& thread, Proto& proto, OriginalPc pc);
  void look_at_frame(const Proto& proto);
  double saved_nanoseconds() const;
  /// Of regions that LLVM compiles; otherwise that are compiled at once, if that can be.
  RegionFunds funds(bool by_llvm) const;
  /// Those that its regions are asked of first, and later.
  Compilers compilers_of(const Proto& proto) const;
  bool is_for_llvm_only(const Proto& proto) const { return quick_ == nullptr || compilers_of(proto) == Compilers::Llvm; }
  /// Instructions that are watched before a region of `proto` can be formed.
  uint64_t recorded_for(const Proto& proto) const;
  /// What has to be paid for that.
  double price_of_recording(const Proto& proto) const;
  /// Of the function, in what was recorded before; `recording_` has it then.
  void begin_with_what_is_known(Proto& proto);
  /// What was recorded lately for another function, if it says enough of this one; or null.
  std::shared_ptr<TypeRecorder> seen_lately(const Proto& proto) const;

  /// A region that was not worth it yet.
  struct Postponed {
    RegionBenefit benefit;
    uint64_t instructions = 0;  ///< at least, or as many as have been generated
    size_t inlining_level = 0;  ///< RegionInput::inlining_level
  };
  struct PostponedFunction {
    std::shared_ptr<TypeRecorder> types;
    std::map<std::optional<OriginalPc>, Postponed> regions;  ///< by RegionRoot::loop_pc()
  };

  struct Recording {
    Proto* proto = nullptr;
    Thread* thread = nullptr;
    std::shared_ptr<TypeRecorder> types;
    unsigned slices = 0;      ///< that are done
    bool rests = false;
    uint64_t rest = 0, rested_for = 0;  ///< calls and backedges: that it lasts, and that have passed
    bool is_old = false;      ///< most of it was recorded before
    std::map<std::optional<OriginalPc>, Postponed> postponed;  ///< what was not worth it when this was known
  };
  struct EntryPlace {
    const Instruction* bytecode = nullptr;  ///< whose baseline code leads to the region
    std::optional<CodePc> head = {};        ///< there; none: it is the whole function
  };
  struct Request {
    RegionRoot root;
    EntryPlace entry = {};
    RegionOutcome outcome;
    std::shared_ptr<TypeRecorder> types;
    bool counts_events = false;
    RegionBenefit benefit;
    double price = 0;
    bool is_upgrade = false;  ///< of an interim form that is installed
  };
  /// What is kept of a region that has its interim form.
  struct Upgrade {
    std::unique_ptr<RegionInput> input;  ///< null: it has been handed over
    RegionOutcome outcome;               ///< what is told of the form with contexts
    uint64_t at = 0;                     ///< RegionCode::iterations from which on that is worth its price
    uint64_t look_every = 0;             ///< iterations, while it is being compiled
  };
  struct Region {
    std::unique_ptr<RegionCode> code;
    RegionRoot root;
    EntryPlace entry;
    bool is_installed = false;
    std::shared_ptr<TypeRecorder> types;  ///< what it was made from
    std::optional<Upgrade> upgrade = {};  ///< of an interim form
    bool was_upgraded = false;
    uint64_t outside = 0;  ///< calls and backedges of the function in baseline code since it was installed
  };

  void announce(const Proto& proto, const RegionCode& code);
  /// Nothing runs its code any more.
  void release(RegionCode* code);
  void free_code(RegionCode* code);
  void free_superseded();
  void supersede(Region* region);
  std::optional<RegionOutcome> compile_at_once(Request* request, std::unique_ptr<RegionInput>* input);
  size_t failed_attempts(const Proto& proto, const RegionRoot& root) const;
  /// What the exits of a region say about what it was made from.
  void learn(const Region& region);
  // Interim forms: region_upgrade.cpp
  void begin_interim(Region* region, std::unique_ptr<RegionInput> input, RegionOutcome* outcome) const;
  void upgrade_if_due(Region* region);
  void submit_upgrade(Region* region, double price);
  /// An upgrade of an interim form has failed, which stays.
  RegionOutcome keep_interim(const Request& request, const RegionCode& code);
  void forget_upgrade(const Proto& proto, Region* region);
  /// Its function is recorded from now on with what the region's exits say.
  void uninstall(Proto& proto, Region* region);
  /// What is recorded, or was asked for.
  void cancel(const Proto& proto);
  void forget(const Proto& proto);
  unsigned slice_count() const;
  uint64_t slice_size() const { return settings_.recorded / slice_count(); }
  void pin(Proto& proto, const std::vector<Object*>& objects);
  std::optional<RegionOutcome> request(Proto& proto, const RegionRoot& root, const std::vector<LoopContexts>& loops, const RunSoFar& so_far);
  FactLimits fact_limits() const;
  bool is_installed(const Proto& proto, const RegionRoot& root) const;
  /// By OriginalPc: in a region that is installed, or being compiled.
  std::vector<bool> optimized_part(const Proto& proto) const;
  bool enter(Proto& proto, const EntryPlace& place, RegionCode* code);
  /// The next time that it is in machine code.
  void record_anew(Proto& proto, std::shared_ptr<TypeRecorder> types);
  void add_text(const RegionCode& code, RegionOutcome* outcome) const;
  void postpone(const Request& request, Postponed postponed);
  /// Keeps it for policies, too.
  RegionOutcome noted(RegionOutcome outcome);
  std::optional<RegionOutcome> install_region(Request request, FinishedRegion finished);

  Vm& vm_;
  Jit& jit_;
  const RegionSettings settings_;
  NamedProtos named_;  ///< by any record
  std::unique_ptr<Optimizer> quick_;
  RegionBudget budget_;
  bool counts_events_ = false;
  RandomSequence random_{1};  ///< how long recordings rest
  std::shared_ptr<RegionChannel> channel_ = std::make_shared<RegionChannel>();
  std::list<FinishedRegion> arrived_;  ///< from there; what could not be installed for want of memory leaves the others here
  std::unique_ptr<Recording> recording_;
  std::vector<Proto*> waiting_;  ///< to be recorded
  std::unordered_map<const Proto*, Compilers> chosen_;  ///< by choose_compiler()
  std::vector<RegionOutcome> refused_;        ///< when they were to be recorded
  std::unique_ptr<Recording> recorded_;
  std::shared_ptr<TypeRecorder> lately_;  ///< what was recorded last
  uint64_t events_since_ = 0;             ///< then
  double paid_for_recordings_ = 0;
  Lessons lessons_;  ///< of all exits; request() tells them to the record
  using Recorded = std::unordered_map<const Proto*, std::shared_ptr<TypeRecorder>>;
  Recorded learnt_;     ///< of functions that are to be recorded again
  std::unordered_map<const Proto*, PostponedFunction> postponed_;
  std::unordered_map<uint64_t, Request> requests_;  ///< by ticket
  std::map<const Proto*, std::vector<Region>> regions_;
  RegionLedger ledger_;
  size_t superseded_ = 0;        ///< regions that are not installed any more, and not freed yet
  unsigned asked_to_free_ = 0;
  const Proto* last_watched_ = nullptr;  ///< by next_with_regions()
  bool is_unavailable_ = false;  ///< there is no optimizer
};

}  // namespace mangata::jit
