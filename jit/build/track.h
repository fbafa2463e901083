// Where a walk is on its path through a loop with contexts, and what one arm of a branch adds to what is known.
//
// Read next: lowering.h, contexts.h.
#pragma once

#include <compare>
#include <cstdint>
#include <tuple>
#include <vector>

#include "jit/build/facts.h"

namespace mangata::jit {

/// In generic code, loop is -1.
struct Track {
  int loop = -1;  ///< index of RegionInput::loops
  uint32_t context = 0;
  size_t step = 0;            ///< branches behind it
  std::vector<uint32_t> hot;  ///< Next entries of the context that agree with these
  std::vector<std::tuple<FrameSlot, Kind, uint64_t>> known = {};  ///< in contexts by facts: slots that are followed, with their values
  bool enters_anew = false;  ///< in front of the root: whoever comes back to it may enter a context
  bool is_generic() const { return loop < 0; }
  friend auto operator<=>(const Track&, const Track&) = default;
};

/// The payload of a slot, or of none.
struct BranchFinding {
  FrameSlot slot = kNoFrameSlot;
  uint64_t payload = 0;
  bool where_taken = true;
};

}  // namespace mangata::jit
