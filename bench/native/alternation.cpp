// alternation.lua in C++: nanoseconds per iteration, then cycles of the time stamp counter in a nanosecond.
#include <algorithm>
#include <chrono>
#include <ctime>

#include "bench/native/native.h"

namespace mangata::native {
namespace {

double wall_nanoseconds() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor_nanoseconds() { return static_cast<double>(std::clock()) * (1e9 / CLOCKS_PER_SEC); }

int64_t alternate(int64_t n) {
  int64_t sum = 0;
  bool flag = false;
  for (int64_t i = 1; i <= n; ++i) {
    if (flag) {
      sum += i;
      flag = false;
    } else {
      sum -= 1;
      flag = true;
    }
  }
  return sum;
}

}  // namespace
}  // namespace mangata::native

int main(int count, char** arguments) {
  using namespace mangata::native;
  const int64_t rounds = count > 1 ? std::atoll(arguments[1]) : 30000000;
  const double began = wall_nanoseconds();
  const uint64_t cycles = __builtin_ia32_rdtsc();
  double best = 1e300;
  for (int run = 0; run < 6; ++run) {
    const double start = processor_nanoseconds();
    expect(alternate(unknown(rounds)), rounds / 2 * (rounds / 2 + 1) - rounds / 2);
    best = std::min(best, processor_nanoseconds() - start);
  }
  const double rate = static_cast<double>(__builtin_ia32_rdtsc() - cycles) / (wall_nanoseconds() - began);
  std::printf("%.3f %.4f\n", best / static_cast<double>(rounds), rate);
}
