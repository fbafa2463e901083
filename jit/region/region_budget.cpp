#include "jit/region/region_budget.h"

#include <time.h>

#include <algorithm>
#include <cstdlib>

namespace mangata::jit {

double thread_nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

double RegionBudget::left(double saved_nanoseconds) const {
  const double a = getenv("MG_A") ? atof(getenv("MG_A")) : 0.05;
  const double running = std::max(thread_nanoseconds() - started_at_, 0.0);
  return a * running + saved_nanoseconds - spent_;
}

}  // namespace mangata::jit
