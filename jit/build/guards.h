// Checks of the running instruction. Where one fails, the region is left before the instruction, or a runtime call does it.
#pragma once

#include "jit/build/versions.h"

namespace mangata::jit {

class Guards {
 public:
  Guards(Writer& writer, RunningWalk& walk, Exits& exits, RuntimeCalls& calls, Versions& versions, WalkQueue& queue, ForcedFailures& failures,
         const RegionInput& input)
      : b_(writer), walk_(walk), exits_(exits), calls_(calls), versions_(versions), queue_(queue), failures_(failures), input_(input) {}

  /// Goes on when it holds.
  void guard(IrValue condition);
  /// The same, for a condition that has effects when it holds.
  void exit_unless(IrValue condition);
  /// Of any other kind it is known whether it is.
  void guard_not_nil(const Operand& operand);
  /// A nil in the table would ask a metamethod, unless the table is known to have none.
  void guard_present(IrValue tag, IrValue table, AbsentMetamethod otherwise = kNoIndex);

  /// Where checks lead that fail. All of an instruction leave by one block: no register is written before the last of them.
  Block exit_block();
  /// Checks that fail lead to a runtime call instead of out of the region, where they have failed in an earlier version of it.
  void prefer_slow_path();
  /// The block leads there, and generic code goes on at the next instruction. The walk stays where it is.
  void by_slow_path();

 private:
  Writer& b_;
  RunningWalk& walk_;
  Exits& exits_;
  RuntimeCalls& calls_;
  Versions& versions_;
  WalkQueue& queue_;
  ForcedFailures& failures_;
  const RegionInput& input_;
};

}  // namespace mangata::jit
