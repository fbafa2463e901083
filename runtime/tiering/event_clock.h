// The clock of tiering: calls and backedges of the program, and the time in which they have happened.
//
// Decisions depend on events alone; time only prices them (RunSoFar), and in repeatable runs each event lasts as long as any other.
#pragma once

#include <cstdint>

#include "profiler/run_so_far.h"

namespace mangata {

class EventClock {
 public:
  /// The time that a call or backedge is taken to last where none is measured: in the interpreter and in repeatable runs.
  static constexpr double kUsualNanoseconds = 10;
  /// The time that one lasts at most otherwise: longer ones have waited for something that machine code does not change, as another process.
  static constexpr double kMostNanoseconds = 100;

  /// Repeatable: no decision may depend on time.
  void make_repeatable() { is_repeatable_ = true; }
  bool is_repeatable() const { return is_repeatable_; }

  /// Events that all functions were credited with.
  uint64_t now() const { return now_; }
  void advance(uint64_t events) { now_ += events; }

  /// Nanoseconds since the last sample, before which so many events have happened in machine code. What regions did meanwhile is not
  /// the time of these: then it is that of so many events when no region ran.
  /// @param milliseconds       of the run, by a clock of the system
  /// @param region_iterations  of all regions so far
  double sample(uint64_t events, double milliseconds, uint64_t region_iterations);

 private:
  uint64_t now_ = 0;
  bool is_repeatable_ = false;
  double sampled_at_ = 0;                  ///< milliseconds
  uint64_t region_iterations_ = 0;         ///< then
  RunSoFar outside_regions_;               ///< between samples during which hardly a region ran
};

}  // namespace mangata
