#include "runtime/cli/snapshot_timer.h"

#include <csignal>

#include <chrono>
#include <thread>

#include "runtime/cli/interrupts.h"

namespace mangata {

SnapshotTimer::SnapshotTimer(double seconds) {
  if (seconds == 0) return;
  state_ = std::make_shared<State>();
  const std::chrono::duration<double> period(seconds);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([state = state_, period] {
    std::unique_lock lock(state->mutex);
    while (!state->changed.wait_for(lock, period, [&] { return state->has_ended; })) {
      state->is_awaited = true;
      lock.unlock();
      request_snapshot();
      state->is_awaited.wait(true);
      lock.lock();
    }
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SnapshotTimer::~SnapshotTimer() {
  if (state_ == nullptr) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->has_ended = true;
    state_->changed.notify_all();
  }
  written();
}

void SnapshotTimer::written() {
  if (state_ == nullptr) return;
  state_->is_awaited = false;
  state_->is_awaited.notify_all();
}

}  // namespace mangata
