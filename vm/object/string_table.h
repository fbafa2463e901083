// The intern table of short strings. It holds its strings weakly: the collector sweeps it at the end of marking.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "vm/object/string.h"

namespace mangata {

class Heap;

class StringTable {
 public:
  explicit StringTable(Heap& heap);
  ~StringTable();

  /// The one String with these bytes. Precondition: text.size() <= String::kMaxShortLength.
  String* intern(std::string_view text);

  /// Removes unmarked strings. Called by the collector when marking has ended.
  void sweep();

  uint32_t seed() const { return seed_; }

 private:
  void grow();
  Heap& heap_;
  String** buckets_;
  uint32_t bucket_count_;
  uint32_t string_count_ = 0;
  uint32_t seed_;
};

}  // namespace mangata
