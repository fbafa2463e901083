// Copies of what the optimizer needs of functions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jit/region/region_input.h"
#include "jit/region/region_outcome.h"

namespace mangata::jit {

struct RegionLimits {
  int depth = 4;              ///< of inlined calls
  size_t inlined_size = 120;  ///< bytecode instructions of a function that is inlined
  size_t size = 1500;         ///< of all functions
  bool checks_profitability = true;  ///< what would not pay is refused
  bool with_events = false;   ///< the installed code is copied, with its events
};

/// What becomes a region: a loop, or a whole function.
struct RegionRoot {
  OriginalPc head_pc{};  ///< where the loop or the function begins
  bool is_function = false;  ///< else a loop
  int line = -1;  ///< of head_pc; -1: not known
  std::vector<bool> body = {};  ///< by OriginalPc: in it
  std::optional<OriginalPc> loop_pc() const { return is_function ? std::nullopt : std::optional(head_pc); }
  RegionPlace place_in(Proto& proto) const { return {.proto = &proto, .head_pc = loop_pc(), .line = is_function ? -1 : line}; }
  friend bool operator==(const RegionRoot&, const RegionRoot&) = default;
};

/// What paths of `proto` are followed in. `sites`: what was recorded; null: nothing was.
PathCode path_code_of(const Proto& proto, const Sites* sites);

/// What of `proto` is worth a region, after what was recorded: the function, when it is called often and its loops, if any, are
/// short; or the outermost loops that have gone back, but, when `checks_profitability`, those that hardly count.
std::vector<RegionRoot> choose_roots(const Proto& proto, const TypeRecorder& recorder, bool checks_profitability);

/// That region of `proto`, with the contexts of the loops in it, and the functions that were seen to be called there. Null: *why
/// says what is in the way. Loops that are not worth peeling lose their first context (peeling.h).
std::unique_ptr<RegionInput> make_region_input(Vm& vm, const Proto& proto, const RegionRoot& root, const TypeRecorder& recorder,
                                               const RegionLimits& limits, std::vector<LoopContexts>* loops, std::string* why);

}  // namespace mangata::jit
