#include "runtime/sampling/thread_timer.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace mangata {
namespace {

constexpr size_t kStackBytes = size_t{64} << 10;  // the unwinder takes some 5 KB, the state of the processor up to 12

uint64_t nanoseconds_of(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

uint64_t thread_processor_time() { return nanoseconds_of(CLOCK_THREAD_CPUTIME_ID); }
uint64_t wall_time() { return nanoseconds_of(CLOCK_MONOTONIC); }

#if defined(__linux__)

void ThreadTimer::handle(int, siginfo_t*, void* context) {
  const int error = errno;
  if (handler_ != nullptr) handler_(*static_cast<const ucontext_t*>(context));
  errno = error;
}

/// The first from above that nobody handles.
bool ThreadTimer::take_signal() {
  for (int number = SIGRTMAX; number >= SIGRTMIN; --number) {
    if (sigaction(number, nullptr, &action_before_) != 0 || (action_before_.sa_flags & SA_SIGINFO) != 0 ||
        action_before_.sa_handler != SIG_DFL) {
      continue;
    }
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, &action, nullptr) != 0) continue;
    signal_ = number;
    return true;
  }
  return false;
}

bool ThreadTimer::start(Handler handler, uint64_t nanoseconds, bool wall_clock) {
  if (handler_ != nullptr) return false;
  stack_ = std::make_unique<char[]>(kStackBytes);
  const stack_t stack = {.ss_sp = stack_.get(), .ss_flags = 0, .ss_size = kStackBytes};
  if (sigaltstack(&stack, &stack_before_) != 0) return false;
  if (!take_signal()) {
    sigaltstack(&stack_before_, nullptr);
    return false;
  }
  handler_ = handler;
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  const timespec period = {.tv_sec = static_cast<time_t>(nanoseconds / 1000000000), .tv_nsec = static_cast<long>(nanoseconds % 1000000000)};
  const itimerspec times = {.it_interval = period, .it_value = period};
  const bool is_made = timer_create(wall_clock ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
  if (is_made && timer_settime(timer_, 0, &times, nullptr) == 0) return true;
  if (is_made) timer_delete(timer_);
  handler_ = nullptr;
  sigaction(signal_, &action_before_, nullptr);
  sigaltstack(&stack_before_, nullptr);
  signal_ = 0;
  return false;
}

/// A signal may be pending when its timer goes; by default it would end the process.
void ThreadTimer::stop() {
  if (signal_ == 0) return;
  timer_delete(timer_);
  struct sigaction ignored = {};
  ignored.sa_handler = SIG_IGN;
  sigaction(signal_, &ignored, nullptr);
  sigaction(signal_, &action_before_, nullptr);
  handler_ = nullptr;
  stack_before_.ss_flags &= SS_DISABLE;
  sigaltstack(&stack_before_, nullptr);
  signal_ = 0;
}

#else

bool ThreadTimer::start(Handler, uint64_t, bool) { return false; }
void ThreadTimer::stop() {}

#endif

}  // namespace mangata
