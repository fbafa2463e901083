// Large objects: one by one from the system allocator, behind a header with the mark.
//
// A large object is marked when `marked_epoch` equals the epoch of the cycle; starting a cycle moves the
// epoch on, so nothing is cleared. Dead ones are freed bit by bit after marking (sweep_some); objects made
// meanwhile are born marked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/heap/mapping_cache.h"
#include "vm/object/object.h"

namespace mangata {

struct LargeHeader {
  size_t size_bytes;  ///< of the object, without this header
  uint32_t index;     ///< in LargeSpace::objects
  uint32_t marked_epoch;  ///< LargeSpace::epoch of the last cycle that has reached it

  Object* object() { return reinterpret_cast<Object*>(this + 1); }
  static LargeHeader* of(const Object* object) {
    return reinterpret_cast<LargeHeader*>(const_cast<Object*>(object)) - 1;
  }
};
static_assert(sizeof(LargeHeader) == 16);

struct LargeSpace {
  LargeSpace() = default;
  ~LargeSpace();
  LargeSpace(const LargeSpace&) = delete;
  LargeSpace& operator=(const LargeSpace&) = delete;

  /// An object with an uninitialised header, or null when the system refuses. What lies `payload_offset`
  /// bytes into the object (8 or 16) starts a cache line: in big arrays of values or nodes an access then
  /// touches one line, not two.
  LargeHeader* allocate(size_t size_bytes, size_t payload_offset);
  void free(LargeHeader* header);
  /// The object with room for more, perhaps elsewhere, without a copy of what it holds; its mark stays. Null: it is too small for that,
  /// or the system refuses, and all is as it was. Precondition: it had less.
  LargeHeader* grow(LargeHeader* header, size_t size_bytes);

  /// Nothing is marked any more.
  void start_marking() { ++epoch; }
  /// Marking has ended: everything without the epoch is dead.
  void start_sweep() {
    unswept = objects.size();
    mappings.cycle_ended();
  }
  bool sweeping() const { return unswept != 0; }
  /// Frees dead objects among the next `count`; returns the bytes freed.
  size_t sweep_some(size_t count);

  std::vector<LargeHeader*> objects;  ///< all, in no order
  size_t unswept = 0;  ///< objects[0..unswept-1] are still to be swept
  size_t bytes = 0;    ///< of all objects
  uint32_t epoch = 1;  ///< of the cycle; an object with another one is not marked
  MappingCache mappings;  ///< memory of objects that died
};

}  // namespace mangata
