#include "vm/heap/mapping_cache.h"

#include <sys/mman.h>

namespace mangata {

MappingCache::~MappingCache() { clear(); }

void MappingCache::clear() {
  while (!mappings_.empty()) drop(mappings_.size() - 1);
}

MappingCache::Mapping MappingCache::remove(size_t index) {
  const Mapping mapping = mappings_[index];
  mappings_.erase(mappings_.begin() + static_cast<ptrdiff_t>(index));
  bytes_ -= mapping.bytes;
  return mapping;
}

void MappingCache::drop(size_t index) {
  const Mapping mapping = remove(index);
  munmap(mapping.base, mapping.bytes);
}

void* MappingCache::take(size_t bytes) {
  for (size_t i = mappings_.size(); i-- > 0;) {  // the latest may still be in the processor's caches
    if (mappings_[i].bytes == bytes) return remove(i).base;
  }
  return nullptr;
}

void MappingCache::give(void* base, size_t bytes) {
  mappings_.push_back({.base = base, .bytes = bytes, .is_old = false});
  bytes_ += bytes;
  while (bytes_ > kMostBytes) drop(0);
}

void MappingCache::cycle_ended() {
  for (size_t i = mappings_.size(); i-- > 0;) {
    if (mappings_[i].is_old) {
      drop(i);
    } else {
      mappings_[i].is_old = true;
    }
  }
}

}  // namespace mangata
