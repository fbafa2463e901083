// The clock of an engine: a thread that looks at the deadlines of its states, and delivers interrupts.
//
// [DESIGN] States count neither time nor ask for it while they run: an outermost call stores its deadline in an atomic word and takes
// it back at its end. The watch looks at these words every few milliseconds while any is set, more often when a state's timeout
// is short, and sleeps otherwise. What it finds due it requests of the machine (Vm::request_interrupt), again and again until
// the machine has noticed: a store to the countdown of machine code may be lost.
//
// interrupt() is two operations that signal handlers may do: a store and a sem_post.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <mangata/abi.hpp>

namespace mangata::abi {

inline constexpr int64_t kNoDeadline = INT64_MAX;

/// What the watch knows of one state. Kinds are ErrorKind.
struct Watched {
  std::atomic<int64_t> deadline{kNoDeadline};              ///< steady clock, nanoseconds
  std::atomic<ErrorKind> requested{ErrorKind::None};       ///< why the machine is to stop; it takes it when it notices
  /// The host is inside the state. Stored without a fence, which would cost each call as much as all else about limits: who looks
  /// right then may miss it, so the watch looks again a little later.
  std::atomic<bool> is_inside{false};
  std::atomic<bool> looks_again{false};                    ///< something was requested since, and the host did not seem to be inside
  std::atomic<int64_t> timeout_ns{0};
};

class Watch {
 public:
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void add(Core& core);
  /// Afterwards the watch does not touch the state any more.
  void remove(Core& core);

  /// Async-signal-safe. Something was requested.
  void wake() { sem_post(&semaphore_); }
  /// A deadline was set.
  void wake_if_asleep() {
    if (is_asleep_.load()) wake();
  }
  /// Waits until the watch is through with what it was doing.
  void synchronize() { const std::lock_guard lock(mutex_); }

 private:
  /// Requests what is due. How long to sleep until the next look; 0: nothing to wait for.
  int64_t look();
  void run();

  sem_t semaphore_;
  std::atomic<bool> is_asleep_{false};
  std::atomic<bool> ends_{false};
  std::mutex mutex_;
  std::vector<Core*> cores_;
  std::thread thread_;
};

int64_t steady_now();

}  // namespace mangata::abi
