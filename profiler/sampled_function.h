// A function whose profile changes its kind while the program runs: one set of counters for each plan that was ever installed.
//
// Invariant: counters are never thrown away; installing a plan again goes on counting where it had stopped. All prototypes
// with the same code, lines and place in the source share one SampledFunction.
// Read next: profiler/sampled_profiler.h, profiler/function_statistics.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "profiler/counted_flows.h"
#include "profiler/run_so_far.h"
#include "profiler/sampling_plan.h"

namespace mangata {

/// Counts of paths that stand for more executions than were counted.
struct WeightedCounts {
  std::map<uint64_t, double> paths;                 ///< by number or hashed id
  std::vector<std::map<uint64_t, double>> windows;  ///< per loop with k >= 2, by slot

  /// Adds each count, multiplied by `weight`.
  void add(const CounterLists& counted, double weight);
};

struct SampledLayer {
  SampledLayer(SamplingPlan sampling_plan, FunctionIdentity identity, FunctionShape shape, FunctionNumbering numbering)
      : plan(std::move(sampling_plan)), record(std::move(identity), std::move(shape), std::move(numbering)) {}

  SamplingPlan plan;
  FunctionRecord record;
  EdgeCode events;  ///< of `plan`, to be put into code
  CounterLists before;    ///< when statistics were taken last
  CounterLists baseline;  ///< when it was last decided to forget: a phase of the program began
  WeightedCounts estimate;  ///< of the phases before
};

struct SampledFunction {
  /// Of `function_shape`, with its loops found and no layer yet.
  SampledFunction(FunctionIdentity of_function, FunctionShape function_shape);

  FunctionIdentity identity;
  FunctionShape shape;
  numbering::LoopForest loops;  ///< rows that LoopStatistics go by
  std::vector<std::unique_ptr<SampledLayer>> layers;
  SampledLayer* current = nullptr;  ///< whose counters the installed version has, or the last one that had any
  bool is_straight = false;         ///< innermost loops have one way through an iteration
  bool cannot_be_numbered = false;  ///< more blocks or paths than there are numbers
  RunSoFar so_far;
  uint64_t phase_start = 0;         ///< of these, before the last forget()
  size_t prototypes = 0;            ///< that are counted here and alive
  uint64_t retired = 0;             ///< when the last of them died: SampledProfiler
};

/// Whether a loop may be counted over several iterations.
bool can_iterate(const SampledFunction& function, numbering::LoopId loop);

/// Later profiles are compared only with what is counted from now on. What was counted so far stands, in estimates, for all that the
/// function has done since it was forgotten last.
void forget(SampledFunction& function);

/// What `layer` would have counted all the time, by what it has counted in each phase: multiples of the same unknown number. A phase
/// in which it counted nothing is not in it.
CounterLists estimate(const SampledFunction& function, const SampledLayer& layer);

/// later - earlier.
CounterLists difference(const CounterLists& later, const CounterLists& earlier);

uint64_t sum_of(const CounterLists& counters);

/// Weight matching: the sum over all counters of the smaller of the two shares; 1 when either has no counts.
double overlap(const CounterLists& a, const CounterLists& b);

}  // namespace mangata
