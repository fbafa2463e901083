// The region of a loop in a small program, as the optimizer is told of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jit/region/snapshot_function.h"
#include "tests/unit/jit/recorded_machine.h"

namespace mangata::jit {

/// Of the first loop in that chunk. Null: *why says what is in the way.
inline std::unique_ptr<RegionInput> input_of(RecordedMachine& machine, const Proto& main, const RegionLimits& limits, std::string* why) {
  const std::vector<RegionRoot> roots = choose_roots(main, machine.recorder, false);
  if (roots.empty()) return nullptr;
  std::vector<LoopContexts> loops;
  return make_region_input(machine.vm, main, roots[0], machine.recorder, limits, &loops, why);
}

}  // namespace mangata::jit
