// See host_memory.h.
#include "runtime/c_boundary/host_memory.h"

#include <algorithm>

#include "runtime/c_boundary/machine_data.h"

namespace mangata::capi {
namespace {

/// Tokens grow with what is in use, so that there are few, within these bounds.
constexpr size_t kLeastBytes = 4096;
constexpr size_t kMostSpareBytes = size_t{1} << 20;

}  // namespace

HostMemory::~HostMemory() {
  for (const Token& token : tokens_) data_.allocate(data_.allocate_data, token.block, token.bytes, 0);
}

size_t HostMemory::limit() const { return std::max<size_t>(free_bytes_ + taken_bytes_, 1); }

bool HostMemory::take(size_t bytes) {
  void* block = data_.allocate(data_.allocate_data, nullptr, 0, bytes);
  if (block == nullptr) return false;
  tokens_.push_back({block, bytes});
  taken_bytes_ += bytes;
  return true;
}

size_t HostMemory::grow_to(size_t wanted_bytes) {
  const size_t missing = wanted_bytes - (free_bytes_ + taken_bytes_);
  const size_t spare = std::clamp(taken_bytes_ / 8, kLeastBytes, kMostSpareBytes);
  if (missing >= spare || !take(spare)) (void)take(missing);
  return limit();
}

size_t HostMemory::shrink_to(size_t used_bytes) {
  size_t too_many = limit() > used_bytes ? limit() - used_bytes : 0;
  while (too_many > 0 && !tokens_.empty()) {
    Token& last = tokens_.back();
    if (last.bytes <= too_many) {
      data_.allocate(data_.allocate_data, last.block, last.bytes, 0);
      too_many -= last.bytes;
      taken_bytes_ -= last.bytes;
      tokens_.pop_back();
      continue;
    }
    void* smaller = data_.allocate(data_.allocate_data, last.block, last.bytes, last.bytes - too_many);
    if (smaller == nullptr) break;
    last.block = smaller;
    last.bytes -= too_many;
    taken_bytes_ -= too_many;
    break;
  }
  return limit();
}

}  // namespace mangata::capi
