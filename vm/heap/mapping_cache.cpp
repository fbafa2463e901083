#include "vm/heap/mapping_cache.h"

#include <sys/mman.h>

namespace mangata {

MappingCache::~MappingCache() {
  while (!mappings_.empty()) drop(mappings_.size() - 1);
}

void MappingCache::drop(size_t index) {
  munmap(mappings_[index].base, mappings_[index].bytes);
  bytes_ -= mappings_[index].bytes;
  mappings_.erase(mappings_.begin() + static_cast<ptrdiff_t>(index));
}

void* MappingCache::take(size_t bytes) {
  for (size_t i = mappings_.size(); i-- > 0;) {  // the latest may still be in the processor's caches
    if (mappings_[i].bytes != bytes) continue;
    void* base = mappings_[i].base;
    bytes_ -= bytes;
    mappings_.erase(mappings_.begin() + static_cast<ptrdiff_t>(i));
    return base;
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
