#include "numbering/compact_table.h"

#include <algorithm>
#include <bit>

#include "numbering/ids.h"

namespace mangata::numbering {
namespace {

bool try_multiplier(std::span<const uint64_t> numbers, CompactTable& table) {
  std::fill(table.slot_number.begin(), table.slot_number.end(), CompactTable::kFree);
  for (uint64_t number : numbers) {
    uint64_t& slot = table.slot_number[table.slot(number)];
    if (slot != CompactTable::kFree && slot != number) return false;
    slot = number;
  }
  return true;
}

}  // namespace

// With 2^bits slots >= n^2 a random multiplier succeeds about every second time, so the outer loop ends.
CompactTable make_compact_table(std::span<const uint64_t> numbers) {
  uint64_t random = kHashMultiplier;
  const auto fewest = static_cast<unsigned>(std::bit_width(std::max<size_t>(numbers.size(), 1) - 1));
  for (unsigned bits = fewest;; ++bits) {
    CompactTable table;
    table.shift = 64 - bits;
    table.slot_number.resize(size_t{1} << bits);
    for (int attempt = 0; attempt < 200; ++attempt) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      table.multiplier = random | 1;
      if (try_multiplier(numbers, table)) return table;
    }
  }
}

}  // namespace mangata::numbering
