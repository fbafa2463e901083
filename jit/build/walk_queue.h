// Walks that wait: where control splits, one goes on and the others are walked later.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "jit/build/running_walk.h"
#include "jit/build/writer.h"

namespace mangata::jit {

class WalkQueue {
 public:
  WalkQueue(Writer& writer, RunningWalk& walk) : b_(writer), walk_(walk) {}

  /// What `steps` write goes to the block under construction, as a walk of its own, which goes on later unless they have ended it. The one
  /// that is under way stays where it is.
  template <typename Steps>
  void beside(Steps steps) {
    const State state = walk_.state;
    const Track track = walk_.track;
    const int pc = walk_.pc;
    const Block exit_block = walk_.exit_block;
    walk_.ended = false;
    steps();
    if (!walk_.ended) add_running();
    walk_.state = state;
    walk_.track = track;
    walk_.pc = pc;
    walk_.ended = false;
    walk_.exit_block = exit_block;
  }
  /// The running instruction, of which nothing has happened yet, begins anew in that block, with that state.
  void begin_anew(Block block, State state) { waiting_.push_back({block, std::move(state), walk_.pc, walk_.track}); }
  /// A walk at `pc` of the running function.
  void add(Block block, State state, int pc, Track track) { waiting_.push_back({block, std::move(state), pc, std::move(track)}); }
  /// The running one, from the block under construction on.
  void add_running() { waiting_.push_back({b_.position(), walk_.state, walk_.pc, walk_.track}); }

  bool is_empty() const { return waiting_.empty(); }
  /// Makes the one that was added last the running one.
  void run_next();

 private:
  struct Walk {
    Block block = {};
    State state;
    int pc = 0;
    Track track;
  };

  Writer& b_;
  RunningWalk& walk_;
  std::vector<Walk> waiting_;
};

}  // namespace mangata::jit
