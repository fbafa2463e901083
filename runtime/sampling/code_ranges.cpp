#include "runtime/sampling/code_ranges.h"

#include <algorithm>
#include <utility>

namespace mangata {
namespace {

bool begins_before(const CodeBounds& range, const void* address) { return range.low < address; }

}  // namespace

void CodeRanges::add(const CodeBounds& range) {
  auto changed = list_ == nullptr ? std::make_unique<List>() : std::make_unique<List>(*list_);
  changed->insert(std::lower_bound(changed->begin(), changed->end(), range.low, begins_before), range);
  publish(std::move(changed));
}

void CodeRanges::remove(const uint8_t* low) {
  if (list_ == nullptr) return;
  const auto found = std::lower_bound(list_->begin(), list_->end(), low, begins_before);
  if (found == list_->end() || found->low != low) return;
  auto changed = std::make_unique<List>(*list_);
  changed->erase(changed->begin() + (found - list_->begin()));
  publish(std::move(changed));
}

void CodeRanges::publish(std::unique_ptr<const List> list) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  published_.store(list.get(), std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  list_ = std::move(list);
}

bool CodeRanges::contains(const void* address) const {
  const List* list = published_.load(std::memory_order_relaxed);
  if (list == nullptr) return false;
  const auto behind = std::upper_bound(list->begin(), list->end(), address, [](const void* wanted, const CodeBounds& range) { return wanted < range.low; });
  return behind != list->begin() && behind[-1].contains(address);
}

}  // namespace mangata
