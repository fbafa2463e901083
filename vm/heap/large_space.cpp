// Large objects; see large_space.h.
#include "vm/heap/large_space.h"

#include <algorithm>
#include <cstdlib>

namespace mangata {

LargeSpace::~LargeSpace() {
  for (LargeHeader* header : objects) std::free(header);
}

LargeHeader* LargeSpace::allocate(size_t size_bytes) {
  if (size_bytes > PTRDIFF_MAX / 2) return nullptr;
  auto* header = static_cast<LargeHeader*>(std::malloc(sizeof(LargeHeader) + size_bytes));
  if (header == nullptr) return nullptr;
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
  std::free(header);
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
