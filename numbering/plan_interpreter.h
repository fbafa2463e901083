// Executes a plan on a trace of edges: the meaning of events, and the reference for every emitter.
// Invariant: one PlanInterpreter is one activation of the function; counters may be shared by many. Read
// next: events.h.
#pragma once

#include <unordered_map>

#include "numbering/events.h"

namespace mangata::numbering {

/// Counters of one function. A map serves for both kinds of table: this is the reference, not the fast one.
/// A counter that would overflow stays at its largest value, and that is remembered.
struct PlanCounters {
  using Table = std::unordered_map<uint64_t, uint64_t>;
  Table paths;                 ///< key: path number
  std::vector<Table> windows;  ///< per EventPlan::windows; key: slot
  bool saturated = false;

  void add(Table& table, uint64_t key, uint64_t amount = 1);
};

/// What the events so far cost, as README.md counts it: addition, move, shift, branch, counter update are one
/// each.
struct Operations {
  uint64_t additions = 0, moves = 0, shifts = 0, branches = 0, counts = 0;
  uint64_t leaving = 0;  ///< stays that ended, a handful of operations each
  uint64_t steady() const {
    return additions + moves + shifts + counts;
  }  ///< with the first iterations peeled
};

class PlanInterpreter {
 public:
  /// Enters the function. Both arguments must outlive the interpreter.
  PlanInterpreter(const EventPlan& plan, PlanCounters& counters);
  /// Control passes along an edge.
  void take(EdgeId edge);

  const ActivationState& state() const { return state_; }
  int64_t path_register() const { return state_.path; }
  const Operations& operations() const { return operations_; }

 private:
  void execute(std::span<const Event> events);
  void complete_iteration(const Event& event);
  void leave(const Leave& leave);
  void count_path(int64_t constant);

  const EventPlan& plan_;
  PlanCounters& counters_;
  ActivationState state_;
  Operations operations_;
};

}  // namespace mangata::numbering
