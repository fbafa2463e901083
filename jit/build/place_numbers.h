// From which instructions of the bytecode operations come (debug_places.h).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "jit/build/running_walk.h"

namespace mangata::jit {

/// Numbers calls of functions that are inlined, one within the other, with the instruction that runs in the innermost.
class PlaceNumbers {
 public:
  /// What Operation::place is to be for what comes from the running instruction.
  uint32_t number_of(const RunningWalk& walk);
  /// Where the code comes from: RegionCode::inlined, by number less one.
  std::vector<std::vector<const Instruction*>> take();

 private:
  std::map<std::vector<const Instruction*>, uint32_t> numbers_;
};

}  // namespace mangata::jit
