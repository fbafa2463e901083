#include "runtime/embed/watch.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "runtime/embed/core.h"

namespace mangata::abi {
namespace {

constexpr int64_t kMillisecond = 1000000;
constexpr int64_t kLongestPeriod = 5 * kMillisecond;
constexpr int64_t kShortestPeriod = kMillisecond / 8;
/// Of timeouts: a call is seen up to one period late, and its end another.
constexpr int64_t kLooksPerTimeout = 16;
/// Looks without anything to watch, before the thread goes to sleep: hosts make many short calls.
constexpr int kIdleLooks = 20;

int64_t steady_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool register_barrier() { return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0; }

/// A full memory barrier on every thread of the process. False: the system has none.
bool barrier_everywhere() {
  static const bool registered = register_barrier();
  return registered && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/// Whether the call that the watch sees has lasted too long at `now`.
bool is_due(Watched& limits, int64_t now) {
  const uint64_t call = limits.call.load(std::memory_order_acquire);
  if (call != limits.seen_call) {
    limits.seen_call = call;
    limits.seen_since = now;
  }
  const int64_t timeout = limits.call_timeout_ns.load(std::memory_order_relaxed);
  return (call & 1) != 0 && timeout != 0 && now - limits.seen_since >= timeout;
}

}  // namespace

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
    Watched& limits = core->watched;
    if (is_due(limits, now) && limits.timed_out_call.load(std::memory_order_relaxed) != limits.seen_call) {
      limits.timed_out_call.store(limits.seen_call);
      ErrorKind none = ErrorKind::None;
      limits.requested.compare_exchange_strong(none, ErrorKind::Timeout);
    }
    const bool is_inside = (limits.seen_call & 1) != 0;
    const int64_t timeout = limits.call_timeout_ns.load(std::memory_order_relaxed);
    if (is_inside && timeout != 0) again_after(timeout / kLooksPerTimeout);
    if (limits.requested.load() == ErrorKind::None) continue;
    if (is_inside) core->vm->request_interrupt();
    if (is_inside || limits.looks_again.exchange(false)) again_after(kMillisecond);
  }
  return period;
}

void Watch::run() {
  for (int idle = 0; !ends_;) {
    int64_t period = look();
    if (period == 0 && ++idle > kIdleLooks) {
      is_asleep_ = true;
      if (!barrier_everywhere()) {
        sleep_at_most(kLongestPeriod);
      } else if (look() == 0) {
        while (sem_wait(&semaphore_) != 0) {
        }
      }
      is_asleep_ = false;
      idle = 0;
      continue;
    }
    if (period != 0) idle = 0;
    sleep_at_most(period != 0 ? period : kMillisecond);
  }
}

void Watch::sleep_at_most(int64_t nanoseconds) {
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += nanoseconds;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  sem_timedwait(&semaphore_, &until);
}

}  // namespace mangata::abi
