// The intern table of short strings. It holds its strings weakly: the collector sweeps it at the end of
// marking.
//
// [DESIGN] Open addressing with linear probing over two parallel arrays, hashes and strings: a probe reads
// the hashes and touches a string only when its whole hash agrees; the sweep reads the arrays and the mark
// bits, and no string at all. A string that is white while marking may be returned by intern(): the caller
// stores it somewhere that will be traced.
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
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;

  /// The one String with these bytes. Precondition: text.size() <= String::kMaxShortLength.
  String* intern(std::string_view text);

  /// Removes unmarked strings. Called by the collector when marking has ended.
  void sweep();

  uint32_t string_count() const { return string_count_; }

 private:
  String* insert(std::string_view text, uint32_t hash, uint32_t position);
  void place(String* string, uint32_t hash);
  void resize(uint32_t capacity);

  Heap& heap_;
  uint32_t mask_;  ///< capacity - 1; the capacity is a power of two
  uint32_t string_count_ = 0;
  std::unique_ptr<uint32_t[]> hashes_;
  std::unique_ptr<String*[]> strings_;  ///< null: free
};

}  // namespace mangata
