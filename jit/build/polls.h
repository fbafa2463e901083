// Where somebody looks whether a region has to be left: on backedges, and where events are to be counted.
#pragma once

#include "jit/build/exits.h"
#include "jit/build/forced_failures.h"

namespace mangata::jit {

class Polls {
 public:
  Polls(Writer& writer, RunningWalk& walk, EventCounter& events, Exits& exits, ForcedFailures& failures, const RegionInput& input)
      : b_(writer), walk_(walk), events_(events), exits_(exits), failures_(failures), input_(input) {}

  /// On a backedge to `pc`. Whether somebody has asked for attention is looked at when the iterations that were granted have been used up.
  void poll(int pc);
  /// The running instruction, which has had no effect yet, may be a backedge, or a call that is inlined.
  void reserve_event() {
    if (events_.needs_reserve()) reserve(walk_.pc);
  }
  /// Goes on with kReservedEvents at least, or else leaves to `pc` of the running function.
  void reserve(int pc);

 private:
  void leave_for_upgrade(int pc);
  void leave_now_and_then(int pc);

  Writer& b_;
  RunningWalk& walk_;
  EventCounter& events_;
  Exits& exits_;
  ForcedFailures& failures_;
  const RegionInput& input_;
};

}  // namespace mangata::jit
