// What is told of regions: lines of the log, and --dump=region.
#pragma once

#include <functional>

#include "runtime/output/output_errors.h"
#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/event_clock.h"
#include "runtime/tiering/function_table.h"
#include "runtime/tiering/region_compiler.h"

namespace mangata {

class RegionReports {
 public:
  RegionReports(DecisionLog& log, const EventClock& clock, FunctionTable& functions, OutputFile dump)
      : log_(log), clock_(clock), functions_(functions), dump_(std::move(dump)) {}

  /// What became of a request.
  void add(const RegionOutcome& outcome);
  /// The program ends: where regions were left.
  /// @param baseline_cycles  for an iteration of a function's loops; 0: not known
  void add_exits(const RegionCompiler& compiler, const std::function<double(const Proto&)>& baseline_cycles);

 private:
  FunctionName name_of(const Proto& proto);
  void dump(const RegionOutcome& outcome);

  DecisionLog& log_;
  const EventClock& clock_;
  FunctionTable& functions_;
  OutputFile dump_;  ///< closed: nothing is dumped
};

}  // namespace mangata
