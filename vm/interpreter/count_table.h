// Counters by key: an array, or a hash table when there are too many different keys for one.
//
// [DESIGN] Both are laid out for machine code. An array lies at a low address (low_memory.h). The hash table
// has open addressing: a count is inline when the first slot it looks at has the key, which is nearly always
// as at most half of the slots are taken; everything else is a call of add(). A counter may go back to 0. A
// key is only removed where a budget of memory is used up: a table that would have to grow then gives up the
// rarer half of its keys instead. What is left over rounds of this are the keys that are frequent, with counts
// that lack at most the sum of the largest count given up in each round [Manku & Motwani 2002, lossy counting],
// and the sum of all counts is known all the same.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>

#include "vm/interpreter/low_memory.h"

namespace mangata {

/// The memory that hashed counters may take together; it outlives them.
struct CountBudget {
  size_t bytes_left;  ///< shared by the tables that were given it
};

/// What a table has given up to stay within its budget.
struct GivenUpCounts {
  uint64_t keys = 0;          ///< one that came back is among them each time
  uint64_t executions = 0;    ///< the sum of their counts
  uint64_t most_missing = 0;  ///< a counter that the table has may lack so many
};

class HashedCounts {
 public:
  struct Slot {
    uint64_t key;  ///< as in CountTable
    uint64_t count;  ///< executions
  };
  static constexpr uint64_t kNoKey = UINT64_MAX;  ///< of a free slot
  /// A key's first slot is at byte (key * kMultiplier >> kShift) & offset_mask.
  static constexpr int32_t kMultiplier = 0x61c88647;
  static constexpr unsigned kShift = 16;

  HashedCounts() = default;
  ~HashedCounts();
  HashedCounts(HashedCounts&& other) noexcept { swap(other); }
  HashedCounts& operator=(HashedCounts&& other) noexcept {
    swap(other);
    return *this;
  }

  /// Its counter, which may be new. Until the next call.
  uint64_t& operator[](uint64_t key) {
    Slot* slot = find(key);
    if (slot == nullptr || slot->key != key) [[unlikely]]
      slot = add(key);
    return slot->count;
  }

  /// Calls visit(key, count) for each counter that is not 0.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.key != kNoKey && slot.count != 0) visit(slot.key, slot.count);
    }
  }
  /// 0 for a key without a counter.
  uint64_t value(uint64_t key) const {
    const Slot* slot = find(key);
    return slot == nullptr || slot->key != key ? 0 : slot->count;
  }
  /// From here on, it grows within `budget` only. Small tables grow all the same.
  void set_budget(CountBudget& budget) { budget_ = &budget; }
  const GivenUpCounts& given_up() const { return given_up_; }
  void forget_given_up() { given_up_ = {}; }

  bool empty() const {
    bool empty = true;
    for_each([&](uint64_t, uint64_t) { empty = false; });
    return empty;
  }

 private:
  friend struct HashedCountsLayout;

  /// The slot that has `key`, or the free one where it belongs; null in a table without slots.
  Slot* find(uint64_t key) { return const_cast<Slot*>(std::as_const(*this).find(key)); }
  const Slot* find(uint64_t key) const {
    if (slots_.empty()) return nullptr;
    uint64_t offset = key * kMultiplier >> kShift & offset_mask_;
    for (;;) {
      const Slot* slot = &slots_[offset / sizeof(Slot)];
      if (slot->key == key || slot->key == kNoKey) return slot;
      offset = (offset + sizeof(Slot)) & offset_mask_;
    }
  }
  Slot* add(uint64_t key);
  bool may_grow_to(size_t slots);
  void grow_to(size_t slots);
  /// Gives up the rarer half of its keys.
  void give_up_half();
  void swap(HashedCounts& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(offset_mask_, other.offset_mask_);
    std::swap(slots_, other.slots_);
    std::swap(used_, other.used_);
    std::swap(budget_, other.budget_);
    std::swap(given_up_, other.given_up_);
  }

  static inline Slot kFree{kNoKey, 0};  ///< the table of an empty table, so that machine code need not ask
  Slot* first_ = &kFree;
  uint64_t offset_mask_ = 0;
  LowArray<Slot> slots_;
  size_t used_ = 0;
  CountBudget* budget_ = nullptr;  ///< null: it may grow without end
  GivenUpCounts given_up_;
};

struct HashedCountsLayout {
  static constexpr size_t kFirst = offsetof(HashedCounts, first_);
  static constexpr size_t kOffsetMask = offsetof(HashedCounts, offset_mask_);
};

struct CountTable {
  LowArray<uint64_t> array;  ///< by key; empty when hashed
  HashedCounts hash;  ///< empty when `array` is used

  /// An execution of what the key stands for.
  void add(uint64_t key) { ++counter(key); }
  /// A new key begins at 0.
  uint64_t& counter(uint64_t key) {
    if (key < array.size()) [[likely]]
      return array[key];
    return hash[key];
  }
  /// 0 for a key without a counter.
  uint64_t value(uint64_t key) const { return key < array.size() ? array[key] : hash.value(key); }
  /// Calls visit(key, count) for each counter that is not 0.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (size_t key = 0; key < array.size(); ++key) {
      if (array[key] != 0) visit(key, array[key]);
    }
    hash.for_each(visit);
  }
};

}  // namespace mangata
