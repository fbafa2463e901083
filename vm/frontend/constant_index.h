// Where each constant already is in the constant list of its function: one hash table for a whole
// compilation.
//
// Entries carry the serial number of their function, so nothing is removed when a function ends, and the
// enclosing function finds its constants again. Keys are exact bits: 1 and 1.0, 0.0 and -0.0 are different
// constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/object/hash_key.h"
#include "vm/value/value.h"

namespace mangata {

class ConstantIndex {
 public:
  /// Empty.
  ConstantIndex() : entries_(kFirstCount, Entry{Value::nil(), 0, 0}) {}

  /// The index of `value` in the function `function_serial` (>= 1), or `next_index` when it is new there:
  /// then it must be appended.
  int find_or_add(uint32_t function_serial, const Value& value, int next_index) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    Entry& entry = find(function_serial, value);
    if (entry.function_serial == 0) {
      entry = {value, function_serial, next_index};
      count_++;
    }
    return entry.index;
  }

  /// Programs have sequences of both: the bits of one are mixed before those of the other come in, or equal
  /// ones would cancel. Floats differ in their upper bits only, which a product carries to no lower ones.
  static size_t hash_of(uint32_t function_serial, const Value& value) {
    uint64_t hash = (value.payload ^ static_cast<uint64_t>(value.tag) << 56) * kHashMultiplier;
    hash = (hash ^ hash >> 32) + function_serial;
    hash *= kHashMultiplier;
    return static_cast<size_t>(hash ^ hash >> 32);
  }

  size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    Value value;
    uint32_t function_serial;  ///< 0: free
    int index;
  };

  Entry& find(uint32_t function_serial, const Value& value) {
    size_t i = hash_of(function_serial, value) & (entries_.size() - 1);
    while (entries_[i].function_serial != 0 &&
           !(entries_[i].function_serial == function_serial && entries_[i].value.is_identical(value))) {
      i = (i + 1) & (entries_.size() - 1);
    }
    return entries_[i];
  }

  void grow() {
    std::vector<Entry> old(entries_.size() * 2, Entry{Value::nil(), 0, 0});
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.function_serial != 0) find(entry.function_serial, entry.value) = entry;
    }
  }

  /// Few: what a chunk of a line needs, and what the allocator has at hand.
  static constexpr size_t kFirstCount = 16;

  std::vector<Entry> entries_;
  size_t count_ = 0;
};

}  // namespace mangata
