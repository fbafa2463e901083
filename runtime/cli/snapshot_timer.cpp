#include "runtime/cli/snapshot_timer.h"

#include <csignal>

#include <algorithm>
#include <chrono>
#include <thread>

#include "runtime/cli/interrupts.h"

namespace mangata {

SnapshotTimer::SnapshotTimer(double seconds) {
  if (seconds == 0) return;
  state_ = std::make_shared<State>();
  using Seconds = std::chrono::duration<double>;
  const Seconds period(seconds);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([state = state_, period] {
    std::unique_lock lock(state->mutex);
    Seconds pause = period;
    while (!state->changed.wait_for(lock, pause, [&] { return state->has_ended; })) {
      state->is_awaited = true;
      const auto asked = std::chrono::steady_clock::now();
      request_snapshot();  // with the mutex: once the timer is destroyed nothing is asked of the machine, which goes next
      lock.unlock();
      state->is_awaited.wait(true);
      pause = std::max<Seconds>(period, std::chrono::steady_clock::now() - asked);
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
