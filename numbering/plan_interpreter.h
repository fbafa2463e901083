// Executes a plan on a trace of edges: the meaning of events, and the reference for every emitter.
// Invariant: one PlanInterpreter is one activation of the function; counters may be shared by many. Read
// next: events.h.
#pragma once

#include <unordered_map>

#include "numbering/events.h"

namespace mangata::numbering {

/// Counters of one function. A map serves for both kinds of table: this is the reference, not the fast one.
struct PlanCounters {
  std::unordered_map<uint64_t, uint64_t> paths;  ///< key: path number
};

class PlanInterpreter {
 public:
  /// Enters the function. Both arguments must outlive the interpreter.
  PlanInterpreter(const EventPlan& plan, PlanCounters& counters);
  /// Control passes along an edge.
  void take(EdgeId edge);

  int64_t path_register() const { return path_register_; }
  /// Number of events executed so far, each merged event being one.
  uint64_t executed() const { return executed_; }

 private:
  void execute(std::span<const Event> events);

  const EventPlan& plan_;
  PlanCounters& counters_;
  int64_t path_register_ = 0;
  uint64_t executed_ = 0;
};

}  // namespace mangata::numbering
