// Random graphs against brute force, as many as one likes:
//   MANGATA_NUMBERING_GRAPHS=1000000 MANGATA_NUMBERING_SEED=1 numbering_test --gtest_filter='Campaign.*'
// One line of progress per 50,000 graphs; a failure names its seed, and the same seed alone reproduces it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/numbering/k_iteration_support.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering::testing {
namespace {

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(Campaign, RandomGraphsAndTraces) {
  const uint64_t first = number_from("MANGATA_NUMBERING_SEED", 1000000),
                 count = number_from("MANGATA_NUMBERING_GRAPHS", 10000);
  size_t k_loops = 0, edges = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const KCase test = random_k_case(seed);
    for (uint8_t k : test.iterations) k_loops += k > 1;
    std::vector<std::vector<EdgeId>> traces;
    for (uint64_t t = 0; t < 4; ++t) {
      traces.push_back(random_trace(test.graph, seed * 4 + t, 3 + 29 * t + seed % 60));
      edges += traces.back().size();
    }
    KCheckOptions options{.most_paths = 150, .use_chords = seed % 5 != 0};
    ASSERT_EQ(check_k_paths(test, traces, options), "") << "seed " << seed;
    if ((seed - first) % 50000 == 49999) {
      std::printf("%llu graphs, %zu k-loops, %zu edges of traces: no difference\n",
                  static_cast<unsigned long long>(seed - first + 1), k_loops, edges);
      std::fflush(stdout);
    }
  }
  std::printf("seeds %llu..%llu: %zu k-loops, %zu edges of traces, no difference\n",
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(first + count - 1),
              k_loops, edges);
}

}  // namespace
}  // namespace mangata::numbering::testing
