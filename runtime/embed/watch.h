// The clock of an engine: a thread that looks at the deadlines of its states, and delivers interrupts.
//
// [DESIGN] States count neither time nor ask for it, and execute no fence: an outermost call moves a number on where it begins and
// where it ends. The watch looks at these numbers every few milliseconds while any call may run, more often when a state's timeout
// is short, and sleeps otherwise: a call has lasted as long as the watch has seen the same odd number. What it finds due it requests
// of the machine (Vm::request_interrupt), again and again until the machine has noticed: a store to the countdown of machine code
// may be lost. The request names the call, so one that comes late means nothing to the next call.
//
// Before the watch goes to sleep it makes all threads of the process pass a barrier (membarrier), so that either it sees the call
// that is just beginning, or the call sees it asleep. Where the system has no such barrier it does not sleep long.
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

/// What the watch knows of one state. Kinds are ErrorKind.
struct Watched {
  /// Odd while the host is inside the state. Stored without a fence: who looks right then may miss it, and looks again later.
  std::atomic<uint64_t> call{0};
  std::atomic<int64_t> call_timeout_ns{0};                 ///< of the call; 0: none
  std::atomic<int64_t> timeout_ns{0};                      ///< of the next one
  std::atomic<ErrorKind> requested{ErrorKind::None};       ///< why the machine is to stop; it takes it when it notices
  std::atomic<uint64_t> timed_out_call{0};                 ///< for which a timeout was requested
  std::atomic<bool> looks_again{false};                    ///< something was requested since, and the host did not seem to be inside

  // Of the watch alone
  uint64_t seen_call = 0;
  int64_t seen_since = 0;                                  ///< steady clock, nanoseconds
};

class Watch {
 public:
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// It is looked after from now on, until it is removed.
  void add(Core& core);
  /// Afterwards the watch does not touch the state any more.
  void remove(Core& core);

  /// Async-signal-safe. Something was requested.
  void wake() { sem_post(&semaphore_); }
  /// A call with a timeout has begun.
  void wake_if_asleep() {
    if (is_asleep_.load(std::memory_order_relaxed)) wake();
  }

 private:
  /// Requests what is due. How long to sleep until the next look; 0: nothing to wait for.
  int64_t look();
  void run();
  void sleep_at_most(int64_t nanoseconds);

  sem_t semaphore_;
  std::atomic<bool> is_asleep_{false};
  std::atomic<bool> ends_{false};
  std::mutex mutex_;
  std::vector<Core*> cores_;
  std::thread thread_;
};

}  // namespace mangata::abi
