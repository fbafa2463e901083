// The JIT as tiering uses it; in a build without one, machine code that never comes into being.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/loop_paths.h"
#include "profiler/run_so_far.h"
#include "runtime/options.h"
#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/loop_meter.h"
#include "runtime/tiering/policy.h"
#include "runtime/tiering/snapshot.h"
#include "vm/vm.h"

namespace mangata {

class CodeObserver;

class MachineCode {
 public:
  /// Null: this machine has none.
  static std::unique_ptr<MachineCode> make(Vm& vm, const Options& options);
  virtual ~MachineCode() = default;

  /// Told of all code, from before there is any.
  virtual void observe(std::unique_ptr<CodeObserver> observer) = 0;
  /// Processor time of regions that came, on the thread that compiles them.
  virtual uint64_t compile_thread_nanoseconds() const = 0;
  virtual void adopt(Proto& proto) = 0;
  /// Of the version in force. False: the code cache is full.
  virtual bool compile(Proto& proto) = 0;
  /// Only the loop around `pc`. False: it cannot be done.
  virtual bool compile_loop(Proto& proto, const Instruction* pc) = 0;
  /// Whether calls of `proto` enter its machine code: more than loops was compiled.
  virtual bool is_whole(const Proto& proto) const = 0;
  virtual void version_changed(Proto& proto) = 0;
  virtual void release(Proto& proto) = 0;
  /// Nothing enters the machine code of `proto` any more; frames that are in it go on.
  virtual void retire(Proto& proto) = 0;
  /// Frees what was retired and no frame is in. Called from a native function.
  virtual void free_retired() = 0;
  /// Code compiled from now on counts calls, too, down in Vm::machine_events.
  virtual void count_calls() = 0;
  // --- optimized code (jit/region)
  struct RegionResult {
    Proto* proto = nullptr;
    int line = -1;             ///< of the loop
    std::string summary;       ///< which loops by which contexts
    std::string contexts;      ///< all of them, a line each
    std::string text;          ///< everything: --dump=region, --dump=ir
    std::string why;           ///< not empty: no region is in force; what is in the way
    size_t code_bytes = 0;
    size_t ir_instructions = 0;
    double saved_share = 0;    ///< of the time in baseline code, as predicted
    double milliseconds = 0;
    uint64_t worth_after = 0;  ///< not 0: to be recorded again after so many calls and backedges of the function
  };
  /// So many calls and backedges have happened in machine code, the last in `proto`.
  virtual void events_happened(Proto& proto, uint64_t count) = 0;
  /// Calls and backedges of `proto` after which a region of it may be worth what it costs; 0: it may be now.
  virtual uint64_t worth_after(const Proto& proto, const RunSoFar& so_far) const = 0;
  /// The running thread is recorded, for a region of `proto`, now or soon. False: there will be none.
  virtual bool start_recording(Proto& proto) = 0;
  /// TierHooks::instruction_starts; returns the function whose recording has ended.
  virtual Proto* record(Thread& thread, Proto& proto, int pc) = 0;
  virtual void give_up_recording() = 0;
  /// A loop of `proto` is compiled by what was recorded and counted. A result only if that is refused; otherwise see finished_regions().
  virtual std::vector<RegionResult> request_region(Proto& proto, const std::vector<LoopPaths>& counted, const RunSoFar& so_far) = 0;
  /// Puts regions in force that have been compiled meanwhile.
  virtual std::vector<RegionResult> finished_regions() = 0;
  /// Puts a region of `proto` out of force that is left too often; what is in the way then.
  virtual std::optional<RegionResult> watch_regions(Proto& proto) = 0;
  /// Puts all regions of `proto` out of force, and makes none until it is recorded again. What has gone or will not come.
  virtual std::vector<RegionResult> drop_regions(Proto& proto) = 0;
  virtual Proto* next_with_regions() = 0;
  /// Of all regions so far.
  virtual uint64_t rounds_of_regions() const = 0;
  /// What policies see of the regions of `proto`. `has_times`: also how long they took to compile.
  virtual void describe_regions(const Proto& proto, bool has_times, Snapshot* snapshot) const = 0;
  /// Of all regions of functions that are still there; without their functions' names.
  virtual std::vector<std::pair<const Proto*, ExitsRecord>> exits() const = 0;
  /// `baseline_cycles`: for a round of a function's loops; 0: not known.
  virtual std::string describe_exits(bool has_costs, const std::function<double(const Proto&)>& baseline_cycles) const = 0;
  /// Of the baseline code in force, where loops are measured.
  virtual LoopMeter::Place place_of(const Proto& proto) const = 0;
  /// Code compiled from now on can enter regions. `with_events`: also code with events, which regions execute.
  virtual void enter_regions(const RegionSettings& settings, const OptimizedBy& optimized_by, bool with_events) = 0;
  /// Regions made from now on count events; those in force do, or are put out of force, and made anew from what was recorded again.
  virtual void count_events_in_regions() = 0;

  /// Frames leave compiled code after one of `period` runtime calls, at random.
  virtual void leave_often(uint32_t period, uint64_t seed) = 0;
  virtual std::optional<std::string> dump(const Proto& proto, std::string* error) = 0;

  /// Bytes of all versions of a function.
  virtual size_t code_bytes(const Proto& proto) const = 0;
  virtual size_t bytes_used() const = 0;
  virtual size_t bytes_limit() const = 0;
};

}  // namespace mangata
