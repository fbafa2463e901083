// Whose the processor's time is: cycles of paths [Ball & Larus 1996, §1.2: what is accumulated per path may
// be any metric].
//
// [DESIGN] Cycles are exclusive, as in a flat profile: those of a Lua function that a path calls belong to
// the paths of that function, those of functions of C++ to the path that calls them. There is one activation
// whose the time is: the innermost counted one of the running thread. Each event where that may change reads
// the clock twice, when it begins and when it ends: what passed since the last event is charged to the
// activation that ran, and what happens in between (looking up counters, compiling, asking a policy) belongs
// to nobody. What is left of the cost of counting is that of reading: from the end of one reading to the
// beginning of the next if nothing lies between them. It is measured once, and subtracted each time.
//
// Frames have no room for what an activation has been charged, so each thread has a second stack for it, by
// frame address. It needs no care when an error discards frames: whoever looks drops what lies above his own
// frame.
//
// Read next: vm/interpreter/path_event.h (the events), profiler/path_profiler.h.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vm/object/frame.h"

namespace mangata {

struct Thread;

class PathClock {
 public:
  using Read = uint64_t (*)();

  /// Whether this machine has a counter that programs may read: the time stamp counter of x86-64.
  static bool exists();

  PathClock();                    ///< reads that counter
  explicit PathClock(Read read);  ///< for tests: any other; may not go backwards

  /// While one of these lives, time belongs to nobody.
  class Stop {
   public:
    /// @param clock  null: nothing is done
    explicit Stop(PathClock* clock) : clock_(clock) {
      if (clock_ != nullptr) clock_->stop();
    }
    ~Stop() {
      if (clock_ != nullptr) clock_->start();
    }
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;

   private:
    PathClock* clock_;
  };

  // With the clock stopped:

  /// An activation with this frame begins.
  void push(const FrameHeader* frame);
  /// What it was charged since the last time; may be negative, for what is subtracted is a mean.
  int64_t take(const FrameHeader* frame);
  /// The activation that take() was last called for ends.
  void pop() { current_->pop_back(); }

  // With the clock running:

  /// `thread` runs from now on, for the first time if `is_new`.
  void change_thread(const Thread& thread, bool is_new);

  void set_cycles_per_reading(int64_t cycles) { cycles_per_reading_ = cycles; }
  int64_t cycles_per_reading() const { return cycles_per_reading_; }
  /// How often this was subtracted from something.
  uint64_t readings() const { return readings_; }
  /// How long it stood: what else was done for the profile.
  uint64_t stopped_cycles() const { return stopped_cycles_; }

 private:
  struct Activation {
    const FrameHeader* frame;
    int64_t cycles;
  };
  using Stack = std::vector<Activation>;

  void stop();
  void start();

  Read read_;
  uint64_t began_;  ///< running: since when; stopped: since when, too
  int64_t cycles_per_reading_ = 0;
  uint64_t readings_ = 0;
  uint64_t stopped_cycles_ = 0;
  std::unordered_map<const Value*, Stack>
      stacks_;  ///< by where the stack of the thread is, of which there are not many
  Stack* current_;
};

}  // namespace mangata
