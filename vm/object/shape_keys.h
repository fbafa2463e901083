// The index of the keys along one lineage of shapes: key -> slot and slot -> key.
//
// [DESIGN] Shapes that descend from each other in a line (each the first child that was added to its parent)
// share one index; a shape of n slots sees only the first n keys. The youngest of them extends it; a shape
// that branches off gets an index of its own. Keys of dead descendants stay in the index as addresses: they
// are compared, never dereferenced, and their slots are beyond what any live shape sees.
//
// Read next: vm/object/shape.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/object/hash_key.h"
#include "vm/object/string.h"

namespace mangata {

class ShapeKeyTable {
 public:
  uint32_t size() const { return static_cast<uint32_t>(by_slot_.size()); }

  const String* at(uint32_t slot) const { return by_slot_[slot]; }

  /// The slot of `key`, or UINT32_MAX. The caller ignores slots beyond its own.
  uint32_t find(const String* key) const {
    for (uint32_t i = position(key);; i = (i + 1) & mask_) {
      const uint32_t slot = buckets_[i] - 1;
      if (slot == UINT32_MAX || by_slot_[slot] == key) return slot;
    }
  }

  /// Appends `key`, which must be absent, as the next slot.
  void add(const String* key) {
    by_slot_.push_back(key);
    if (size() * 2 > buckets_.size()) {
      grow();
    } else {
      place(size() - 1);
    }
  }

 private:
  uint32_t position(const String* key) const {
    const uint64_t bits = reinterpret_cast<uint64_t>(key) >> 4;
    return static_cast<uint32_t>((bits * kHashMultiplier) >> 32) & mask_;
  }
  void place(uint32_t slot) {
    uint32_t i = position(by_slot_[slot]);
    while (buckets_[i] != 0) i = (i + 1) & mask_;
    buckets_[i] = slot + 1;
  }
  void grow() {
    buckets_.assign(buckets_.empty() ? 32 : buckets_.size() * 2, 0);
    mask_ = static_cast<uint32_t>(buckets_.size()) - 1;
    for (uint32_t slot = 0; slot < size(); ++slot) place(slot);
  }

  std::vector<const String*> by_slot_;
  std::vector<uint32_t> buckets_ = std::vector<uint32_t>(32, 0);  ///< slot + 1; 0: empty. At most half full
  uint32_t mask_ = 31;
};

}  // namespace mangata
