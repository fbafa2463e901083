// Where a region is, and what became of a request for it. One struct each for all layers: the region builder fills them in, the ledger
// keeps them for policies, tiering schedules by them, and the log prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vm/bytecode/pc.h"

namespace mangata {
struct Proto;
}

namespace mangata::jit {

struct RegionCode;

/// A loop of a function, or all of it.
struct RegionPlace {
  Proto* proto = nullptr;
  std::optional<OriginalPc> head_pc = {};  ///< of the loop; none: it is the whole function
  int line = -1;     ///< of the loop; -1: likewise, or unknown
  bool is_function() const { return !head_pc; }
};

struct RegionOutcome {
  RegionPlace place = {};
  std::string summary = {};          ///< which loops by which contexts, for a line of the log
  std::string contexts = {};         ///< all of them, a line each
  std::string text = {};             ///< all that was formed, and what came of it: --dump=region, --dump=ir
  std::string why_not = {};          ///< not empty: no region is installed; what is in the way (why_not.h)
  const RegionCode* code = nullptr;  ///< null: none was made
  uint64_t profitable_after = 0;     ///< not 0: to be requested again after so many calls and backedges of the function
  bool is_installed() const { return why_not.empty(); }
};

}  // namespace mangata::jit
