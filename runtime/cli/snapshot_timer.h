// --profile-every: asks for the profile so far again and again.
//
// Invariant: the time until the next one begins when the last one has been written, and is at least as long as that took: the program has
// half of the time, whatever is asked for.
#pragma once

#include <atomic>
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
  /// What was asked for, or another snapshot.
  void written();

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool has_ended = false;
    std::atomic<bool> is_awaited{false};  ///< one was asked for and is not written yet; taken back without the mutex, also in forked processes
  };
  std::shared_ptr<State> state_;
};

}  // namespace mangata
