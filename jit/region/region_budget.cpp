#include "jit/region/region_budget.h"

#include <algorithm>
#include <ctime>

namespace mangata::jit {
double thread_nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);  // of POSIX; std::clock counts the whole process
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

double RegionBudget::ran() const { return std::max(thread_nanoseconds() - started_at_, 0.0); }

}  // namespace mangata::jit
