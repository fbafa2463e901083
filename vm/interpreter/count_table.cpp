#include "vm/interpreter/count_table.h"

namespace mangata {

HashedCounts::Slot* HashedCounts::add(uint64_t key) {
  constexpr size_t kFirstSlots = 256;
  assert(key != kNoKey);
  if (2 * (used_ + 1) > slots_.size()) {
    LowArray<Slot> old = std::move(slots_);
    slots_ = LowArray<Slot>(old.empty() ? kFirstSlots : 2 * old.size());
    for (Slot& slot : slots_) slot.key = kNoKey;
    first_ = slots_.data();
    offset_mask_ = (slots_.size() - 1) * sizeof(Slot);
    for (const Slot& slot : old) {
      if (slot.key != kNoKey) *find(slot.key) = slot;
    }
  }
  ++used_;
  Slot* slot = find(key);
  *slot = {key, 0};
  return slot;
}

}  // namespace mangata
