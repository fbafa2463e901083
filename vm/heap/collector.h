// The collector: one incremental mark phase, one atomic phase, and what follows from them.
//
// [DESIGN] A cycle:
//   Pause     the program allocates until the heap has grown by the pause parameter (pacing.cpp)
//   Marking   start_cycle() clears the marks and marks the roots; steps trace gray objects, work in
//   proportion to
//             allocation. Marked objects that are not in `gray` are black
//   atomic    finish_marking(): roots, threads and re-grayed objects again; ephemerons; weak values;
//   finalizers and what
//             they revive; weak keys; weak caches, shapes and interned strings; destructors; new survivors
//   Sweeping  only large objects are swept bit by bit; cells are swept by being allocated (block.h)
//
// Invariant while marking: a black object references no white one, except that (a) threads and their stacks
// are always traced again, (b) objects flagged kGrayAgain will be traced again, (c) weak references do not
// count.
//
// Barriers: a store into a black table re-grays the table once per cycle (kGrayAgain), for tables are stored
// to in bursts; a store into any other black object marks the target.
//
// Read next: vm/heap/references.h (who references what), vm/heap/mark.cpp, vm/heap/atomic.cpp,
// vm/heap/weak.cpp, vm/heap/finalizers.cpp, vm/heap/pacing.cpp.
#pragma once

#include <deque>
#include <new>
#include <utility>
#include <vector>

#include "vm/heap/heap.h"
#include "vm/heap/large_space.h"
#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

struct Proto;
struct Shape;
struct Table;
struct Thread;
struct Vm;

enum class CollectorPhase : uint8_t {
  Pause,
  Marking,
  Sweeping
};

/// Work is counted in references visited.
using WorkUnits = ptrdiff_t;

/// Gives regions of which no block is in use back to the system: when it is short of memory.
void release_free_regions(BlockSpace& space);

struct Collector {
  Collector(Heap& owner, Vm& machine) : heap(owner), vm(machine) {}

  // --- marking (mark.cpp)
  void start_cycle();
  void abandon_cycle();  ///< back to Pause; the marks mean nothing
  WorkUnits mark_some(
      WorkUnits budget);  ///< returns what is left of the budget; > 0 when nothing is gray any more
  void mark_slice(uint32_t count);
  void mark_roots();
  WorkUnits trace(Object* object);
  WorkUnits trace_table(Table* table);

  /// Marks one object; true when it was white.
  bool try_mark(Object* object) {
    if ((object->gc_flags & Object::kLarge) != 0) [[unlikely]]
      return try_mark_large(object);
    const MarkBit bit(object);
    uint64_t& word = bit.block->bits[heap.blocks_.mark_index][bit.word];
    if ((word & bit.mask) != 0) return false;
    word |= bit.mask;
    return true;
  }
  bool try_mark_large(Object* object);
  void mark(Object* object) {
    if (try_mark(object) && has_references(object->type)) push_gray(object);
  }
  /// Marks it a little later, when its header has arrived from memory: what is traced refers to objects that lie anywhere. Until
  /// next_gray() was null, some that look white are not.
  void mark_soon(Object* object) {
    __builtin_prefetch(object);
    std::swap(object, awaited[next_awaited++ % kMostAwaited]);
    if (object != nullptr) mark(object);
  }
  void mark_awaited();
  /// Takes an object from the gray list; null: nothing is gray or awaited.
  Object* next_gray() {
    if (gray.empty()) {
      mark_awaited();
      if (gray.empty()) return nullptr;
    }
    Object* object = gray.back();
    gray.pop_back();
    return object;
  }
  void push_gray(Object* object) {
    try {
      gray.push_back(object);
    } catch (const std::bad_alloc&) {
      has_untraced = true;
    }
  }
  /// The gray list could not grow: traces all that is marked, which finds what was not traced, until nothing new is found.
  void trace_all_marked();
  /// False when `list` cannot grow.
  static bool keep(std::vector<Table*>& list, Table* table);
  void trace_strongly(Table* table);  ///< a weak table that could not be kept in a list
  void mark_or_null(Object* object) {
    if (object != nullptr) mark(object);
  }
  void mark(const Value& value) {
    if (value.is_collectable()) mark(value.as_object());
  }
  static bool has_references(ObjectType type) {
    constexpr uint32_t kLeaves =
        1u << static_cast<int>(ObjectType::String) | 1u << static_cast<int>(ObjectType::Bytes) |
        1u << static_cast<int>(ObjectType::Values) | 1u << static_cast<int>(ObjectType::Nodes);
    return ((kLeaves >> static_cast<int>(type)) & 1) == 0;
  }
  bool is_white(const Object* object) const { return !heap.is_marked(object); }
  void gray_again(Object* object);

