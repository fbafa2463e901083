// Copies of what the optimizer needs of functions.
#pragma once

#include <memory>
#include <string>

#include "jit/region/region_input.h"

namespace mangata::jit {

struct RegionLimits {
  int depth = 4;              ///< of inlined calls
  size_t inlined_size = 120;  ///< bytecode instructions of a function that is inlined
  size_t size = 1500;         ///< of all functions
  bool is_gated = true;       ///< what would not pay is refused
};

/// The loop of `proto` around `head_pc`, with the functions that were seen to be called there. Null: *why
/// says what is in the way.
std::unique_ptr<RegionInput> make_region_input(const Proto& proto, int head_pc, const TypeRecorder& recorder,
                                               std::vector<LoopContexts> loops, const RegionLimits& limits,
                                               std::string* why);

/// The heads of the natural loops of `proto` that the recorder has seen go back, outermost first; each with
/// its line.
struct SeenLoop {
  int head_pc = 0;
  int line = -1;
  uint32_t iterations = 0;
};
std::vector<SeenLoop> seen_loops(const Proto& proto, const TypeRecorder& recorder);

}  // namespace mangata::jit
