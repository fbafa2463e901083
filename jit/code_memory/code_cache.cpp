#include "jit/code_memory/code_cache.h"

#include <sys/mman.h>

#include <cassert>
#include <cstring>

namespace mangata {
namespace {

/// int3: a jump to code that is gone stops there and then.
constexpr int kTrapByte = 0xCC;

/// Writing traps over what is released brings its pages back into the RW alias (CodeArena::leave_alias). Small regions share their pages
/// with others.
void leave_alias_of(const CodeRegion& region) {
  constexpr uintptr_t kPageBytes = 4096;
  if (region.size_bytes < kPageBytes / 4) return;
  const uintptr_t start = reinterpret_cast<uintptr_t>(region.rw) & ~(kPageBytes - 1);
  const uintptr_t end = reinterpret_cast<uintptr_t>(region.rw) + region.size_bytes;
  madvise(reinterpret_cast<void*>(start), end - start, MADV_DONTNEED);  // shared memory: what was written stays
}

}  // namespace

CodeCache::CodeCache(size_t limit_bytes)
    : arena_(limit_bytes), limit_bytes_(limit_bytes), regions_(arena_.ok() ? limit_bytes : 0) {}

std::optional<CodeRegion> CodeCache::allocate(size_t size_bytes) {
  if (elsewhere_bytes_ != 0 && used_bytes() + RegionAllocator::round_up(size_bytes) > limit_bytes_) return {};
  const auto offset = regions_.allocate(size_bytes);
  if (!offset) return {};
  size_bytes = RegionAllocator::round_up(size_bytes);
  // What was released is full of traps already; memory that is used for the first time is not.
  const size_t written = arena_.written_bytes();
  const size_t end = *offset + size_bytes;
  if (end > written) {
    arena_.prepare(end);
    std::memset(arena_.rw() + written, kTrapByte, end - written);
    arena_.set_written_bytes(end);
    arena_.leave_alias(*offset);
  }
  return CodeRegion{.rx = arena_.rx() + *offset, .rw = arena_.rw() + *offset, .size_bytes = size_bytes};
}

bool CodeCache::charge_elsewhere(size_t size_bytes) {
  if (used_bytes() + size_bytes > limit_bytes_) return false;
  elsewhere_bytes_ += size_bytes;
  return true;
}

void CodeCache::shrink(CodeRegion* region, size_t used_bytes) {
  assert(used_bytes > 0 && used_bytes <= region->size_bytes);
  const size_t kept_bytes = RegionAllocator::round_up(used_bytes);
  std::memset(region->rw + used_bytes, kTrapByte, region->size_bytes - used_bytes);
  if (kept_bytes < region->size_bytes) {
    regions_.release(static_cast<size_t>(region->rw + kept_bytes - arena_.rw()),
                     region->size_bytes - kept_bytes);
  }
  region->size_bytes = kept_bytes;
}

void CodeCache::release(CodeRegion* region) {
  if (region->size_bytes == 0) return;
  if (!is_closed_) {
    std::memset(region->rw, kTrapByte, region->size_bytes);
    leave_alias_of(*region);
    regions_.release(static_cast<size_t>(region->rw - arena_.rw()), region->size_bytes);
  }
  *region = {};
}

}  // namespace mangata
