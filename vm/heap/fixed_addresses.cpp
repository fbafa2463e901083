#include "vm/heap/fixed_addresses.h"

#include <atomic>
#include <cstdint>

namespace mangata {
namespace {

/// Far from where Linux places executables, libraries and stacks, and where the address sanitizer has its
/// shadow.
constexpr uintptr_t kFirstAddress = 0x2000'0000'0000;
constexpr size_t kAlignment = size_t{2} << 20;

std::atomic<uintptr_t> next_address{0};

}  // namespace

void use_fixed_addresses() {
  uintptr_t expected = 0;
  next_address.compare_exchange_strong(expected, kFirstAddress);
}

void* address_for_heap(size_t size_bytes) {
  if (next_address.load(std::memory_order_relaxed) == 0) return nullptr;
  const size_t rounded = (size_bytes + kAlignment - 1) & ~(kAlignment - 1);
  return reinterpret_cast<void*>(next_address.fetch_add(rounded));
}

}  // namespace mangata
