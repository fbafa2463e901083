// The signal handler's part: which frames are there, at an arbitrary instruction of the machine's thread.
//
// [DESIGN] Everything that is read is either a member of the machine, or lies in the VM stack of the running thread or of one that
// has resumed it, below the innermost frame: these pages were written before, and every step is checked (alignment, bounds, the
// tags of headers). So whatever the instruction was, the handler reads no memory that is not there. What it reads may be wrong for a
// few instructions around a call; then the checks fail and the sample is invalid, or the frame counts that is about to begin or has
// just ended.
//
// Objects are followed for natives only, for their names, and by a system call that fails where there is no memory: the slot of a function
// may already have a result of it.
#pragma once

#include <atomic>

#include "runtime/sampling/native_walk.h"
#include "runtime/sampling/raw_sample.h"
#include "vm/vm.h"

namespace mangata {

class FrameCapture {
 public:
  /// Frames of one sample; of deeper stacks the innermost.
  static constexpr uint32_t kMostFrames = 256;

  /// To be made on the machine's thread, outside of coroutines.
  explicit FrameCapture(Vm& vm);

  /// All but the time. `frames` has room for kMostFrames.
  void take(const ucontext_t& context, RawSample* sample, RawFrame* frames) const;

  /// Baseline code, or what belongs to it, lies there, too, from now on.
  void add_code(const uint8_t* start, size_t bytes);
  /// Of that: a way in from C++, where the pinned registers are C++'s yet, or again.
  void add_border(const uint8_t* start, size_t bytes);
  /// A region, wherever it lies: it is no baseline code.
  void add_region(const uint8_t* start, size_t bytes) { code_.regions.add({start, start + bytes}); }
  /// That begins there, if one does: before it is freed.
  void remove_region(const uint8_t* start) { code_.regions.remove(start); }

 private:
  bool is_border(const uint8_t* code) const;

  Vm& vm_;
  BaselineCode code_;
  static constexpr size_t kMostBorders = 64;
  CodeBounds borders_[kMostBorders];
  std::atomic<size_t> border_count_{0};
  const void* main_stack_high_;
};

}  // namespace mangata
