// A small table for the few numbers that matter out of a large range: hot windows, hot paths of a hash table.
// Invariant: each listed number has a slot of its own; a slot knows its number, so nothing else is taken for
// it. At run time: slot = (number * multiplier) >> shift; if (slot_number[slot] == number) count[slot]++ else
// residual.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mangata::numbering {

struct CompactTable {
  uint64_t multiplier = 1;  ///< odd
  unsigned shift = 64;                ///< 64 stands for a table of one slot
  std::vector<uint64_t> slot_number;  ///< a power of two of them; kFree where there is none
  static constexpr uint64_t kFree = UINT64_MAX;  ///< no number of a path

  size_t slot(uint64_t number) const {
    return shift == 64 ? 0 : static_cast<size_t>((number * multiplier) >> shift);
  }
  bool contains(uint64_t number) const { return number != kFree && slot_number[slot(number)] == number; }
};

/// A multiplier without collisions among `numbers` (repetitions do no harm), with the smallest table for
/// which a few hundred attempts find one. Deterministic. `numbers` must not contain kFree.
CompactTable make_compact_table(std::span<const uint64_t> numbers);

}  // namespace mangata::numbering
