// Large objects; see large_space.h.
#include "vm/heap/large_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "vm/heap/fixed_addresses.h"

namespace mangata {

namespace {

constexpr size_t kLineBytes = 64;
/// From this size on, memory comes from the system: the arrays that a growing table leaves behind are too small for its next one, and
/// would stay behind in the allocator for good (sieve: 27 MB).
constexpr size_t kMapBytes = 256 * 1024;
/// From this size on, pages are huge where the system has such (block.cpp says why).
constexpr size_t kHugePageBytes = 2 * 1024 * 1024;

void* acquire(size_t total_bytes, MappingCache* mappings) {
  if (total_bytes < kMapBytes) return std::aligned_alloc(kLineBytes, total_bytes);
  if (void* former = mappings->take(total_bytes)) return former;
  void* base = mmap(address_for_heap(total_bytes), total_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  if (total_bytes >= kHugePageBytes) madvise(base, total_bytes, MADV_HUGEPAGE);
  return base;
}

/// With what is cached given back to the system for it, but not the reserve of the process: null is an error that can be raised.
void* acquire_if_possible(size_t total_bytes, MappingCache* mappings) {
  void* base = acquire(total_bytes, mappings);
  if (base != nullptr) return base;
  mappings->clear();
  return acquire(total_bytes, mappings);
}

size_t rounded_to_lines(size_t bytes) { return (bytes + kLineBytes - 1) & ~(kLineBytes - 1); }

/// The header stands in the first cache line of its allocation.
void release(LargeHeader* header, MappingCache* mappings) {
  char* object = reinterpret_cast<char*>(header->object());
  char* base = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(header) & ~(kLineBytes - 1));
  const size_t total_bytes = rounded_to_lines(static_cast<size_t>(object - base) + header->size_bytes);
  if (total_bytes < kMapBytes) {
    std::free(base);
  } else {
    mappings->give(base, total_bytes);
  }
}

}  // namespace

LargeSpace::~LargeSpace() {
  for (LargeHeader* header : objects) release(header, &mappings);
}

LargeHeader* LargeSpace::allocate(size_t size_bytes, size_t payload_offset) {
  if (size_bytes > PTRDIFF_MAX / 2) return nullptr;
  const size_t object_offset = kLineBytes - payload_offset;
  auto* base = static_cast<char*>(acquire_if_possible(rounded_to_lines(object_offset + size_bytes), &mappings));
  if (base == nullptr) return nullptr;
  auto* header = reinterpret_cast<LargeHeader*>(base + object_offset) - 1;
  try {
    objects.push_back(header);
  } catch (const std::bad_alloc&) {
    header->size_bytes = size_bytes;
    release(header, &mappings);
    return nullptr;
  }
  header->size_bytes = size_bytes;
  header->index = static_cast<uint32_t>(objects.size() - 1);
  header->marked_epoch = sweeping() ? epoch : epoch - 1;
  bytes += size_bytes;
  return header;
}

void LargeSpace::free(LargeHeader* header) {
  // The last object takes the place. If that place is still to be swept and the object is not, it carries the
  // epoch's mark or was born marked, so being looked at once more does no harm.
  objects[header->index] = objects.back();
  objects[header->index]->index = header->index;
  objects.pop_back();
  unswept = std::min(unswept, objects.size());
  bytes -= header->size_bytes;
  release(header, &mappings);
}

size_t LargeSpace::sweep_some(size_t count) {
  size_t freed_bytes = 0;
  for (; count > 0 && unswept > 0; --count) {
    LargeHeader* header = objects[--unswept];
    if (header->marked_epoch == epoch) continue;
    freed_bytes += header->size_bytes;
    free(header);
  }
  return freed_bytes;
}

}  // namespace mangata
