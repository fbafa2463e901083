#include "jit/build/walk_queue.h"

namespace mangata::jit {

void WalkQueue::run_next() {
  Walk next = std::move(waiting_.back());
  waiting_.pop_back();
  b_.set_position(next.block);
  walk_.state = std::move(next.state);
  walk_.track = std::move(next.track);
  walk_.pc = next.pc;
  walk_.ended = false;
}

}  // namespace mangata::jit
