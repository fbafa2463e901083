#include "jit/region/region_budget.h"

#include <algorithm>
#include <ctime>

namespace mangata::jit {
namespace {

/// Of the time that the program has run.
constexpr double kShare = 0.05;

}  // namespace

double thread_nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);  // of POSIX; std::clock counts the whole process
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

double RegionBudget::left(double saved_nanoseconds) const {
  const double running = std::max(thread_nanoseconds() - started_at_, 0.0);
  return kShare * running + saved_nanoseconds - spent_;
}

}  // namespace mangata::jit
