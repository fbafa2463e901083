// The heap: a precise, non-moving, incremental mark-sweep collector.
//
// [DESIGN] Small objects (<= kMaxSmallBytes) live in 64 KiB blocks of one size class; a block keeps two bitmaps, `live` (cells
// handed out) and `mark`. Allocation bumps a pointer through runs of free cells. Larger objects are allocated one by one
// behind a LargeHeader. Sweeping is lazy and only copies bitmaps: objects have no finalization of their own, except those in
// the list of destructible objects (Proto, Shape, Thread), whose C++ destructors run at the end of marking.
//
// Allocation never collects. Collection work happens only in Heap::step, called from safepoints: after an allocating
// instruction, and after a native function returns. At a safepoint every live value is in a VM stack below Thread::top,
// reachable from a root of the Vm, or gone. So C++ code may hold unrooted objects across allocations, but not across a
// call that can run Lua code or reach a safepoint.
//
// Small allocations never fail: when the memory limit is passed, the next safepoint collects, and raises "not enough
// memory" if that did not help. Large ones (strings, elements, hash parts, buffers) return null at the limit.
//
// New objects are white. While marking (`marking` is true) a store into a black object re-grays it: write_barrier().
//
// Read next: vm/heap/block.h, vm/heap/collector.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "vm/error.h"
#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

struct Vm;
struct BlockSpace;  // blocks and size classes: vm/heap/block.h
struct Collector;   // phases, gray lists, pacing: vm/heap/collector.h

inline constexpr size_t kMaxSmallBytes = 8192;
inline constexpr int kSizeClassCount = 48;  ///< an upper bound; see size_class_of

class Heap {
 public:
  explicit Heap(Vm& vm);
  ~Heap();

  /// A zeroed-header object of `size_bytes`; the body is uninitialised. Never null; size_bytes <= kMaxSmallBytes.
  Object* allocate_small(ObjectType type, size_t size_bytes) {
    const int size_class = size_class_of(size_bytes);
    BumpRun& run = runs_[size_class];
    char* cell = run.next;
    char* after = cell + class_bytes_[size_class];
    if (after > run.end) [[unlikely]] return allocate_slow(type, size_class);
    run.next = after;
    return initialize(cell, type, 0);
  }
  /// Any size; null when the memory limit (or the system) refuses a large one.
  Object* allocate(ObjectType type, size_t size_bytes) {
    return size_bytes <= kMaxSmallBytes ? allocate_small(type, size_bytes) : allocate_large(type, size_bytes);
  }
  /// An object with a C++ destructor: `T` must derive from Object. Its memory is accounted by sizeof(T) + account().
  template <typename T>
  T* allocate_destructible(ObjectType type);

  /// Frees storage that nothing else can reference (a table's old elements). Never needed, but keeps the heap small.
  void free_storage(Object* storage);

  /// External memory of destructible objects, machine code, buffers: counted in total_bytes.
  void account(ptrdiff_t bytes) { external_bytes_ += bytes; debt_bytes_ += bytes; }

  /// A safepoint. Cheap when there is nothing to do. Raises "not enough memory" when over the limit after a full collection;
  /// runs finalizers.
  Status safepoint() {
    if (debt_bytes_ > 0 || pending_work_) [[unlikely]] return step();
    return {};
  }
  bool needs_step() const { return debt_bytes_ > 0 || pending_work_; }
  Status step();                 ///< the slow part of safepoint()
  Status collect_full();         ///< a whole cycle and the finalizers; a safepoint

  /// Call after storing `value` into `owner` (any object that references values).
  void write_barrier(Object* owner, const Value& value) {
    if (marking_ && value.is_collectable()) [[unlikely]] barrier_slow(owner, value.as_object());
  }
  void write_barrier(Object* owner, Object* target) {
    if (marking_ && target != nullptr) [[unlikely]] barrier_slow(owner, target);
  }
  bool marking() const { return marking_; }
  bool is_marked(const Object* object) const;
  /// Keeps a possibly dead object alive: interning found an unmarked string while the string table waits to be swept.
  void resurrect(Object* object);

  // --- collectgarbage (manual §6.1)
  size_t total_bytes() const;    ///< in use, external memory included
  void stop();
  void restart();
  bool is_running() const;
  bool step_kilobytes(int kilobytes);  ///< "step"; true when a cycle ended. Finalizers run at the next safepoint
  int set_pause(int percent);          ///< returns the previous value
  int set_step_multiplier(int percent);
  bool set_generational(bool on);      ///< returns whether it was on

  // --- limits
  void set_limit(size_t bytes);  ///< 0: none
  size_t limit() const { return limit_bytes_; }
  /// Before a big allocation made by a native function with all its values rooted: collects if that would pass the limit.
  Status ensure_headroom(size_t bytes);

  /// Test mode: a full collection at every safepoint.
  void set_stress(bool on);

  /// The object gets its __gc called when it dies (manual §2.5.3).
  void add_finalizable(Object* object);
  /// At lua_close: calls all pending finalizers.
  void finalize_all();

  static int size_class_of(size_t size_bytes) {
    if (size_bytes <= 256) return static_cast<int>((size_bytes + 15) >> 4);  // 16-byte steps: classes 1..16
    return size_class_of_large_cell(size_bytes);
  }

  Collector& collector() { return *collector_; }

 private:
  friend struct Collector;
  friend struct BlockSpace;
  struct BumpRun {
    char* next = nullptr;
    char* end = nullptr;
  };

  static Object* initialize(char* cell, ObjectType type, uint8_t gc_flags) {
    Object* object = reinterpret_cast<Object*>(cell);
    object->type = type;
    object->gc_flags = gc_flags;
    object->type_flags = 0;
    object->type_byte = 0;
    object->type_word = 0;
    return object;
  }
  static int size_class_of_large_cell(size_t size_bytes);
  Object* allocate_slow(ObjectType type, int size_class);
  Object* allocate_large(ObjectType type, size_t size_bytes);
  void register_destructible(Object* object, size_t size_bytes);
  void barrier_slow(Object* owner, Object* target);

  BumpRun runs_[kSizeClassCount];
  uint32_t class_bytes_[kSizeClassCount] = {};
  ptrdiff_t debt_bytes_ = 0;       ///< > 0: a step is due
  size_t external_bytes_ = 0;
  size_t limit_bytes_ = 0;
  bool marking_ = false;
  bool pending_work_ = false;      ///< finalizers to call, threads to unwind, stress mode, or over the limit
  Vm& vm_;
  std::unique_ptr<BlockSpace> blocks_;
  std::unique_ptr<Collector> collector_;
};

template <typename T>
T* Heap::allocate_destructible(ObjectType type) {
  static_assert(sizeof(T) <= kMaxSmallBytes);
  Object* cell = allocate_small(type, sizeof(T));
  T* object = new (static_cast<void*>(cell)) T();
  initialize(reinterpret_cast<char*>(object), type, Object::kDestructible);
  register_destructible(object, sizeof(T));
  return object;
}

}  // namespace mangata
