// Inlining of functions: frames that exist only in the region.
//
// [DESIGN] A function that is inlined has its registers in those slots of the stack where a real frame would have them, so whoever looks at
// the stack in the middle of it finds all that was published (RuntimeCalls), and side exits make the frames (ExitSite::frames). What is
// walked through is the code of the function itself, one time for each place where it is inlined.
#pragma once

#include "jit/build/branches.h"
#include "jit/build/values.h"

namespace mangata::jit {

class Inlining {
 public:
  /// `level`: of kInliningLevels (jit/region/region_benefit.h). `kept`: calls that stay calls.
  Inlining(Writer& writer, RunningWalk& walk, RegisterFile& registers, EventCounter& events, Values& values, Branches& branches, size_t level,
           const KeptCalls& kept)
      : b_(writer), walk_(walk), registers_(registers), events_(events), values_(values), branches_(branches), level_(level), kept_(kept) {}

  /// Whether the walk may go into `callee`, in a frame of its own. `must`: otherwise it has to end here.
  bool may_enter(const RegionFunction& callee, bool must) const;
  /// Whether the running instruction is a call that stays one.
  bool is_kept() const;
  /// Whether a frame of it may have so many arguments.
  static bool has_room_for(const RegionFunction& callee, int arguments);
  /// The frame of a function that is in slot `origin`, with its arguments from the slot `from` on. They are put where the frame has them.
  InlineFrame frame_of(const RegionFunction& callee, FrameSlot origin, FrameSlot from, int arguments);
  /// The frame runs now, after Polls::reserve_event(); its function and its arguments are in their slots. The walk is not in it yet.
  void enter(const InlineFrame& frame, int arguments);
  /// The walk goes on at the start of the running function.
  void start();
  /// The same, as a backedge: it may have been there.
  void start_again();
  /// The results are where they belong: the walk is in the caller, at the call.
  void resume_caller();

 private:
  static constexpr int kMostArguments = 12;  ///< of a vararg function

  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  EventCounter& events_;
  Values& values_;
  Branches& branches_;
  const size_t level_;
  const KeptCalls& kept_;
};

}  // namespace mangata::jit
