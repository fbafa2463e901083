#include "vm/interpreter/native_stack.h"

#include <sys/mman.h>

namespace mangata {

NativeStack* NativeStackPool::take() {
  if (free_.empty()) {
    void* memory = mmap(nullptr, NativeStack::kBytes * kStacksPerMapping, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    auto* stacks = new NativeStack[kStacksPerMapping];
    mappings_.push_back(stacks);
    for (size_t i = kStacksPerMapping; i-- > 0;) {
      stacks[i].low = static_cast<char*>(memory) + i * NativeStack::kBytes;
      free_.push_back(&stacks[i]);
    }
  }
  NativeStack* stack = free_.back();
  free_.pop_back();
  return stack;
}

NativeStackPool::~NativeStackPool() {
  for (NativeStack* stacks : mappings_) {
    munmap(stacks[0].low, NativeStack::kBytes * kStacksPerMapping);
    delete[] stacks;
  }
}

}  // namespace mangata
