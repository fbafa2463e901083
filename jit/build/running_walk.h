// The walk that is under way: where in the bytecode it is, in which context, and what is known there. Operations that are written go to
// Writer::position(); they come from here.
#pragma once

#include "jit/build/facts.h"
#include "jit/build/track.h"
#include "jit/ir/function.h"

namespace mangata::jit {

struct RunningWalk {
  State state;   ///< what is known
  Track track;   ///< the context
  int pc = 0;    ///< of the running instruction, in the function that is walked through
  bool ended = false;        ///< somebody else goes on, or control does not
  ir::BlockId exit_block{};  ///< of the running instruction: where checks that fail lead; none yet

  const RegionFunction& function() const { return *state.top().function; }
  const Instruction& instruction() const { return function().code[static_cast<size_t>(pc)]; }
  /// What was recorded of it.
  const SiteTypes& site() const { return function().sites[static_cast<size_t>(pc)]; }
  FrameSlot slot_of(Register reg) const { return state.top().base + reg; }
};

}  // namespace mangata::jit
