// Who owns which bytes of the code arena: a best-fit allocator over offsets, which never touches the memory
// itself.
//
// Best fit, because code is freed in the order in which functions die or are recompiled and most requests
// repeat a few sizes; the lowest address among equals, so that live code stays dense and the untouched end of
// the arena stays untouched. Free neighbours are merged at once, so two adjacent spans are never both free.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace mangata {

class RegionAllocator {
 public:
  /// A cache line: entries are aligned for the fetch unit, and no two functions share a line that one of them
  /// frees.
  static constexpr size_t kGranularityBytes = 64;

  static constexpr size_t round_up(size_t size_bytes) {
    return (size_bytes + kGranularityBytes - 1) & ~(kGranularityBytes - 1);
  }

  /// All of [0, size_bytes) is free; size_bytes is rounded down to the granularity.
  explicit RegionAllocator(size_t size_bytes);

  /// The offset of `size_bytes` (> 0) free bytes, rounded up to the granularity. Empty: no span is long
  /// enough.
  std::optional<size_t> allocate(size_t size_bytes);

  /// Gives back [offset, offset + size_bytes), all of it allocated; both are multiples of the granularity.
  void release(size_t offset, size_t size_bytes);

  size_t used_bytes() const { return used_bytes_; }
  size_t free_span_count() const { return size_by_offset_.size(); }
  size_t largest_free_bytes() const { return by_size_.empty() ? 0 : by_size_.rbegin()->first; }

 private:
  using Spans = std::map<size_t, size_t>;

  void add_free(size_t offset, size_t size_bytes);
  void remove_free(Spans::iterator span);

  Spans size_by_offset_;                         ///< the free spans
  std::set<std::pair<size_t, size_t>> by_size_;  ///< the same as (size, offset)
  size_t used_bytes_ = 0;
};

}  // namespace mangata
