// Profiles that change their kind while the program runs, and that need not count all the time.
//
// [DESIGN] The twin of PathProfiler (exact: one plan, from before the first run to the end). Here a function starts without
// events; a policy (runtime/tiering) installs plans as it sees fit, and takes them out again. Each plan keeps its counters.
// Nothing is made for a function that is never asked about, so cold code costs nothing. A program may load any number of
// chunks: what was counted of functions that are gone is forgotten but for the last few, as they may be loaded again, unless
// somebody wants a report of everything.
//
// Read next: profiler/sampled_function.h, vm/bytecode/code_version.h.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/function_statistics.h"
#include "profiler/path_profile.h"
#include "profiler/sampled_function.h"

namespace mangata {

class SampledProfiler {
 public:
  /// `reports`: snapshot() shall have every function, also those that are gone by then.
  explicit SampledProfiler(bool reports) : keeps_all_(reports) {}

  // What TierHooks reports (vm/tier_hooks.h)
  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);

  /// The function that `proto` is counted as.
  SampledFunction& function_of(const Proto& proto);

  /// The version of `proto` that counts by `plan` is installed from now on. False: it cannot be numbered that way, nothing has
  /// changed. Whoever has machine code must be told (Jit::version_changed).
  bool install_plan(Proto& proto, const SamplingPlan& plan);

  /// Whether `proto` has a version that counts by `plan`.
  bool has_plan(const Proto& proto, const SamplingPlan& plan);

  /// Everything counted so far: of each function the layer that looked at most iterations (of those with a good part of the counts), with its estimate scaled to all calls and
  /// backedges that the function has seen.
  PathProfile snapshot() const;

 private:
  struct Retired {
    uint64_t key;
    uint64_t when;
  };

  SampledLayer* layer_of(SampledFunction& function, const SamplingPlan& plan);
  void retire(SampledFunction& function);

  const bool keeps_all_;
  std::unordered_map<uint64_t, std::unique_ptr<SampledFunction>> functions_;  ///< by place_hash
  std::deque<Retired> retired_;  ///< without prototypes, the latest last; some have been taken up again
  uint64_t retirements_ = 0;
  std::unordered_map<const Proto*, SampledFunction*> of_proto_;
  std::unordered_map<const Proto*, std::string> names_;  ///< of nested functions, by what they are stored in
};

}  // namespace mangata
