#include "jit/code_memory/region_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

namespace mangata {
namespace {

constexpr size_t kUnit = RegionAllocator::kGranularityBytes;

/// The same allocator without a data structure: one flag per granule.
class NaiveAllocator {
 public:
  explicit NaiveAllocator(size_t unit_count) : used_(unit_count) {}

  std::optional<size_t> allocate(size_t unit_count) {
    std::optional<size_t> best;
    size_t best_length = SIZE_MAX;
    for (const auto& [start, length] : spans()) {
      if (length >= unit_count && length < best_length) {
        best = start;
        best_length = length;
      }
    }
    if (best) std::fill_n(used_.begin() + static_cast<ptrdiff_t>(*best), unit_count, true);
    return best;
  }

  void release(size_t start, size_t unit_count) {
    std::fill_n(used_.begin() + static_cast<ptrdiff_t>(start), unit_count, false);
  }

  size_t used_count() const { return static_cast<size_t>(std::count(used_.begin(), used_.end(), true)); }

  std::vector<std::pair<size_t, size_t>> spans() const {
    std::vector<std::pair<size_t, size_t>> found;
    for (size_t i = 0; i < used_.size();) {
      const size_t start = i;
      while (i < used_.size() && !used_[i]) ++i;
      if (i > start) found.emplace_back(start, i - start);
      while (i < used_.size() && used_[i]) ++i;
    }
    return found;
  }

 private:
  std::vector<bool> used_;
};

TEST(RegionAllocator, BehavesLikeAnArrayOfFlags) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const size_t unit_count = 1 + random() % 200;
    RegionAllocator allocator(unit_count * kUnit + random() % kUnit);
    NaiveAllocator naive(unit_count);
    std::vector<std::pair<size_t, size_t>> live;  // in units
    for (int step = 0; step < 400; ++step) {
      if (random() % 2 == 0) {
        const size_t bytes = 1 + random() % (kUnit * 12);
        const size_t units = (bytes + kUnit - 1) / kUnit;
        const auto offset = allocator.allocate(bytes);
        const auto expected = naive.allocate(units);
        ASSERT_EQ(offset.has_value(), expected.has_value());
        if (offset) {
          ASSERT_EQ(*offset, *expected * kUnit);
          live.emplace_back(*expected, units);
        }
      } else if (!live.empty()) {
        std::swap(live[random() % live.size()], live.back());
        auto [start, units] = live.back();
        live.pop_back();
        if (units > 1 && random() % 3 == 0) {  // as shrinking does: the tail only
          const size_t kept = 1 + random() % (units - 1);
          live.emplace_back(start, kept);
          start += kept;
          units -= kept;
        }
        allocator.release(start * kUnit, units * kUnit);
        naive.release(start, units);
      }
      const auto spans = naive.spans();
      size_t largest = 0;
      for (const auto& span : spans) largest = std::max(largest, span.second);
      ASSERT_EQ(allocator.used_bytes(), naive.used_count() * kUnit);
      ASSERT_EQ(allocator.free_span_count(), spans.size());
      ASSERT_EQ(allocator.largest_free_bytes(), largest * kUnit);
    }
  }
}

TEST(RegionAllocator, OfLessThanOneGranuleHasNothing) {
  RegionAllocator allocator(kUnit - 1);
  EXPECT_FALSE(allocator.allocate(1));
  EXPECT_EQ(allocator.free_span_count(), 0u);
}

}  // namespace
}  // namespace mangata
