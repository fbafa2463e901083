#include "numbering/path_hash.h"

#include <gtest/gtest.h>

#include "numbering/plan_interpreter.h"
#include "tests/unit/numbering/path_oracle.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

TEST(PathHash, StepsAreArithmeticModuloTheMersennePrime) {
  testing::Random random(1);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t hash = random.next() % kHashModulus, multiplier = random.next() % kHashModulus,
                   constant = random.next() % kHashModulus;
    const auto expected =
        static_cast<uint64_t>((static_cast<unsigned __int128>(hash) * multiplier + constant) % kHashModulus);
    ASSERT_EQ(hash_step(hash, multiplier, constant), expected);
  }
  EXPECT_EQ(hash_step(kHashModulus - 1, kHashModulus - 1, kHashModulus - 1),
            static_cast<uint64_t>(
                (static_cast<unsigned __int128>(kHashModulus - 1) * (kHashModulus - 1) + kHashModulus - 1) %
                kHashModulus));
}

void expect_exact(const FlowGraph& graph, uint64_t seed, size_t length) {
  const LoopForest forest = LoopForest::find(graph);
  const EventPlan plan = plan_hashed_paths(graph, forest, seed);
  const auto trace = testing::random_trace(graph, seed, length);
  PlanCounters counters;
  PlanInterpreter interpreter(plan, counters);
  for (EdgeId edge : trace) interpreter.take(edge);
  testing::KeyCounts counts;
  for (auto [key, count] : counters.paths) {
    ASSERT_LT(key, kHashModulus);
    counts[path_key(to_flow_path(graph, forest, counters.witnesses.at(key)))] += count;
  }
  ASSERT_EQ(counts, testing::cut_trace({graph, forest, {}}, trace).counts) << seed;
  ASSERT_EQ(counters.collisions, 0u);
}

TEST(PathHash, WitnessesAreThePathsThatWereTaken) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    expect_exact(seed % 2 ? testing::random_graph(seed, 2 + seed % 11)
                          : testing::random_structured_graph(seed, 1 + seed % 12),
                 seed, 150);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(PathHash, NothingIsCutHoweverManyPathsThereAre) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 300; ++i) {
    edges.insert(edges.end(), {{2 * i, 2 * i + 1}, {2 * i, 2 * i + 2}, {2 * i + 1, 2 * i + 2}});
  }
  edges.insert(edges.end(), {{600, 0}, {600, 601}});
  expect_exact(testing::make_graph(602, 0, 601, edges), 11, 20000);
}

TEST(PathHash, TheCollisionBoundIsReported) {
  EXPECT_LT(collision_bound(100000, 1000), 1e-5);
  EXPECT_EQ(collision_bound(0, 10), 0);
  EXPECT_EQ(collision_bound(1, 10), 0);
  EXPECT_EQ(collision_bound(UINT64_MAX, UINT64_MAX), 1);
}

}  // namespace
}  // namespace mangata::numbering
