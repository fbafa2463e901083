// What making regions may cost a program.
//
// [DESIGN] A region pays when it runs long enough, which nobody knows. What is certain is its price, so that
// is limited: all that the tier has taken so far (recordings, loading the compiler, compiling, on whichever
// thread) stays within a share of the time that the program has run, and what regions have saved it by
// prediction. A program that ends soon loses no more than that share; one that goes on gets its regions, small
// ones and those that save most first, and what they save pays for the others. Work is paid for when it is
// begun, at its price (region_price.h), and set right when it is known what it took. In repeatable runs there is
// no budget, for nothing there depends on time.
#pragma once

namespace mangata::jit {

/// Of the time that the program has run.
inline constexpr double kGivenShare = 0.05;

/// Processor time that this thread has used, in nanoseconds.
double thread_nanoseconds();

class RegionBudget {
 public:
  RegionBudget() : started_at_(thread_nanoseconds()) {}

  /// Work begins that has this price.
  void spend(double price) { spent_ += price; }
  /// It is done, and has taken so much of the processor.
  void set_right(double price, double nanoseconds) { spent_ += nanoseconds - price; }

  /// Nanoseconds that the program has run. On its thread.
  double ran() const;
  /// Those of them that it gives.
  static double given(double ran) { return kGivenShare * ran; }
  double spent() const { return spent_; }

 private:
  double started_at_;
  double spent_ = 0;
};

}  // namespace mangata::jit
