// A signal for the calling thread, each time that it has used so much processor time.
//
// [DESIGN] Such timers fire at the scheduler's tick, which mostly is longer than what is asked for. So nothing is made of their
// number: whoever gets the signal reads the thread's clock. The signal is a real-time one that nobody handles: a host's SIGPROF is
// left alone. The handler runs on a stack of its own, for those of coroutines keep little reserve; system calls that it interrupts go on.
#pragma once

#include <signal.h>
#include <time.h>
#include <ucontext.h>

#include <cstdint>
#include <memory>

namespace mangata {

/// Nanoseconds.
uint64_t thread_processor_time();
uint64_t wall_time();

class ThreadTimer {
 public:
  using Handler = void (*)(const ucontext_t& context);
  ~ThreadTimer() { stop(); }

  /// @param wall_clock  for tests: the signals come by real time, which has no tick
  /// False: the system has no such timer, or no signal is free. There is one at a time in a process.
  bool start(Handler handler, uint64_t nanoseconds, bool wall_clock);
  /// On the same thread. No handler runs afterwards.
  void stop();

 private:
  static void handle(int signal, siginfo_t* info, void* context);
  bool take_signal();

  static inline Handler handler_ = nullptr;
  std::unique_ptr<char[]> stack_;
  stack_t stack_before_ = {};
  struct sigaction action_before_ = {};
  timer_t timer_ = {};
  int signal_ = 0;  ///< 0: it does not run
};

}  // namespace mangata
