#include "profiler/memory_limit.h"

#include <algorithm>

namespace mangata {
namespace {

// What decoded paths take with all that reports make of them, measured.
constexpr size_t kBytesPerPath = 600;
constexpr size_t kBytesPerBlock = 250;

size_t blocks_of(const FunctionRecord& record) { return record.shape.blocks.size(); }

/// A path of the function's own table goes through a part of its blocks, and one of a window through its loop's k times.
size_t bytes_per_path(const FunctionRecord& record) { return kBytesPerPath + kBytesPerBlock * blocks_of(record); }

size_t bytes_per_window(const FunctionRecord& record, size_t window) {
  return kBytesPerPath + kBytesPerBlock * blocks_of(record) * record.counters.windows[window].k;
}

}  // namespace

void HottestCounters::add(const FunctionRecord& record, const CounterLists& counters) {
  const auto add_list = [&](const CounterList& list, size_t bytes_each) {
    wanted_bytes_ += bytes_each * list.size();
    for (const auto& [key, count] : list) shares_.push_back({count, bytes_each});
  };
  add_list(counters.paths, bytes_per_path(record));
  for (size_t i = 0; i < counters.windows.size(); ++i) add_list(counters.windows[i], bytes_per_window(record, i));
}

void HottestCounters::choose() {
  has_chosen_ = true;
  if (wanted_bytes_ <= bytes_) return;
  std::sort(shares_.begin(), shares_.end(), [](const Share& a, const Share& b) { return a.count > b.count; });
  size_t used = 0;
  for (const Share& share : shares_) {
    used += share.bytes;
    if (used <= bytes_) continue;
    least_ = share.count;
    break;
  }
  bytes_of_least_ = bytes_;
  for (const Share& share : shares_) {
    if (share.count > least_) bytes_of_least_ -= share.bytes;
  }
  shares_ = {};
}

void HottestCounters::keep_hottest(CounterList* list, size_t bytes_each) {
  std::erase_if(*list, [&](const auto& counter) {
    const uint64_t count = counter.second;
    if (count > least_) return false;
    if (count == least_ && bytes_each <= bytes_of_least_) {
      bytes_of_least_ -= bytes_each;
      return false;
    }
    ++left_out_.paths;
    left_out_.executions += count;
    return true;
  });
}

void HottestCounters::keep_hottest(const FunctionRecord& record, CounterLists* counters) {
  if (!has_chosen_) choose();
  if (wanted_bytes_ <= bytes_) return;
  keep_hottest(&counters->paths, bytes_per_path(record));
  for (size_t i = 0; i < counters->windows.size(); ++i) keep_hottest(&counters->windows[i], bytes_per_window(record, i));
}

void keep_hottest(CounterList* list, size_t most) {
  if (list->size() <= most) return;
  const auto is_hotter = [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; };
  std::nth_element(list->begin(), list->begin() + static_cast<ptrdiff_t>(most), list->end(), is_hotter);
  list->resize(most);
  std::sort(list->begin(), list->end());
}

}  // namespace mangata
