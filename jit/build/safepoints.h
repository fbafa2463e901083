// Where the collector may make a step. The region is left behind it.
#pragma once

#include "jit/build/runtime_calls.h"
#include "jit/build/walk_queue.h"

namespace mangata::jit {

class Safepoints {
 public:
  Safepoints(Writer& writer, RunningWalk& walk, RegisterFile& registers, ReplacedTables& tables, Exits& exits, RuntimeCalls& calls, WalkQueue& queue,
             const RegionRuntime& runtime)
      : b_(writer), walk_(walk), registers_(registers), tables_(tables), exits_(exits), calls_(calls), queue_(queue), runtime_(runtime) {}

  /// After the running instruction, which has made R[a].
  void collect_behind();
  /// The scalar-replaced table in that slot becomes real before the running instruction, which needs it. A collection that is due is made.
  void materialize_at(FrameSlot slot);
  /// The same before the instruction at `pc`, where control merges: all tables, or those that hold more than numbers. Lists whose
  /// elements are made in a loop would be replaced one iteration longer each time.
  void materialize_for(int pc, bool but_of_numbers);

 private:
  template <typename Steps>
  void where_collection_is_due(Steps steps);
  void collect_before(int pc);
  void leave(int pc);

  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  ReplacedTables& tables_;
  Exits& exits_;
  RuntimeCalls& calls_;
  WalkQueue& queue_;
  const RegionRuntime& runtime_;
};

}  // namespace mangata::jit
