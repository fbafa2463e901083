// The three forms of multi-iteration paths against brute force, on random graphs.
#include <gtest/gtest.h>

#include "tests/unit/numbering/k_iteration_support.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering::testing {
namespace {

TEST(KIteration, TheThreeFormsAgreeWithBruteForce) {
  size_t with_k_loops = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    const KCase test = random_k_case(seed);
    for (uint8_t k : test.iterations) {
      if (k > 1) {
        ++with_k_loops;
        break;
      }
    }
    std::vector<std::vector<EdgeId>> traces;
    for (uint64_t t = 0; t < 3; ++t)
      traces.push_back(random_trace(test.graph, seed * 3 + t, 4 + 37 * t + seed % 50));
    ASSERT_EQ(check_k_paths(test, traces, {.most_paths = 400, .use_chords = seed % 4 != 0}), "")
        << "seed " << seed;
  }
  EXPECT_GT(with_k_loops, 10000u);
}

}  // namespace
}  // namespace mangata::numbering::testing
