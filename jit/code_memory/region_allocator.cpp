#include "jit/code_memory/region_allocator.h"

#include <cassert>
#include <new>

namespace mangata {

RegionAllocator::RegionAllocator(size_t size_bytes) {
  size_bytes &= ~(kGranularityBytes - 1);
  if (size_bytes != 0) add_free(0, size_bytes);
}

void RegionAllocator::add_free(size_t offset, size_t size_bytes) {
  size_by_offset_.emplace(offset, size_bytes);
  by_size_.emplace(size_bytes, offset);
}

void RegionAllocator::remove_free(Spans::iterator span) {
  by_size_.erase({span->second, span->first});
  size_by_offset_.erase(span);
}

std::optional<size_t> RegionAllocator::allocate(size_t size_bytes) {
  if (size_bytes == 0 || size_bytes > largest_free_bytes())
    return {};  // also: rounding up cannot overflow now
  size_bytes = round_up(size_bytes);
  const auto [span_bytes, offset] = *by_size_.lower_bound({size_bytes, 0});
  remove_free(size_by_offset_.find(offset));
  if (span_bytes > size_bytes) add_free(offset + size_bytes, span_bytes - size_bytes);
  used_bytes_ += size_bytes;
  return offset;
}

void RegionAllocator::release(size_t offset, size_t size_bytes) {
  assert(size_bytes > 0 && size_bytes <= used_bytes_);
  assert(offset % kGranularityBytes == 0 && size_bytes % kGranularityBytes == 0);
  used_bytes_ -= size_bytes;
  const auto next = size_by_offset_.lower_bound(offset);
  assert((next == size_by_offset_.end() || offset + size_bytes <= next->first) && "released twice");
  if (next != size_by_offset_.begin()) {
    const auto previous = std::prev(next);
    assert(previous->first + previous->second <= offset && "released twice");
    if (previous->first + previous->second == offset) {
      offset = previous->first;
      size_bytes += previous->second;
      remove_free(previous);
    }
  }
  if (next != size_by_offset_.end() && next->first == offset + size_bytes) {
    size_bytes += next->second;
    remove_free(next);
  }
  try {
    add_free(offset, size_bytes);
  } catch (const std::bad_alloc&) {  // what cannot be noted stays unused
    return;
  }
}

}  // namespace mangata
