// The intern table of short strings. It holds its strings weakly: the collector sweeps it at the end of
// marking.
//
// [DESIGN] Open addressing with linear probing over two parallel arrays, hashes and strings: a probe reads
// the hashes and touches a string only when its whole hash agrees; the sweep reads the arrays and the mark
// bits, and no string at all. Strings of one byte, which programs that go through text byte by byte ask for
// all the time, are also in an array by that byte.
//
// Positions come from the hash that strings keep, which is the same in every process, until a probe of an
// insertion gets longer than any that comes by chance: then somebody has chosen strings, and all get
// positions by a hash with a random key. Nobody sees the order of this table. The hash that strings keep
// stays the plain one: it places keys in tables (hash_index.h).
//
// A string that is white while marking may be returned by intern(): the caller stores it somewhere
// that will be traced.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "vm/object/hash_key.h"
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
  String* intern(std::string_view text) {
    if (text.size() != 1) return find_or_insert(text);
    String*& string = of_one_byte_[static_cast<unsigned char>(text[0])];
    if (string == nullptr) string = find_or_insert(text);
    return string;
  }

  /// Removes unmarked strings. Called by the collector when marking has ended.
  /// @param keeps_room  the table stays as large as the strings before needed: the program is likely to fill it again
  void sweep(bool keeps_room);

  uint32_t string_count() const { return string_count_; }
  /// How many places the longest search for one of the strings looks at.
  uint32_t longest_probe() const;

 private:
  String* find_or_insert(std::string_view text);
  String* insert(std::string_view text, uint32_t hash, uint32_t position);
  void place(String* string, uint32_t hash);
  /// False: the system refuses; nothing has changed.
  bool resize(uint32_t capacity, bool with_new_key = false);
  void note_long_probe();

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  template <typename T>
  using Zeros = std::unique_ptr<T[], Free>;  ///< of calloc

  Heap& heap_;
  HashKey key_ = kPlainHashKey;
  bool is_rekeyed_ = false;  ///< the key is a random one
  uint32_t long_probes_until_rekey_ = 1;
  uint32_t mask_;  ///< capacity - 1; the capacity is a power of two
  uint32_t string_count_ = 0;
  Zeros<uint32_t> hashes_;
  Zeros<String*> strings_;  ///< null: free
  std::array<String*, 256> of_one_byte_ =
      {};  ///< those of the table that are, by that byte; null: not looked for yet
};

}  // namespace mangata
