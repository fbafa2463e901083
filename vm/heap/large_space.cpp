// Large objects; see large_space.h.
#include "vm/heap/large_space.h"

#include <algorithm>
#include <cstdlib>

namespace mangata {

namespace {

constexpr size_t kLineBytes = 64;

/// The header stands in the first cache line of its allocation.
void release(LargeHeader* header) {
  std::free(reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(header) & ~(kLineBytes - 1)));
}

}  // namespace

LargeSpace::~LargeSpace() {
  for (LargeHeader* header : objects) release(header);
}

LargeHeader* LargeSpace::allocate(size_t size_bytes, size_t payload_offset) {
  if (size_bytes > PTRDIFF_MAX / 2) return nullptr;
  const size_t object_offset = kLineBytes - payload_offset;
  const size_t total_bytes = (object_offset + size_bytes + kLineBytes - 1) & ~(kLineBytes - 1);
  auto* base = static_cast<char*>(std::aligned_alloc(kLineBytes, total_bytes));
  if (base == nullptr) return nullptr;
  auto* header = reinterpret_cast<LargeHeader*>(base + object_offset) - 1;
  header->size_bytes = size_bytes;
  header->index = static_cast<uint32_t>(objects.size());
  header->marked_epoch = sweeping() ? epoch : epoch - 1;
  objects.push_back(header);
  bytes += size_bytes;
  return header;
}

void LargeSpace::free(LargeHeader* header) {
  // The last object takes the place. If that place is still to be swept and the object is not, it carries the epoch's mark
  // or was born marked, so being looked at once more does no harm.
  objects[header->index] = objects.back();
  objects[header->index]->index = header->index;
  objects.pop_back();
  unswept = std::min(unswept, objects.size());
  bytes -= header->size_bytes;
  release(header);
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
