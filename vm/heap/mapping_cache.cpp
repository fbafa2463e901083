#include "vm/heap/mapping_cache.h"

#include <sys/mman.h>

namespace mangata {

MappingCache::~MappingCache() { clear(); }

void MappingCache::clear() {
  while (!ranges_.empty()) drop(ranges_.size() - 1);
}

/// What follows it in the range stays for others, as old as it is.
char* MappingCache::take_front(size_t index, size_t bytes) {
  Range& range = ranges_[index];
  char* const front = range.base;
  range.base += bytes;
  range.bytes -= bytes;
  bytes_ -= bytes;
  if (range.bytes == 0) ranges_.erase(ranges_.begin() + static_cast<ptrdiff_t>(index));
  return front;
}

void MappingCache::drop(size_t index) {
  const Range range = ranges_[index];
  munmap(take_front(index, range.bytes), range.bytes);
}

/// The smallest that is large enough, and of those the latest: it may still be in the processor's caches.
size_t MappingCache::find(size_t bytes) const {
  size_t best = ranges_.size();
  for (size_t i = ranges_.size(); i-- > 0;) {
    if (ranges_[i].bytes >= bytes && (best == ranges_.size() || ranges_[i].bytes < ranges_[best].bytes)) best = i;
  }
  return best;
}

void* MappingCache::take(size_t bytes) {
  const size_t index = find(bytes);
  return index == ranges_.size() ? nullptr : take_front(index, bytes);
}

bool MappingCache::extend(void* base, size_t bytes, size_t new_bytes) {
  for (size_t i = 0; i < ranges_.size(); ++i) {
    if (ranges_[i].base != static_cast<char*>(base) + bytes) continue;
    if (ranges_[i].bytes < new_bytes - bytes) return false;
    take_front(i, new_bytes - bytes);
    return true;
  }
  return false;
}

void MappingCache::give(void* base, size_t bytes) {
  ranges_.push_back({.base = static_cast<char*>(base), .bytes = bytes, .is_old = false});
  bytes_ += bytes;
  while (bytes_ > kMostBytes) drop(0);
}

void MappingCache::cycle_ended() {
  for (size_t i = 0; i < ranges_.size();) {
    if (ranges_[i].is_old && bytes_ > kKeptBytes) {
      drop(i);
    } else {
      ranges_[i++].is_old = true;
    }
  }
}

}  // namespace mangata
