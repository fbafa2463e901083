#include "jit/region/region_budget.h"

#include <algorithm>
#include <ctime>

namespace mangata::jit {
namespace {

/// What a call or backedge is taken to last for in repeatable runs.
constexpr double kNanosecondsPerEvent = 10;

}  // namespace

double thread_nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);  // of POSIX; std::clock counts the whole process
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

RegionBudget::RegionBudget(bool is_repeatable) : is_repeatable_(is_repeatable), started_at_(is_repeatable ? 0 : thread_nanoseconds()) {}

double RegionBudget::ran() const {
  if (is_repeatable_) return kNanosecondsPerEvent * static_cast<double>(events_);
  return std::max(thread_nanoseconds() - started_at_, 0.0);
}

}  // namespace mangata::jit
