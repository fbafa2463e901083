// bench/suite/sieve.lua, as a C++ programmer would write it: a byte for each number.
#include <vector>

#include "bench/native/native.h"

namespace mangata::native {
namespace {

int64_t count_primes(int64_t limit) {
  std::vector<uint8_t> composite(static_cast<size_t>(limit) + 1);
  int64_t count = 0;
  for (int64_t candidate = 2; candidate <= limit; ++candidate) {
    if (composite[static_cast<size_t>(candidate)] != 0) continue;
    ++count;
    for (int64_t multiple = candidate * candidate; multiple <= limit; multiple += candidate) {
      composite[static_cast<size_t>(multiple)] = 1;
    }
  }
  return count;
}

}  // namespace
}  // namespace mangata::native

int main(int count, char** arguments) {
  using namespace mangata::native;
  for (int64_t i = repetitions(count, arguments, 48); i > 0; --i) expect(count_primes(unknown<int64_t>(500000)), 41538);
}
