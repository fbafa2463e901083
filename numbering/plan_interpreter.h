// Executes a plan on a trace of edges: the meaning of events, and the reference for every emitter.
// Invariant: one PlanInterpreter is one activation of the function; counters may be shared by many. Read
// next: events.h.
#pragma once

#include <unordered_map>

#include "numbering/events.h"
#include "numbering/path_hash.h"

namespace mangata::numbering {

/// Counters of one function. A map serves for both kinds of table: this is the reference, not the fast one.
/// A counter that would overflow stays at its largest value, and that is remembered.
struct PlanCounters {
  using Table = std::unordered_map<uint64_t, uint64_t>;
  Table paths;                 ///< key: path number, or hash
  std::vector<Table> windows;  ///< per EventPlan::windows; key: slot
  bool saturated = false;  ///< some counter has stopped at its largest value
  uint64_t preferred = 0, residual = 0;  ///< executions of interesting and of other paths
  std::unordered_map<uint64_t, PathWitness>
      witnesses;            ///< with hashed paths: the first path that had the key
  uint64_t collisions = 0;  ///< executions of another path with the key of a witness

  /// Stops at the largest value, which sets `saturated`.
  void add(Table& table, uint64_t key, uint64_t amount = 1);
};

/// What the events so far cost, as README.md counts it: addition, move, shift, branch, counter update are one
/// each.
struct Operations {
  uint64_t additions = 0, moves = 0, shifts = 0, branches = 0, counts = 0;  ///< executed so far
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
  /// With hashed paths: the path in flight.
  const PathWitness& trail() const { return trail_; }

 private:
  void execute(std::span<const Event> events);
  void complete_iteration(const Event& event);
  void leave(const Leave& leave);
  void count_path(int64_t constant);
  void step_hash(const Event& event);
  void count_hash(const Event& event);

  const EventPlan& plan_;
  PlanCounters& counters_;
  ActivationState state_;
  Operations operations_;
  PathWitness trail_;  ///< with hashed paths: the path in flight
};

}  // namespace mangata::numbering
