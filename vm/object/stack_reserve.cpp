#include "vm/object/stack_reserve.h"

#include <sys/mman.h>

#include <atomic>

#include "vm/heap/mapping_pool.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace mangata {
namespace {

/// What a native stack has of the first page, which is more than a coroutine needs that yields in compiled
/// code.
constexpr size_t kNativeShareBytes = 1024;

/// Mappings of the first pairs of a machine, their VM stacks all nil.
constinit MappingPool clear_mappings;

/// Of the 65530 mappings that the kernel lets a process have by default, these guards take a quarter: two
/// each.
constexpr int kMostSplitGuards = 8192;
std::atomic<int> split_guards{0};

/// From one pair to the next.
constexpr size_t stride_of(uint32_t slots) {
  const size_t vm_bytes = (slots + StackReserve::kSpareSlots) * sizeof(Value);
  const size_t bytes = NativeStack::kGuardBytes + NativeStack::kBytes + kNativeShareBytes + vm_bytes;
  const size_t pages = (bytes + StackPair::kPageBytes - 1) / StackPair::kPageBytes;
  return (pages | 1) * StackPair::kPageBytes;
}

char* map_memory(size_t bytes) {
  void* address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? nullptr : static_cast<char*>(address);
}

/// Those that split the mapping are counted.
void put_up_guard(StackPair& pair, size_t* split_count) {
  constexpr int kGuardInstall = 102;  // MADV_GUARD_INSTALL, younger than Debian 12's headers
  char* const guard = pair.guard_high() - NativeStack::kGuardBytes;
  if (madvise(guard, NativeStack::kGuardBytes, kGuardInstall) == 0) {
    pair.has_guard = true;
  } else if (split_guards.fetch_add(1, std::memory_order_relaxed) < kMostSplitGuards &&
             mprotect(guard, NativeStack::kGuardBytes, PROT_NONE) == 0) {
    pair.has_guard = true;
    ++*split_count;
  } else {
    split_guards.fetch_sub(1, std::memory_order_relaxed);
  }
}

/// AddressSanitizer remembers the bounds of variables in frames that were never returned from: those of
/// coroutines that were dropped.
void forget_frames([[maybe_unused]] const StackPair& pair) {
#if defined(__SANITIZE_ADDRESS__)
  if (!pair.was_entered) return;
  __asan_unpoison_memory_region(pair.guard_high(),
                                static_cast<size_t>(pair.native_high() - pair.guard_high()));
#endif
}

}  // namespace

bool StackReserve::map(size_t kind, uint32_t slots, size_t count, std::vector<StackPair*>& free) {
  const size_t stride = stride_of(slots);
  char* address = mappings_.empty() && count == kStackKinds[0].per_mapping ? clear_mappings.take() : nullptr;
  if (address == nullptr) address = map_memory(stride * count);
  if (address == nullptr) return false;
  mappings_.push_back({address, stride * count, std::make_unique<StackPair[]>(count), count});
  constexpr size_t kNativeBytes = NativeStack::kGuardBytes + NativeStack::kBytes + kNativeShareBytes;
  for (size_t i = count; i-- > 0;) {
    StackPair& pair = mappings_.back().pairs[i];
    pair.bottom = reinterpret_cast<Value*>(address + i * stride + kNativeBytes);
    pair.slots = slots;
    pair.kind = static_cast<uint8_t>(kind);
    free.push_back(&pair);
  }
  counts_[kind] += count;
  return true;
}

bool StackReserve::add(size_t kind, std::vector<StackPair*>& free) {
  const StackKind& row = kStackKinds[kind];
  // Where there was no address space for those before, it is scarce.
  const bool is_next = kind == 0 || counts_[kind - 1] >= kStackKinds[kind - 1].most;
  return is_next && counts_[kind] < row.most && map(kind, row.slots, row.per_mapping, free);
}

bool StackReserve::add_small(std::vector<StackPair*>& free) {
  return map(kStackKindCount - 1, Thread::kMaxValueSlots, 1, free);
}

void StackReserve::prepare_native(StackPair& pair) {
  forget_frames(pair);
  if (pair.was_entered) [[likely]]
    return;
  pair.was_entered = true;
  put_up_guard(pair, &split_guard_count_);
}

bool StackReserve::keep_for_next_machine(const Mapping& mapping) const {
  if (!are_clear_ || mappings_.size() != 1 || mapping.count != kStackKinds[0].per_mapping ||
      split_guard_count_ != 0)
    return false;
  for (size_t i = 0; i < mapping.count; ++i) {
    const StackPair& pair = mapping.pairs[i];
    if (!pair.was_entered) continue;
    madvise(pair.guard_high(), static_cast<size_t>(pair.first_page() - pair.guard_high()), MADV_DONTNEED);
  }
  return clear_mappings.give(mapping.address);
}

StackReserve::~StackReserve() {
  for (const Mapping& mapping : mappings_) {
    for (size_t i = 0; i < mapping.count; ++i) forget_frames(mapping.pairs[i]);  // other things will be there
    if (!keep_for_next_machine(mapping)) munmap(mapping.address, mapping.bytes);
  }
  split_guards.fetch_sub(static_cast<int>(split_guard_count_), std::memory_order_relaxed);
}

}  // namespace mangata