  // --- the atomic phase (atomic.cpp)
  void finish_marking(bool in_steps);
  void propagate_all();
  /// Marks what is gray, and lets interrupts happen meanwhile: then the cycle is abandoned, and this raises.
  Status propagate_interruptibly();
  void trace_gray_again();
  void remark_open_upvalues();
  void clear_stacks();
  void reset_weak_caches();
  void destroy_unmarked();
  void destroy_all();  ///< at the end of the heap
  void adopt_survivors();

  // --- weak tables (weak.cpp)
  enum WeakMode : uint8_t {
    kWeakValues = 1,
    kWeakKeys = 2
  };
  uint8_t weak_mode(const Table* table) const;
  WorkUnits trace_weak_values(Table* table);
  WorkUnits trace_ephemeron(Table* table);
  bool mark_ephemeron_values(Table* table, bool backwards, bool* white_key, bool* white_pair);
  void converge_ephemerons();
  bool is_cleared(const Value& value);
  void clear_values(const std::vector<Table*>& tables, size_t from);
  void clear_keys(const std::vector<Table*>& tables);

  // --- finalizers (finalizers.cpp)
  void separate_unreachable();  ///< white finalizable objects and threads with native frames are revived
  void revive_threads();
  void call_finalizers();
  void call_finalizer(Object* object);
  void unwind_threads();

  // --- pacing (pacing.cpp)
  Status step();
  Status collect_full();
  bool advance(ptrdiff_t debt_bytes);  ///< a step's work; true when a cycle ended
  /// A whole cycle, from its start to Pause. Raises, in Pause, only what an interrupt raises.
  Status run_cycle();
  void finish_sweeping(bool trims_at_once = false);
  void enter_pause(bool trims_at_once = false);  ///< see BlockSpace::trim()
  void set_debt();
  Status check_limit();
  bool has_room();  ///< neither over the limit nor short of memory

  void verify() const;  ///< debug builds: no marked object references a white one (verify.cpp)

  Heap& heap;
  Vm& vm;
  CollectorPhase phase = CollectorPhase::Pause;
  uint32_t cycles_ended = 0;  ///< so often did objects die
  bool in_atomic = false;  ///< the last part of marking runs, which is not done in steps

  std::vector<Object*> gray;  ///< marked, to be traced
  static constexpr uint32_t kMostAwaited = 16;  ///< a power of 2
  Object* awaited[kMostAwaited] = {};  ///< a ring of what is marked soon; null: nothing
  uint32_t next_awaited = 0;  ///< the oldest
  bool has_untraced = false;       ///< and so are objects that the list had no room for
  bool has_lost_gray_again = false;  ///< objects are to be traced again for which `again` had no room
  bool was_refused = false;        ///< a large object, by the system
  bool strings_are_crowded = false;  ///< their table is too full, and the system refuses a larger one
  struct Partial {
    Table* table;
    uint32_t next_index;  ///< element to trace next
  };
  std::vector<Partial> partial;     ///< tables with many elements, traced up to next_index
  std::vector<Object*> again;       ///< flagged kGrayAgain
  std::vector<Table*> weak_values;  ///< in the atomic phase: may hold white values
  std::vector<Table*> ephemerons;   ///< has white keys with white values
  std::vector<Table*> white_keys;   ///< weak keys that may be white, or everything weak

  // Deques, which never ask for much memory at once.
  std::deque<Thread*> threads;  ///< all of them, as the next two
  std::deque<Shape*> shapes;
  std::deque<Proto*> protos;

  std::deque<Object*> finalizable;  ///< flagged kHasFinalizer, oldest first
  std::deque<Object*> to_finalize;  ///< dead, revived; called from next_to_finalize on
  size_t next_to_finalize = 0;  ///< index in to_finalize
  std::deque<Thread*> to_unwind;  ///< coroutines that died suspended, whose native stacks are to be unwound
  int finalizer_depth = 0;  ///< finalizers that run inside of each other

  int pause_percent = 200;  ///< a cycle begins when the heap has grown to so much of what survived: collectgarbage("setpause")
  int step_multiplier_percent = 100;  ///< work per byte allocated: collectgarbage("setstepmul")
  bool generational = false;  ///< collectgarbage("generational"): remembered, and nothing else
  bool stopped = false;  ///< collectgarbage("stop")
  bool stress = false;  ///< a full collection at every safepoint, for tests
  size_t marked_large_bytes = 0;  ///< of large objects, in this cycle
  size_t revived_bytes = 0;    ///< in the last cycle, for to_unwind alone
  ptrdiff_t asked_bytes = 0;   ///< by steps that were too small to do anything
  size_t threshold_bytes = 0;  ///< total at which the next cycle starts
};

}  // namespace mangata
