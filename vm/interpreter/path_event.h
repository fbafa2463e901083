// What a PathEvent instruction does: the run-time half of path profiling (numbering/README.md has the
// theory).
//
// [DESIGN] Profiling installs an instrumented copy of a function's code with PathEvent instructions on some
// edges. The path register is a field of the frame header, so it survives calls, coroutine switches and
// recursion by itself. (A callee's frame lies on top of its caller's free registers, so no register above the
// arguments would.) Events of a taken branch lie out of line, and jump to where the branch goes. Functions
// that are not profiled have no such instructions and pay nothing.
//
// The path register is one 64-bit word. In a function without windows it is r of numbering/events.h. In a
// function with windows (loops profiled over k >= 2 iterations) it holds the whole state of an activation:
//
//     r                                         outside of these loops
//     r · 2^32  +  remaining · 2^(k·s)  +  w    in the first k iterations of a stay in one
//     w                                         in steady state
//
// with r the path register modulo 2^32 (so no path number there may reach 2^32), w the window register of the
// loop around (k digits of s bits, k·s <= 27), and `remaining` the iterations this stay still has to complete
// before it has completed k. Additions to w are 64-bit additions to the word: a negative increment may borrow from
// its neighbours on the way, but wherever an event reads the word each part is whole again. In steady state r means
// nothing until LeaveLoop sets it. So every event is a function of
// (word, record) and of plain tables in PathCounters, whose addresses do not change once events have been
// installed: machine code may embed them.
//
// In a function that is profiled preferentially the word packs two numbers, the preferential identifier in the upper and the
// Ball-Larus number in the lower half (numbering/events.h, TableKind::Preferential), and paths.array is a compact table.
//
// A count is one increment per executed path: 64 bits last for centuries, so counters cannot overflow. Where
// allocations are wanted besides, events of kind Allocation stand in front of those that count (path_allocations.h); the word and the
// counts know nothing of them.
//
// Read next: numbering/events.h (what the events mean), profiler/instrument.h (who puts them there).
#pragma once

#include <unordered_map>
#include <vector>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/count_table.h"
#include "vm/object/frame.h"

namespace mangata {

class PathAllocations;

/// The events of numbering/events.h as they act on the word, those that charge allocations, and one more for tests. Those named Packed act on r in functions with
/// windows; their sums are taken modulo 2^32.
enum class PathEventKind : uint8_t {
  Start,                   ///< word = start
  Add,                     ///< word += value
  AddPacked,               ///< the same
  Count,                   ///< count[word + value]++
  CountAndStart,           ///< count[word + value]++; word = start
  CountPacked,             ///< count[word + value]++
  CountPackedAndStart,     ///< the same; word = start
  CountPreferred,          ///< preferred_counter(word + value)++
  CountPreferredAndStart,  ///< the same; word = start
  CountEdge,               ///< paths.array[value]++; the word is not used
  EnterLoop,               ///< word = r · 2^32 + value, which is k · 2^(k·s)
  WindowAdd,               ///< word += value
  WindowBackedge,          ///< an iteration of windows[index] ends: see complete_iteration
  LeaveLoop,               ///< a stay ends as leaves[index] says: see leave_loop
  HashStep,                ///< word = hash(word, value), by the edge `index`
  HashCount,               ///< the same; count[word]++; word = start, except at the exit (index kNoLoop)
  AllocationEntry,         ///< an activation begins
  AllocationPath,          ///< the path that the next event counts ends now, if it counts one: allocated[its key] += what it allocated
  AllocationExit,          ///< the same, and the activation ends
  Trace,                   ///< calls PathCounters::trace
};

struct PathEventRecord {
  PathEventKind kind = PathEventKind::Add;
  int32_t jump = 0;  ///< added to the pc afterwards
  int64_t value = 0;  ///< as the kind says
  int64_t start = 0;  ///< of the path register behind a count
  uint32_t index = 0;  ///< of a window, leave or edge, as the kind says
  static constexpr uint32_t kNoLoop = UINT32_MAX;  ///< `index` of HashCount at the exit
};

/// What paths have allocated, by their keys.
struct AllocationCounts {
  CountTable bytes, objects;  ///< bytes and objects, by the same keys
};

/// A loop profiled over k iterations: numbering::Window.
struct PathWindow {
  uint32_t k = 2;  ///< iterations in a window
  uint32_t digit_bits = 0;  ///< s
  uint64_t body_paths = 1;  ///< B: digits are 0..B-1
  int64_t prologue = 0;     ///< added to r when the path that entered the loop is counted
  CountTable counts;        ///< by w; see allocate_window_counts
  AllocationCounts allocated;  ///< by w, once AllocationPath has run
  /// For the first k iterations of a stay; empty until machine code asks for them
  /// (make_first_iteration_tables).
  LowArray<uint32_t> prologues;  ///< by w: what the iterations add to r when they are complete
  LowArray<int64_t> steps;  ///< by the lower half of the word, less 2^(k·s): what an iteration adds to the
                            ///< word, or, the k-th, makes of it

