#include "runtime/embed/watch.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "runtime/embed/core.h"

namespace mangata::abi {
namespace {

constexpr int64_t kMillisecond = 1000000;
constexpr int64_t kLongestPeriod = 10 * kMillisecond;
constexpr int64_t kShortestPeriod = kMillisecond / 4;
/// Looks without anything to watch, before the thread goes to sleep: hosts make many short calls.
constexpr int kIdleLooks = 20;

}  // namespace

int64_t steady_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Watch::Watch() {
  sem_init(&semaphore_, 0, 0);
  // Signals are for the host's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Watch::~Watch() {
  ends_ = true;
  wake();
  thread_.join();
  sem_destroy(&semaphore_);
}

void Watch::add(Core& core) {
  const std::lock_guard lock(mutex_);
  cores_.push_back(&core);
}

void Watch::remove(Core& core) {
  const std::lock_guard lock(mutex_);
  cores_.erase(std::remove(cores_.begin(), cores_.end(), &core), cores_.end());
}

int64_t Watch::look() {
  const std::lock_guard lock(mutex_);
  int64_t period = 0;
  const auto again_after = [&period](int64_t nanoseconds) {
    nanoseconds = std::clamp(nanoseconds, kShortestPeriod, kLongestPeriod);
    period = period == 0 ? nanoseconds : std::min(period, nanoseconds);
  };
  const int64_t now = steady_now();
  for (Core* core : cores_) {
    Watched& its = core->watched;
    int64_t deadline = its.deadline.load();
    if (deadline != kNoDeadline) again_after(its.timeout_ns.load(std::memory_order_relaxed) / 8);
    if (deadline <= now && its.deadline.compare_exchange_strong(deadline, kNoDeadline)) {
      ErrorKind none = ErrorKind::None;
      its.requested.compare_exchange_strong(none, ErrorKind::Timeout);
      its.looks_again.store(true);
    }
    if (its.requested.load() == ErrorKind::None) continue;
    const bool is_inside = its.is_inside.load(std::memory_order_relaxed);
    if (is_inside) core->vm->request_interrupt();
    if (is_inside || its.looks_again.exchange(false)) again_after(kMillisecond);
  }
  return period;
}

void Watch::run() {
  for (int idle = 0; !ends_;) {
    int64_t period = look();
    if (period == 0 && ++idle > kIdleLooks) {
      is_asleep_ = true;
      if (look() == 0) {
        while (sem_wait(&semaphore_) != 0) {
        }
      }
      is_asleep_ = false;
      idle = 0;
      continue;
    }
    if (period != 0) idle = 0;
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += period != 0 ? period : kMillisecond;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    sem_timedwait(&semaphore_, &until);
  }
}

}  // namespace mangata::abi
