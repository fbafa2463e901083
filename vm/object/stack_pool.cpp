#include "vm/object/stack_pool.h"

#include <sys/mman.h>

#include <cstring>

namespace mangata {
namespace {

constexpr uintptr_t kPageMask = StackPair::kPageBytes - 1;

char* page_end(char* address) {
  return reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(address) + kPageMask) & ~kPageMask);
}

void forget_pages(char* from, char* to) {
  madvise(from, static_cast<size_t>(page_end(to) - from), MADV_DONTNEED);
}

}  // namespace

void clear_range(char* from, char* to, size_t keep_bytes) {
  if (from >= to) return;
  char* const keep_end = page_end(from + keep_bytes);
  if (keep_end < to) {
    forget_pages(keep_end, to);
    to = keep_end;
  }
  std::memset(from, 0, static_cast<size_t>(to - from));
}

StackPair* StackPool::take_free(size_t kind) {
  auto& free = warm_[kind].empty() ? cold_[kind] : warm_[kind];
  if (free.empty()) return nullptr;
  StackPair* pair = free.back();
  free.pop_back();
  return pair;
}

StackPair* StackPool::take() {
  for (size_t kind = 0; kind < kStackKindCount; ++kind) {
    if (StackPair* pair = take_free(kind)) return pair;
    if (reserve_->add(kind, cold_[kind])) return take_free(kind);
  }
  constexpr size_t kLast = kStackKindCount - 1;
  return reserve_->add_small(cold_[kLast]) ? take_free(kLast) : nullptr;
}

void StackPool::make_cold(StackPair& pair, char* used_end) {
  forget_pages(pair.was_entered ? pair.guard_high() : pair.first_page(), used_end);
  cold_[pair.kind].push_back(&pair);
}

void StackPool::give_back(StackPair* pair, Value* used_end) {
  auto& warm = warm_[pair->kind];
  char* const end = reinterpret_cast<char*>(used_end);
  if (warm.size() >= most_warm_) return make_cold(*pair, end);
  clear_range(pair->native_high(), end, kWarmBytes);
  warm.push_back(pair);
}

void StackPool::trim() {
  for (auto& warm : warm_) {
    if (warm.size() <= most_warm_) continue;
    const auto kept = warm.end() - static_cast<ptrdiff_t>(most_warm_);
    for (auto pair = warm.begin(); pair != kept; ++pair)
      make_cold(**pair, (*pair)->native_high() + 2 * kWarmBytes);
    warm.erase(warm.begin(), kept);
  }
}

StackPool::~StackPool() {
  size_t free_count = 0;
  for (size_t i = 0; i < kStackKindCount; ++i) free_count += warm_[i].size() + cold_[i].size();
  if (free_count == reserve_->count()) reserve_->all_are_clear();
}

}  // namespace mangata
