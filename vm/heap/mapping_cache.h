// Mappings of large objects that died lately, for the next ones of the same size.
//
// [DESIGN] A table that grows doubles its elements, and a program that fills one such table after another asks the system for the same
// sizes again and again: the pages of each have to be cleared and entered anew. bench/suite/sieve.lua spent more than half of its
// time there, none of it its own. So the latest mappings are kept, up to kMostBytes; one that nobody has taken in a whole cycle of the
// collector goes back.
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

  /// Memory of some former object; null: there is none of that size.
  void* take(size_t bytes);
  /// Instead of munmap(). When there are too many, the oldest go back to the system, or this one.
  void give(void* base, size_t bytes);
  void clear();
  /// A cycle of the collector has ended.
  void cycle_ended();

  static constexpr size_t kMostBytes = 16u << 20;  ///< so much is kept for later use

 private:
  struct Mapping {
    void* base;
    size_t bytes;
    bool is_old;  ///< a cycle has ended since it was given
  };
  Mapping remove(size_t index);
  void drop(size_t index);

  std::vector<Mapping> mappings_;  ///< the oldest first
  size_t bytes_ = 0;
};

}  // namespace mangata
