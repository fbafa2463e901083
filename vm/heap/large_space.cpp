// Large objects; see large_space.h.
#include "vm/heap/large_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "vm/heap/fixed_addresses.h"
#include "vm/heap/huge_pages.h"

namespace mangata {

namespace {

constexpr size_t kLineBytes = 64;
constexpr size_t kPageBytes = 4096;
/// From this size on, memory comes from the system: the arrays that a growing table leaves behind are too small for its next one, and
/// would stay behind in the allocator for good (sieve: 27 MB).
constexpr size_t kMapBytes = 256 * 1024;

bool is_mapped(size_t total_bytes) { return total_bytes >= kMapBytes; }

/// What an object takes that needs so many bytes with its header: whole cache lines, or whole pages.
size_t total_bytes_for(size_t bytes) {
  const size_t unit = is_mapped(bytes) ? kPageBytes : kLineBytes;
  return (bytes + unit - 1) & ~(unit - 1);
}

/// The header stands in the first cache line of its allocation.
char* base_of(LargeHeader* header) {
  return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(header) & ~(kLineBytes - 1));
}

/// Of an object of so many bytes that begins there.
size_t bytes_with_header(const char* base, LargeHeader* header, size_t size_bytes) {
  return total_bytes_for(static_cast<size_t>(reinterpret_cast<char*>(header->object()) - base) + size_bytes);
}

void ask_for_huge_pages_if_large(void* base, size_t total_bytes) {
  if (total_bytes >= kHugePageBytes) ask_for_huge_pages(base, total_bytes);
}

void* acquire(size_t total_bytes, MappingCache* mappings) {
  if (!is_mapped(total_bytes)) return std::aligned_alloc(kLineBytes, total_bytes);
  if (void* former = mappings->take(total_bytes)) return former;
  void* base = mmap(address_for_heap(total_bytes), total_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  ask_for_huge_pages_if_large(base, total_bytes);
  return base;
}

/// With what is cached given back to the system for it, but not the reserve of the process: null is an error that can be raised.
void* acquire_if_possible(size_t total_bytes, MappingCache* mappings) {
  void* base = acquire(total_bytes, mappings);
  if (base != nullptr) return base;
  mappings->clear();
  return acquire(total_bytes, mappings);
}

void release(LargeHeader* header, MappingCache* mappings) {
  char* const base = base_of(header);
  const size_t total_bytes = bytes_with_header(base, header, header->size_bytes);
  if (is_mapped(total_bytes)) {
    mappings->give(base, total_bytes);
  } else {
    std::free(base);
  }
}

/// Null: the system refuses. ThreadSanitizer does not see mremap, and would take what other threads once did at the new place for races:
/// for it, objects are copied.
char* move_mapping([[maybe_unused]] char* base, [[maybe_unused]] size_t bytes, [[maybe_unused]] size_t new_bytes) {
#if defined(__SANITIZE_THREAD__)
  return nullptr;
#else
  void* const place = address_for_heap(new_bytes);
  void* const moved = place == nullptr ? mremap(base, bytes, new_bytes, MREMAP_MAYMOVE)
                                       : mremap(base, bytes, new_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  if (moved == MAP_FAILED) return nullptr;
  ask_for_huge_pages_if_large(moved, new_bytes);
  return static_cast<char*>(moved);
#endif
}

}  // namespace

LargeSpace::~LargeSpace() {
  for (LargeHeader* header : objects) release(header, &mappings);
}

LargeHeader* LargeSpace::allocate(size_t size_bytes, size_t payload_offset) {
  if (size_bytes > PTRDIFF_MAX / 2) return nullptr;
  const size_t object_offset = kLineBytes - payload_offset;
  auto* base = static_cast<char*>(acquire_if_possible(total_bytes_for(object_offset + size_bytes), &mappings));
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

LargeHeader* LargeSpace::grow(LargeHeader* header, size_t size_bytes) {
  char* base = base_of(header);
  const size_t total_bytes = bytes_with_header(base, header, header->size_bytes);
  const size_t new_total_bytes = bytes_with_header(base, header, size_bytes);
  if (!is_mapped(total_bytes)) return nullptr;
  if (!mappings.extend(base, total_bytes, new_total_bytes)) {
    if (mappings.has(new_total_bytes)) return nullptr;  // to copy costs less than to touch new pages
    char* const moved = move_mapping(base, total_bytes, new_total_bytes);
    if (moved == nullptr) return nullptr;
    header = reinterpret_cast<LargeHeader*>(moved + (reinterpret_cast<char*>(header) - base));
    objects[header->index] = header;
  }
  bytes += size_bytes - header->size_bytes;
  header->size_bytes = size_bytes;
  return header;
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
