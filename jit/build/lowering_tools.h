// What the lowering of instructions works with. Families of instructions are functions of it, and of the instruction.
#pragma once

#include "jit/build/direct_function.h"
#include "jit/build/inlining.h"
#include "jit/build/inlining_limits.h"
#include "jit/build/object_access.h"
#include "jit/build/path_events.h"

namespace mangata::jit {

/// A function that lowers the running instruction returns whether the walk goes on behind it: false, where it has ended, or is elsewhere.
struct LoweringTools {
  // --- what is lowered
  const RegionInput& input;
  const RegionRuntime& runtime;
  const InliningLimits& limits;
  const void* self;  ///< of the region: where its RegionCode is told of, once there is one
  // --- writing
  Writer& b;
  RunningWalk& walk;
  RegisterFile& registers;
  EventCounter& events;
  HeapWriter& heap;
  ReplacedTables& tables;
  PathEvents& path_events;
  // --- leaving
  Exits& exits;
  InstructionTally& tally;
  RuntimeCalls& calls;
  Polls& polls;
  Safepoints& safepoints;
  // --- walking
  WalkQueue& queue;
  const Contexts& contexts;
  Guards& guards;
  Values& values;
  Branches& branches;
  Inlining& inlining;
  DirectFunction& direct;
};

}  // namespace mangata::jit
