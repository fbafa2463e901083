// Samples of a machine's processor time, from the timer to the counts.
//
// [DESIGN] Exact counts say how often, samples say how long. Three parts, each with a time of its own: the *handler* writes addresses
// down, at any instruction (capture.h); the *resolver* finds out what they mean, soon enough that it is all still there: at polls,
// and before code or a prototype is freed (stack_resolver.h); the *report* reads the counts.
//
// A sample weighs the processor time since the one before, so that all of them together are the thread's clock, at whatever rate they
// come, and whichever were lost.
//
// Read next: thread_timer.h, native_walk.h, capture.h, stack_resolver.h.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/sampling/capture.h"
#include "runtime/sampling/sample_buffer.h"
#include "runtime/sampling/sampled_stacks.h"
#include "runtime/sampling/stack_resolver.h"
#include "runtime/sampling/thread_timer.h"
#include "vm/vm.h"

namespace mangata {

/// What the clocks have said over the run.
struct RunTimes {
  uint64_t thread_nanoseconds = 0;   ///< processor time of the machine's thread
  uint64_t wall_nanoseconds = 0;  ///< the wall clock
  uint64_t waiting_nanoseconds = 0;  ///< neither running nor ready to run: reading, sleeping, waiting for a child
};

class TimeSampler {
 public:
  static constexpr uint64_t kPeriodNanoseconds = 1000000;  ///< of processor time, between samples

  /// Of `vm`, on its thread.
  explicit TimeSampler(Vm& vm);
  ~TimeSampler();
  TimeSampler(const TimeSampler&) = delete;
  TimeSampler& operator=(const TimeSampler&) = delete;

  /// `samples_per_second`: 0: by processor time, as often as the system does it; else by real time, for tests.
  /// False: this system has no such timers.
  bool start(uint32_t samples_per_second);
  /// times() and stacks() are those so far. While the program runs, at a safepoint; after stop() nothing changes.
  void take_stock();
  /// Before the machine goes. Once.
  void stop();

  /// To be told of machine code.
  std::unique_ptr<CodeObserver> observer();
  void proto_created(const Proto& proto) { resolver_.proto_created(proto); }
  void proto_destroyed(const Proto& proto);
  /// At a poll.
  void look();
  /// Of all samples so far.
  void resolve();

  const SampledStacks& stacks() const { return stacks_; }
  const RunTimes& times() const { return times_; }
  uint64_t lost() const { return buffer_.lost(); }
  uint64_t lost_nanoseconds() const { return buffer_.lost_nanoseconds(); }

 private:
  static void handle(const ucontext_t& context);
  void take(const ucontext_t& context);

  Vm& vm_;
  FrameCapture capture_;
  SampleBuffer buffer_;
  SampledStacks stacks_;
  StackResolver resolver_;
  ThreadTimer timer_;
  RunTimes times_;
  uint64_t seen_ = 0;  ///< processor time at the last sample
  uint64_t began_ = 0, wall_began_ = 0, queued_before_ = 0;
  bool is_running_ = false;
};

}  // namespace mangata
