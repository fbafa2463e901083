// The heap: a precise, non-moving, incremental mark-sweep collector.
//
// [DESIGN] Small objects (<= kMaxSmallBytes) live in 64 KiB blocks of one size class; a block keeps two
// bitmaps, `survivors` and `mark`, which change places when marking ends. Allocation bumps a pointer through
// runs of free cells; sweeping is the search for the next run between survivors. Larger objects are allocated
// one by one behind a LargeHeader. Objects have no finalization of their own, except destructible ones
// (Proto, Shape, Thread), whose C++ destructors run at the end of marking.
//
// Allocation never collects. Collection work happens only in Heap::step, called from safepoints: after an
// allocating instruction, and after a native function returns. At a safepoint every live value is in a VM
// stack below Thread::top, reachable from a root of the Vm, or gone. So C++ code may hold unrooted objects
// across allocations, but not across a call that can run Lua code or reach a safepoint.
//
// Small allocations never fail: when the memory limit is passed, or the system has refused memory
// (vm/heap/emergency_memory.h), the next safepoint collects, and raises "not enough memory" if that did not help. Large ones (strings, elements, hash parts, buffers) return null beyond
// the limit.
//
// New objects are white. While marking (`marking` is true) a store into a marked object is reported:
// write_barrier().
//
// Read next: vm/heap/block.h, vm/heap/collector.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "vm/error.h"
#include "vm/heap/block.h"
#include "vm/heap/size_classes.h"
#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

struct Vm;
struct LargeSpace;  // vm/heap/large_space.h
class MemoryGrant;  // vm/heap/memory_grant.h
struct Collector;   // phases, gray lists, pacing: vm/heap/collector.h

/// What was allocated: cells, with as many bytes as they have, and large objects. An object's storage is an object of its own.
struct Allocated {
  uint64_t bytes = 0, objects = 0;  ///< since the heap was made
  Allocated& operator+=(const Allocated& other) {
    bytes += other.bytes;
    objects += other.objects;
    return *this;
  }
  friend Allocated operator-(const Allocated& a, const Allocated& b) { return {a.bytes - b.bytes, a.objects - b.objects}; }
};

class Heap {
 public:
  explicit Heap(Vm& vm);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// A zeroed-header object of `size_bytes`; the body is uninitialised. Never null; size_bytes <=
  /// kMaxSmallBytes.
  Object* allocate_small(ObjectType type, size_t size_bytes) {
    const int size_class = size_class_of(size_bytes);
    BumpRun& run = runs_[size_class];
    char* cell = run.next;
    if (cell == run.end) [[unlikely]]
      return allocate_slow(type, size_class);
    run.next = cell + kClassBytes[size_class];
    return initialize(cell, type, 0);
  }
  /// Any size; null when the memory limit (or the system) refuses a large one.
  Object* allocate(ObjectType type, size_t size_bytes) {
    return size_bytes <= kMaxSmallBytes ? allocate_small(type, size_bytes) : allocate_large(type, size_bytes);
  }
  /// An object with a C++ destructor: `T` must derive from Object. Its memory is accounted by sizeof(T) +
  /// account().
  template <typename T>
  T* allocate_destructible(ObjectType type);

  /// Frees storage (Bytes, Values, Nodes) that nothing else can reference: a table's old elements. Never
  /// needed, but keeps the heap small. Null is allowed.
  void free_storage(Object* storage);
  /// The same storage with room for more, perhaps elsewhere: what it holds is not copied. Counts as an allocation. Null: not like that,
  /// and nothing has changed.
  Object* grow_storage(Object* storage, size_t size_bytes);

  /// External memory of destructible objects, machine code, buffers: counted in total_bytes.
  void account(ptrdiff_t bytes) {
    external_bytes_ += static_cast<size_t>(bytes);
    debt_bytes_ += bytes;
  }

  /// The same for what functions own (bytecode, caches, machine code). Most of it lives as long as the program: the heap may not grow
  /// the further for it before a cycle starts (pacing.cpp).
  void account_function(ptrdiff_t bytes) {
    account(bytes);
    function_bytes_ += static_cast<size_t>(bytes);
  }

  /// A safepoint. Cheap when there is nothing to do. Raises "not enough memory" when over the limit after a
  /// full collection; runs finalizers.
  Status safepoint() {
    if (debt_bytes_ > 0) [[unlikely]]
      return step();
    return {};
  }
  bool needs_step() const { return debt_bytes_ > 0; }
  /// The system has refused memory (vm/heap/emergency_memory.h): the next safepoint collects, and raises "not enough memory" if
  /// that does not help.
  void memory_is_short() { debt_bytes_ = PTRDIFF_MAX / 2; }
  Status step();          ///< the slow part of safepoint()
  Status collect_full();  ///< a whole cycle and the finalizers; a safepoint

