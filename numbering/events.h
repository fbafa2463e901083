// What instrumentation does at run time, as plain data: events on edges, and the shape of the counter tables.
// An emitter renders these events and need not know how they came about. Invariant: the events of one edge
// are to be executed in their order. Read next: event_placement.h (who makes them), plan_interpreter.h (what
// they mean).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numbering/ids.h"

namespace mangata::numbering {

/// State of one activation: the path register r. Arithmetic on it wraps at 64 bits.
enum class EventKind : uint8_t {
  Start,          ///< r = start
  Add,            ///< r += value
  Count,          ///< paths[r + value]++
  CountAndStart,  ///< paths[r + value]++; r = start: a backedge
};

struct Event {
  EventKind kind;
  int64_t value = 0;  ///< Add: what to add. Count, CountAndStart: added to r for this count only
  int64_t start = 0;  ///< Start, CountAndStart: the new r
  friend bool operator==(const Event&, const Event&) = default;
};

enum class TableKind : uint8_t { Array, Hash };

/// r + value is always in [0, size) when it is counted.
struct CounterTable {
  TableKind kind = TableKind::Array;
  PathCount size = 0;  ///< number of different keys; slots of the array
  friend bool operator==(const CounterTable&, const CounterTable&) = default;
};

/// Arrays up to this many counters by default, hash tables above.
constexpr PathCount kDefaultArrayLimit = 4096;

/// All events of one function.
struct EventPlan {
  std::vector<Event> at_entry;  ///< when the function is entered, before its entry block
  std::vector<Event> events;    ///< grouped by edge
  std::vector<uint32_t> first;  ///< per EdgeId, and one more: where its group begins
  CounterTable paths;

  /// To be executed when control passes along `edge`.
  std::span<const Event> on_edge(EdgeId edge) const {
    return {events.data() + first[edge.index()], events.data() + first[edge.index() + 1]};
  }
};

}  // namespace mangata::numbering
