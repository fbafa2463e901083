// What making regions may cost a program.
//
// [DESIGN] A region pays when it runs long enough, which nobody knows. What is certain is its price, so that
// is limited: all that the compile thread has taken so far stays within a share of the time that the program
// has run, and what regions have saved it by prediction. A program that ends soon loses no more than that
// share; one that goes on gets its regions, small ones and those that save most first, and what they save
// pays for the others.
#pragma once

namespace mangata::jit {

/// Processor time that this thread has used, in nanoseconds.
double thread_nanoseconds();

class RegionBudget {
 public:
  RegionBudget() : started_at_(thread_nanoseconds()) {}

  void spend(double nanoseconds) { spent_ += nanoseconds; }
  double spent() const { return spent_; }

  /// Nanoseconds of the compile thread that may be used now; negative: it has taken more. On the program's
  /// thread.
  double left(double saved_nanoseconds) const;

 private:
  double started_at_;
  double spent_ = 0;
};

}  // namespace mangata::jit
