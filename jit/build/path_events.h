// Events of the code that a region was made from (vm/interpreter/path_event.h): regions count what baseline code would.
//
// [DESIGN] The path register is a value like others here, one for each frame, in a variable. A path begins with a
// constant and goes on by adding constants, so along a context its number is a constant, and a path that ends is one increment of
// one counter. Of paths over several iterations the window is a value that an iteration shifts. Counters alias nothing else, so LLVM
// may keep one in a register as long as nothing is called. Where a frame is left or somebody may look at it, the path register is
// stored in its header.
#pragma once

#include "jit/abi/region_runtime.h"
#include "jit/build/register_file.h"

namespace mangata::jit {

class PathEvents {
 public:
  PathEvents(Writer& writer, RunningWalk& walk, RegisterFile& registers, const RegionRuntime& runtime)
      : b_(writer), walk_(walk), registers_(registers), runtime_(runtime) {}

  /// Of the running function.
  void execute(const RegionEvent& event);

 private:
  void end_iteration(const RegionEvent& event);
  void count(const RegionEvent& event, IrValue key);
  void execute_by_runtime(const RegionEvent& event);

  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  const RegionRuntime& runtime_;
};

}  // namespace mangata::jit
