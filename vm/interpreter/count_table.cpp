#include "vm/interpreter/count_table.h"

#include <algorithm>
#include <vector>

namespace mangata {
namespace {

constexpr size_t kFirstSlots = 256;
constexpr size_t kSmallSlots = 4096;  ///< tables up to this size need no leave

}  // namespace

HashedCounts::~HashedCounts() {
  if (budget_ != nullptr && slots_.size() > kSmallSlots) budget_->bytes_left += slots_.size() * sizeof(Slot);
}

bool HashedCounts::may_grow_to(size_t slots) {
  if (budget_ == nullptr || slots <= kSmallSlots) return true;
  const size_t held = slots_.size() > kSmallSlots ? slots_.size() : 0;
  const size_t wanted = (slots - held) * sizeof(Slot);
  if (wanted > budget_->bytes_left) return false;
  budget_->bytes_left -= wanted;
  return true;
}

void HashedCounts::grow_to(size_t slots) {
  LowArray<Slot> old = std::move(slots_);
  slots_ = LowArray<Slot>(slots);
  for (Slot& slot : slots_) slot.key = kNoKey;
  first_ = slots_.data();
  offset_mask_ = (slots_.size() - 1) * sizeof(Slot);
  for (const Slot& slot : old) {
    if (slot.key != kNoKey) *find(slot.key) = slot;
  }
}

void HashedCounts::give_up_half() {
  std::vector<Slot> kept;
  kept.reserve(used_);
  for (const Slot& slot : slots_) {
    if (slot.key != kNoKey) kept.push_back(slot);
  }
  // Equal counts are told apart by their keys, so that what is left does not depend on where they lay.
  const auto is_hotter = [](const Slot& a, const Slot& b) { return a.count != b.count ? a.count > b.count : a.key < b.key; };
  const auto middle = kept.begin() + static_cast<ptrdiff_t>(kept.size() / 2);
  std::nth_element(kept.begin(), middle, kept.end(), is_hotter);
  given_up_.most_missing += middle->count;
  for (auto slot = middle; slot != kept.end(); ++slot) {
    given_up_.keys += slot->count != 0;
    given_up_.executions += slot->count;
  }
  kept.erase(middle, kept.end());
  for (Slot& slot : slots_) slot = {kNoKey, 0};
  for (const Slot& slot : kept) *find(slot.key) = slot;
  used_ = kept.size();
}

HashedCounts::Slot* HashedCounts::add(uint64_t key) {
  assert(key != kNoKey);
  if (2 * (used_ + 1) > slots_.size()) {
    const size_t wanted = slots_.empty() ? kFirstSlots : 2 * slots_.size();
    if (may_grow_to(wanted)) {
      grow_to(wanted);
    } else {
      give_up_half();
    }
  }
  ++used_;
  Slot* slot = find(key);
  *slot = {key, 0};
  return slot;
}

}  // namespace mangata
