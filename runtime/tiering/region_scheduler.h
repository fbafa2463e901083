// When functions are recorded for regions, and when these are looked at: what lies between a decision for optimized code and the code.
//
// [DESIGN] A function that a policy wants optimized is recorded at once, or when it has run for so long that a region may be profitable
// (FunctionState::Regions::profitable_after). When its recording has ended, regions of it are requested; they are installed at the sample
// after they have been compiled. At each sample, the function that runs and one other are watched: a region that is left too often is
// invalidated, and its function recorded again, up to a few times.
// Read next: region_compiler.h (who does it), jit/region/region_builder.h.
#pragma once

#include <functional>

#include "runtime/tiering/function_table.h"
#include "runtime/tiering/region_compiler.h"

namespace mangata {

class RegionScheduler {
 public:
  using Report = std::function<void(const RegionOutcome&)>;

  /// @param counts_paths_exactly  regions are made from the exact profile of the run, not from what policies have had counted
  /// @param report                hears of each outcome
  RegionScheduler(RegionCompiler& compiler, FunctionTable& functions, bool counts_paths_exactly, Report report)
      : compiler_(compiler), functions_(functions), counts_paths_exactly_(counts_paths_exactly), report_(std::move(report)) {}

  /// Machine code has run so many events, the last in `proto`: installs what was compiled, and looks at regions.
  /// @param function  null: nothing was decided about it
  void sample(Proto& proto, FunctionState* function, uint64_t events);
  /// Records `proto` if that was put off and is profitable now. Precondition: its events are counted.
  void record_if_due(Proto& proto, FunctionState& function);
  /// Invalidates a region of `proto` that is left too often.
  void watch(Proto& proto);

  /// The policy wants `proto` optimized: it is recorded, and those that are calling it.
  /// @param compiler  mangata_compiler: of its regions
  /// @param callers   of it on the stack, the innermost first
  void optimize(Proto& proto, uint32_t compiler, const std::vector<Proto*>& callers);
  /// The policy wants no regions of `proto`.
  void drop(Proto& proto);
  /// A recording for regions of `proto` has ended: they are requested.
  void recording_ended(Proto& proto);

 private:
  void watch(Proto& proto, FunctionState& function);
  void record_when_profitable(Proto& proto, FunctionState& function);
  void install_finished();
  void note(const RegionOutcome& outcome);
  std::vector<LoopPaths> counted_paths(const Proto& proto, const FunctionState& function) const;

  RegionCompiler& compiler_;
  FunctionTable& functions_;
  const bool counts_paths_exactly_;
  const Report report_;
};

/// The Lua functions that are calling the running one, the innermost first, a few of them.
std::vector<Proto*> callers_of(const Thread& thread);

}  // namespace mangata
