// --profile-every: asks for the profile so far again and again.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

namespace mangata {

/// A thread of its own, on which no signal is handled. It is not waited for: a process that was forked does not have it.
class SnapshotTimer {
 public:
  /// 0: it does nothing.
  explicit SnapshotTimer(double seconds);
  ~SnapshotTimer();
  SnapshotTimer(const SnapshotTimer&) = delete;
  SnapshotTimer& operator=(const SnapshotTimer&) = delete;

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool has_ended = false;
  };
  std::shared_ptr<State> state_;
};

}  // namespace mangata
