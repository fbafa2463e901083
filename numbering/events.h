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

/// What an activation of the function carries along. Plans without windows (every k = 1) need only r.
struct ActivationState {
  int64_t path = 0;        ///< r, the path register; arithmetic on it wraps at 64 bits
  int64_t window = 0;      ///< w, the window register of the k-loop around; wraps too
  uint32_t completed = 0;  ///< iterations completed in this stay in it, saturating at k
};

enum class EventKind : uint8_t {
  Start,           ///< r = start
  Add,             ///< r += value
  Count,           ///< paths[r + value]++
  CountAndStart,   ///< paths[r + value]++; r = start: a backedge
  EnterLoop,       ///< w = 0; completed = 0: a stay in a k-loop begins
  WindowAdd,       ///< w += value
  WindowBackedge,  ///< an iteration ends; see Window
  LeaveLoop,       ///< a stay ends: r takes up what w holds; see Leave
  HashStep,        ///< r = (r · hash_multiplier + value) mod 2^61 - 1: plans of path_hash.h only
  HashCount,       ///< HashStep with value, paths[r]++, r = start (unless the path ended at the exit)
};

struct Event {
  EventKind kind;
  int64_t value = 0;  ///< what to add; for Count, CountAndStart: to r for this count only
  int64_t start = 0;  ///< Start, CountAndStart: the new r
  /// EnterLoop, WindowAdd, WindowBackedge: of the Window. LeaveLoop: of the Leave. HashCount: of the row
  /// whose backedge this is, kNoLoop at the exit.
  uint32_t index = 0;
  static constexpr uint32_t kNoLoop = UINT32_MAX;
  friend bool operator==(const Event&, const Event&) = default;
};

enum class TableKind : uint8_t {
  Array,
  Hash,
  /// r packs two numbers: the preferential identifier in the upper, the Ball-Larus number in the lower 32
  /// bits; both are added at once. A path whose identifier is below `size` and whose number is the one that
  /// belongs to it (EventPlan::preferred) is counted at the identifier in an array, every other path is
  /// residual: a hash table by number.
  Preferential,
};

/// r + value is always in [0, size) when it is counted (its lower half below 2^32 for Preferential).
struct CounterTable {
  TableKind kind = TableKind::Array;
  PathCount size = 0;  ///< number of different keys; slots of the array
  friend bool operator==(const CounterTable&, const CounterTable&) = default;
};

/// Arrays up to this many counters by default, hash tables above.
constexpr PathCount kDefaultArrayLimit = 4096;

/// A k-loop at run time, the one-register window. w holds the last k iterations as digits of `digit_bits`
/// bits, the oldest lowest; the digit of the current iteration grows at the top. WindowBackedge is
///   w += value;
///   if (completed == k)          windows[w]++;                                  // steady state
///   else if (++completed == k)   paths[r + prologue + dense(w)]++;              // the path that entered
///   w >>= digit_bits;
/// where dense(w) reads the k digits as a number to the base `body_paths`, oldest first. So the steady state
/// is `count[w]++; w >>= s` for every k, and what precedes it is one predicted branch (or k peeled copies of
/// the code).
struct Window {
  LoopId loop;
  uint32_t k = 2;  ///< iterations in a window, 2..kMaxIterations
  uint32_t digit_bits = 0;  ///< s
  PathCount body_paths = 1;  ///< B: digits are 0..B-1
  int64_t prologue = 0;  ///< added to r when the path that entered the loop is counted
  CounterTable table;  ///< 2^(k·s) slots
};

/// How a stay ends on one edge. With c = min(completed, k - 1), D = the c top completed digits of w to the
/// base body_paths, oldest first, and x = (w >> (s·(k-1))) + potential, the way from the head to the edge:
///   completed < k:  piece = ((1 + B + ... + B^(c-1)) + D) · rank_count + rank(x);  r += entered + piece · scale
///   else:           piece = D · rank_count + rank(x);                              r = restarted + piece · scale
struct Leave {
  uint32_t window = 0;  ///< index in EventPlan::windows
  uint32_t rank_table =
      kNoRanks;  ///< rank(x) is x's place in EventPlan::rank_tables[...]; x itself without a table
  PathCount rank_count = 1;  ///< what `D` is multiplied by: more than any rank
  int64_t potential = 0;  ///< added to the sum within the iteration: x is not negative
  int64_t entered = 0, restarted = 0;  ///< the constants of the formulas above, one for each case
  uint64_t scale = 1;  ///< paths from where the edge leads to their ends: the numbers of these are below it
  static constexpr uint32_t kNoRanks = UINT32_MAX;  ///< the sum itself is the rank
};
struct EventPlan {
  std::vector<Event> at_entry;  ///< when the function is entered, before its entry block
  std::vector<Event> events;    ///< grouped by edge
  std::vector<uint32_t> first;  ///< per EdgeId, and one more: where its group begins
  CounterTable paths;  ///< by path number, or by hash
  std::vector<Window> windows;
  std::vector<Leave> leaves;
  std::vector<std::vector<uint64_t>> rank_tables;  ///< ascending
  std::vector<uint64_t> preferred;  ///< TableKind::Preferential: per identifier the path's number
  uint64_t hash_multiplier = 0;     ///< not 0: r is a hash, see path_hash.h

  /// To be executed when control passes along `edge`.
  std::span<const Event> on_edge(EdgeId edge) const {
    return {events.data() + first[edge.index()], events.data() + first[edge.index() + 1]};
  }
};

}  // namespace mangata::numbering
