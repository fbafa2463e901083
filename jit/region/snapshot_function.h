// Copies of what the optimizer needs of functions.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "jit/region/region_input.h"

namespace mangata::jit {

struct RegionLimits {
  int depth = 4;              ///< of inlined calls
  size_t inlined_size = 120;  ///< bytecode instructions of a function that is inlined
  size_t size = 1500;         ///< of all functions
  bool is_gated = true;       ///< what would not pay is refused
};

/// What becomes a region: a loop, or a whole function.
struct RegionRoot {
  int head_pc = 0;
  bool is_function = false;
  int line = -1;
  friend bool operator==(const RegionRoot&, const RegionRoot&) = default;
};

/// What of `proto` is worth a region most, after what was recorded: a function that is called often, and whose loops, if any, are
/// short; or the outermost loop that has gone back. Nothing: neither has happened.
std::optional<RegionRoot> choose_root(const Proto& proto, const TypeRecorder& recorder);

/// That region of `proto`, with the functions that were seen to be called there. Null: *why says what is in the way.
std::unique_ptr<RegionInput> make_region_input(Vm& vm, const Proto& proto, const RegionRoot& root, const TypeRecorder& recorder,
                                               std::vector<LoopContexts> loops, const RegionLimits& limits,
                                               std::string* why);

}  // namespace mangata::jit
