// Where the walk goes: to another instruction, along the arms of a branch, out of the region.
#pragma once

#include "jit/build/versions.h"

namespace mangata::jit {

class Branches {
 public:
  /// `has_contexts`: otherwise all code is generic.
  Branches(Writer& writer, RunningWalk& walk, RegisterFile& registers, Exits& exits, InstructionTally& tally, const Contexts& contexts, Versions& versions,
           WalkQueue& queue, const RegionInput& input, bool has_contexts)
      : b_(writer),
        walk_(walk),
        registers_(registers),
        exits_(exits),
        tally_(tally),
        contexts_(contexts),
        versions_(versions),
        queue_(queue),
        input_(input),
        has_contexts_(has_contexts) {}

  /// Ends or continues the walk at a pc of the running function.
  void go_to(int target);
  /// Ends the walk there, in baseline code.
  void exit_at(int pc, ExitSite::Why why = ExitSite::Why::Other);
  /// A call that has no place here. Of a site with several callees it is not known how often it is this one.
  void leave_here();
  /// Somebody else goes on.
  void finish() { walk_.ended = true; }

  // --- a conditional branch of the bytecode
  /// Ends the walk. `finding`: what one arm knows then.
  void branch(IrValue taken, int target, const BranchFinding& finding = {});
  /// The same, where it is known which way it goes.
  void branch_known(bool taken, int target);
  /// The code of one arm of the running branch, from `block` on.
  void arm(Block block, bool taken, int target, const BranchFinding& finding = {});
  /// How often the running branch has jumped.
  void set_weights(IrValue branch);

 private:
  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  Exits& exits_;
  InstructionTally& tally_;
  const Contexts& contexts_;
  Versions& versions_;
  WalkQueue& queue_;
  const RegionInput& input_;
  const bool has_contexts_;
};

}  // namespace mangata::jit