  /// Call after storing `value` into `owner` (any object that references values). Storage objects (Bytes,
  /// Values, Nodes) count too: after giving a table new storage, call write_barrier(table, storage).
  void write_barrier(Object* owner, const Value& value) {
    if (marking_ && value.is_collectable()) [[unlikely]]
      barrier_slow(owner, value.as_object());
  }
  void write_barrier(Object* owner, Object* target) {
    if (marking_ && target != nullptr) [[unlikely]]
      barrier_slow(owner, target);
  }
  bool marking() const { return marking_; }
  /// Meaningful from the end of marking until the mark bits change places: for weak references in the atomic
  /// phase.
  bool is_marked(const Object* object) const {
    if ((object->gc_flags & Object::kLarge) != 0) return is_large_marked(object);
    return is_small_marked(object);
  }
  /// The same for an object known to be small; does not touch the object.
  bool is_small_marked(const Object* object) const {
    const MarkBit bit(object);
    return (bit.block->bits[blocks_.mark_index][bit.word] & bit.mask) != 0;
  }

  /// Everything that was ever allocated, also by machine code, which only moves the ends of runs.
  Allocated allocated() const;
  uint64_t allocated_bytes() const {
    uint64_t ends = 0;
    for (const BumpRun& run : runs_) ends += reinterpret_cast<uintptr_t>(run.next);
    return retired_.bytes + ends - run_starts_sum_;
  }

  // --- collectgarbage (manual §6.1)
  size_t total_bytes() const;  ///< in use, external memory included
  void stop();
  void restart();
  bool is_running() const;
  Result<bool> step_kilobytes(int kilobytes);  ///< "step"; true when a cycle ended. A safepoint
  int set_pause(int percent);                  ///< returns the previous value
  int set_step_multiplier(int percent);
  bool set_generational(bool on);  ///< returns whether it was on. Both modes collect in the same way
  /// A finalizer is running: collectgarbage then does nothing and returns fail (lua_gc's -1).
  bool in_finalizer() const;

  /// The program ends: reports the paths that suspended coroutines are on (TierHooks::path_cut). Call it
  /// once.
  void cut_suspended_paths();

  // --- limits
  void set_limit(size_t bytes);  ///< 0: none
  /// Instead of a limit: `grant` says each time how much there may be. False: it refuses what is in use already. Null: no limit.
  bool set_grant(MemoryGrant* grant);
  /// Whether the heap may hold so many bytes; a grant is asked when they are more than it gave before.
  bool may_hold(size_t bytes) {
    return limit_bytes_ == 0 || bytes <= limit_bytes_ || (grant_ != nullptr && ask_for(bytes));
  }
  /// Before a big allocation made by a native function with all its values rooted: collects if that would
  /// pass the limit.
  Status ensure_headroom(size_t bytes);

  /// Test mode: a full collection at every safepoint.
  void set_stress(bool on);

  /// The object gets its __gc called when it dies (manual §2.5.3). Call when a metatable with __gc is set.
  void add_finalizable(Object* object);
  /// At lua_close: calls all pending finalizers.
  void finalize_all();

  Collector& collector() { return *collector_; }

 private:
  friend struct Collector;
  friend struct HeapLayout;

  static Object* initialize(char* cell, ObjectType type, uint8_t gc_flags) {
    Object* object = reinterpret_cast<Object*>(cell);
    object->type = type;
    object->gc_flags = gc_flags;
    object->type_flags = 0;
    object->type_byte = 0;
    object->type_word = 0;
    return object;
  }
  bool ask_for(size_t bytes);
  Object* allocate_slow(ObjectType type, int size_class);
  Object* allocate_large(ObjectType type, size_t size_bytes);
  bool is_large_marked(const Object* object) const;
  void register_destructible(Object* object);
  void count_run(int size_class);
  void retire_runs();
  void barrier_slow(Object* owner, Object* target);

  BumpRun runs_[kSizeClassCount];
  /// > 0: a step is due. Work that cannot wait (finalizers, threads to unwind, stress mode, the limit passed)
  /// sets it to kUrgentDebt, so that one comparison serves all.
  ptrdiff_t debt_bytes_ = 0;
  size_t small_bytes_ = 0;  ///< survivors and runs handed out since
  size_t external_bytes_ = 0;
  size_t function_bytes_ = 0;  ///< of these: what functions own
  size_t limit_bytes_ = 0;  ///< 0: none; what grant_ said last
  MemoryGrant* grant_ = nullptr;
  char* run_starts_[kSizeClassCount] = {};
  uint64_t run_starts_sum_ = 0;  ///< modulo 2^64
  Allocated retired_;            ///< outside of the runs that are in use
  bool marking_ = false;
  Vm& vm_;
  BlockSpace blocks_;
  std::unique_ptr<LargeSpace> large_;
  std::unique_ptr<Collector> collector_;
};

/// What compiled code does inline: bump allocation, the test of the write barrier, the test at a safepoint.
struct HeapLayout {
  static constexpr size_t kRuns = offsetof(Heap, runs_);         ///< BumpRun[kSizeClassCount]
  static constexpr size_t kDebtBytes = offsetof(Heap, debt_bytes_);  ///< bytes allocated less work done: a step of the collector is due when it is positive
  static constexpr size_t kMarking = offsetof(Heap, marking_);  ///< marking runs: stores have to tell of it
};

template <typename T>
T* Heap::allocate_destructible(ObjectType type) {
  static_assert(sizeof(T) <= kMaxSmallBytes);
  Object* cell = allocate_small(type, sizeof(T));
  T* object = new (static_cast<void*>(cell)) T();
  initialize(reinterpret_cast<char*>(object), type, Object::kDestructible);
  register_destructible(object);
  return object;
}

}  // namespace mangata
