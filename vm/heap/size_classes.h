// Size classes of small cells: steps of 16 bytes up to 256, then four steps per doubling up to
// kMaxSmallBytes.
//
// Every cell is a multiple of a granule (16 bytes), so a mark bit per granule serves every class.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace mangata {

inline constexpr size_t kGranuleBytes = 16;
inline constexpr size_t kMaxSmallBytes = 8192;
inline constexpr size_t kMaxFineBytes = 256;
inline constexpr int kFineClassCount = kMaxFineBytes / kGranuleBytes;  // classes 1..16; class 0 is empty
inline constexpr int kSizeClassCount = kFineClassCount + 1 + 4 * 5;    // 257..512, ..., 4097..8192

/// The class of the smallest cell that holds `size_bytes` (1..kMaxSmallBytes).
constexpr int size_class_of(size_t size_bytes) {
  if (size_bytes <= kMaxFineBytes) return static_cast<int>((size_bytes + kGranuleBytes - 1) / kGranuleBytes);
  const int log2_floor = std::bit_width(size_bytes - 1) - 1;  // size is in (2^log2_floor, 2^(log2_floor + 1)]
  const size_t step = size_t{1} << (log2_floor - 2);
  const size_t above = size_bytes - (size_t{1} << log2_floor);
  return kFineClassCount + (log2_floor - 8) * 4 + static_cast<int>((above + step - 1) / step);
}

inline constexpr std::array<uint32_t, kSizeClassCount> kClassBytes = [] {
  std::array<uint32_t, kSizeClassCount> bytes{};
  for (int i = 1; i <= kFineClassCount; ++i) bytes[i] = static_cast<uint32_t>(i * kGranuleBytes);
  for (int i = kFineClassCount + 1; i < kSizeClassCount; ++i) {
    const int doubling = (i - kFineClassCount - 1) / 4;
    const int quarter = (i - kFineClassCount - 1) % 4 + 1;
    bytes[i] = (256u << doubling) + static_cast<uint32_t>(quarter) * (64u << doubling);
  }
  return bytes;
}();

static_assert(kClassBytes[kSizeClassCount - 1] == kMaxSmallBytes);
static_assert(size_class_of(kMaxSmallBytes) == kSizeClassCount - 1);
static_assert(size_class_of(257) == kFineClassCount + 1 && kClassBytes[size_class_of(320)] == 320);
static_assert(kClassBytes[size_class_of(2049)] == 2560 && kClassBytes[size_class_of(513)] == 640);

/// What a cell for `size_bytes` really offers: storage that can use more should ask for it.
constexpr size_t rounded_cell_bytes(size_t size_bytes) {
  return size_bytes <= kMaxSmallBytes ? kClassBytes[size_class_of(size_bytes)] : size_bytes;
}

}  // namespace mangata
