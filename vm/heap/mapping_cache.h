// Memory of large objects that died lately, for the next ones.
//
// [DESIGN] A table that grows doubles its elements, and a program that fills one such table after another asks the system for the same
// sizes again and again: the pages of each have to be cleared and entered anew. bench/suite/sieve.lua spent more than half of its
// time there, none of it its own. So the latest ranges of memory are kept, up to kMostBytes; beyond kKeptBytes, one that nobody has taken
// in a whole cycle of the collector goes back. A smaller object takes the front of a range, and grows into the rest of it, where nothing has to be
// copied (LargeSpace::grow): the next such table ends where the last one ended. All sizes are of whole pages.
#pragma once

#include <cstddef>
#include <vector>

namespace mangata {

class MappingCache {
 public:
  MappingCache() = default;
  ~MappingCache();
  MappingCache(const MappingCache&) = delete;
  MappingCache& operator=(const MappingCache&) = delete;

  /// Memory of some former object; null: there is none that is so large.
  void* take(size_t bytes);
  bool has(size_t bytes) const { return find(bytes) != ranges_.size(); }
  /// Whether there was memory right behind the `bytes` at `base`, which are `new_bytes` now.
  bool extend(void* base, size_t bytes, size_t new_bytes);
  /// Instead of munmap(). When there are too many, the oldest go back to the system, or this one.
  void give(void* base, size_t bytes);
  void clear();
  /// A cycle of the collector has ended.
  void cycle_ended();

  static constexpr size_t kMostBytes = 16u << 20;  ///< so much is kept for later use
  static constexpr size_t kKeptBytes = 2u << 20;   ///< and so much for however long

 private:
  struct Range {
    char* base;
    size_t bytes;
    bool is_old;  ///< a cycle has ended since it was given
  };
  size_t find(size_t bytes) const;
  char* take_front(size_t index, size_t bytes);
  void drop(size_t index);

  std::vector<Range> ranges_;  ///< the oldest first
  size_t bytes_ = 0;
};

}  // namespace mangata
