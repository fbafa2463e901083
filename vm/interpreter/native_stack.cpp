#include "vm/interpreter/native_stack.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

namespace mangata {

char* lowest_native_address() {
  constexpr size_t kAssumedBytes = size_t{8} << 20;
  constexpr size_t kUsableBytes = size_t{64} << 20;  // more than Lua's own limit of nested calls can need
  constexpr size_t kAboveBytes = 64 * 1024;          // environment, arguments and the frames of our callers
  rlimit limit{};
  size_t bytes = kAssumedBytes;
  if (getrlimit(RLIMIT_STACK, &limit) == 0) bytes = std::min<size_t>(limit.rlim_cur, kUsableBytes);
  bytes = std::max(bytes, 2 * (kNativeLeafBytes + kAboveBytes));
  return static_cast<char*>(__builtin_frame_address(0)) - bytes + kAboveBytes + kNativeReserveBytes;
}

bool NativeStackPool::map(size_t count) {
  void* memory = mmap(nullptr, NativeStack::kBytes * count, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  Mapping& mapping = mappings_.emplace_back();
  mapping.stacks = std::make_unique<NativeStack[]>(count);
  mapping.count = count;
  for (size_t i = count; i-- > 0;) {
    mapping.stacks[i].low = static_cast<char*>(memory) + i * NativeStack::kBytes;
    free_.push_back(&mapping.stacks[i]);
  }
  return true;
}

NativeStack* NativeStackPool::take() {
  if (free_.empty() && !map(kStacksPerMapping) && !map(1)) return nullptr;
  NativeStack* stack = free_.back();
  free_.pop_back();
  return stack;
}

NativeStackPool::~NativeStackPool() {
  for (const Mapping& mapping : mappings_) munmap(mapping.stacks[0].low, NativeStack::kBytes * mapping.count);
}

}  // namespace mangata