  uint32_t window_bits() const { return k * digit_bits; }
  /// The words of the first k iterations have slots behind the counters.
  bool has_starting_slots() const { return counts.array.capacity() > counts.array.size(); }
};

/// The array of window.counts. Behind the counters are slots for the lower halves of words in the first k
/// iterations, if they are few. So machine code counts first and asks afterwards: the numbers there are so
/// negative that they stay negative, and the flags of the increment itself tell that nothing should have been
/// counted.
void allocate_window_counts(PathWindow& window);

/// One edge by which stays in a window's loop end: numbering::Leave, whose formulas these are.
struct PathLeave {
  uint32_t window = 0;  ///< index in PathCounters::windows
  uint64_t rank_count = 1;  ///< the formulas' constants, as in numbering::Leave, as all down to `scale`
  int64_t potential = 0;  ///< likewise
  int64_t entered = 0;  ///< likewise
  int64_t restarted = 0;  ///< likewise
  uint64_t scale = 1;  ///< likewise
  std::vector<uint32_t> ranks;  ///< ascending; a sum's place is its rank. Empty: the sum itself is
  /// By the lower half of the word, potential added: what the stay adds to r. Empty until machine code asks for it.
  LowArray<uint32_t> pieces;
};

/// How a hashed id came about: the id before it and what led from there. Following these back from an id
/// gives its path, so the table of links keeps a witness for every path and for every prefix in flight.
struct HashLink {
  enum class Kind : uint8_t {
    Start,  ///< where paths start: `before` is the id itself, `index` the row of the loop or kNoLoop (the
            ///< entry)
    Step,   ///< HashStep: `index` is the edge
    End,    ///< HashCount: `index` is the row or kNoLoop (the exit)
  };
  uint64_t before = 0;  ///< id
  uint32_t index = 0;  ///< as Kind says
  Kind kind = Kind::Step;
  friend bool operator==(const HashLink&, const HashLink&) = default;
};

/// The counters of one function. Made by the profiler; the interpreter only executes events.
struct PathCounters {
  std::vector<PathEventRecord> events;  ///< PathEvent instructions have indices of these
  CountTable paths;  ///< by path number or hashed id; by counted edge when edges are profiled
  /// Of a function that is profiled preferentially: which path each slot of paths.array counts; a slot is the
  /// identifier of at most one path. All others are residual, in paths.hash by number.
  LowArray<uint32_t> preferred;
  static constexpr uint32_t kNoPath = UINT32_MAX;
  std::vector<PathWindow> windows;
  std::vector<PathLeave> leaves;
  /// By the keys of `paths` (by number, of preferred ones, too). Empty unless they are counted.
  AllocationCounts allocated;
  PathAllocations* allocations = nullptr;
  uint64_t hash_multiplier = 0;
  std::unordered_map<uint64_t, HashLink> hash_links;
  uint64_t hash_collisions = 0;  ///< executions of steps to an id that something else had led to before
  void* owner = nullptr;         ///< the profiler's record of the function
  void (*trace)(PathCounters&, const FrameHeader&, int64_t value) = nullptr;

  /// The counter of a path by both of its numbers.
  uint64_t& preferred_counter(uint64_t word) {
    const uint64_t identifier = word >> 32;
    const auto number = static_cast<uint32_t>(word);
    if (identifier < preferred.size() && preferred[identifier] == number) [[likely]]
      return paths.array[identifier];
    return paths.hash[number];
  }
};

/// WindowBackedge in the first k iterations of a stay, its value already added.
uint64_t complete_first_iteration(PathCounters& counters, const PathWindow& window, uint64_t word);

/// WindowBackedge: the word after it.
inline uint64_t complete_iteration(PathCounters& counters, uint64_t word, const PathEventRecord& event) {
  PathWindow& window = counters.windows[event.index];
  word += static_cast<uint64_t>(event.value);
  if (word >> window.window_bits() == 0) [[likely]] {  // steady state: the word is w
    window.counts.add(word);
    return word >> window.digit_bits;
  }
  return complete_first_iteration(counters, window, word);
}

/// LeaveLoop: r takes up what the window holds.
uint64_t leave_loop(const PathCounters& counters, uint64_t word, const PathLeave& leave);

/// The tables that make these two events lookups, made when they are first asked for. False, or null, when
/// they would be large.
bool make_first_iteration_tables(PathWindow& window);
const uint32_t* piece_table(PathCounters& counters, PathLeave& leave);

/// AllocationEntry, AllocationPath, AllocationExit; the event that counts is the next one in `counters.events`.
void run_allocation_event(PathCounters& counters, const PathEventRecord& event, uint64_t word, const FrameHeader* frame);

/// HashStep, and the first half of HashCount.
uint64_t hash_step(PathCounters& counters, uint64_t word, const PathEventRecord& event);

/// Add, AddPacked, WindowAdd, EnterLoop: the word after it.
inline uint64_t add_to_word(const PathEventRecord& event, uint64_t word) {
  if (event.kind == PathEventKind::EnterLoop) word <<= 32;
  word += static_cast<uint64_t>(event.value);
  return event.kind == PathEventKind::AddPacked ? word & UINT32_MAX : word;
}

/// Any event that needs no frame (all but Allocation and Trace): the word after it. For what is rare or large, and for machine code that has no code of its own for it.
uint64_t run_rare_event(PathCounters& counters, const PathEventRecord& event, uint64_t word);

/// Where control goes on behind the events at `pc`, if there are any: several follow each other.
inline const Instruction* behind_events(const PathCounters* counters, const Instruction* pc) {
  while (pc->op == Opcode::PathEvent) pc += 1 + counters->events[static_cast<size_t>(pc->imm)].jump;
  return pc;
}

/// Executes an event on the path register of `frame`; returns the jump that follows.
inline int32_t run_path_event(PathCounters& counters, FrameHeader* frame, int32_t event_index) {
  const PathEventRecord& event = counters.events[static_cast<size_t>(event_index)];
  const auto word = static_cast<uint64_t>(frame->path_register);
  // Increments may wrap on the way; their sum along a whole path does not.
  const uint64_t sum = word + static_cast<uint64_t>(event.value);
  uint64_t result = word;
  switch (event.kind) {
    case PathEventKind::Add:
    case PathEventKind::WindowAdd:
      result = sum;
      break;
    case PathEventKind::Start:
      result = static_cast<uint64_t>(event.start);
      break;
    case PathEventKind::Count:
      counters.paths.add(sum);
      break;
    case PathEventKind::CountAndStart:
      counters.paths.add(sum);
      result = static_cast<uint64_t>(event.start);
      break;
    case PathEventKind::WindowBackedge:
      result = complete_iteration(counters, word, event);
      break;
    case PathEventKind::CountEdge:
      ++counters.paths.array[static_cast<size_t>(event.value)];
      break;
    case PathEventKind::Trace:
      counters.trace(counters, *frame, event.value);
      break;
    case PathEventKind::AllocationEntry:
    case PathEventKind::AllocationPath:
    case PathEventKind::AllocationExit:
      run_allocation_event(counters, event, word, frame);
      break;
    default:
      result = run_rare_event(counters, event, word);
      break;
  }
  frame->path_register = static_cast<int64_t>(result);
  return event.jump;
}

}  // namespace mangata
