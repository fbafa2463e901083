// Loop tables, iterations and numbers made up at random: an error or an exact plan, never a crash.
#include <gtest/gtest.h>

#include "numbering/edge_profile.h"
#include "numbering/kpath_numbering.h"
#include "tests/unit/numbering/k_iteration_support.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering::testing {
namespace {

TEST(HostileInput, RandomGraphsAreBuiltOrRefused) {
  int built = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    Random random(seed);
    const size_t blocks = random.below(5);
    std::vector<FlowEdge> edges(random.below(7));
    for (FlowEdge& edge : edges)
      edge = {BlockId(random.below(blocks + 1)), BlockId(random.below(blocks + 1))};
    const auto graph =
        FlowGraph::build(blocks, BlockId(random.below(blocks + 1)), BlockId(random.below(blocks + 1)), edges);
    if (!graph) continue;
    ++built;
    ASSERT_TRUE(plan_paths(*graph));
  }
  EXPECT_GT(built, 100);
}

TEST(HostileInput, RandomLoopTablesAreExactOrRefused) {
  int planned = 0, refused = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    Random random(seed);
    const FlowGraph graph =
        seed % 2 ? random_graph(seed, 2 + seed % 6) : random_structured_graph(seed, 1 + seed % 5);
    std::vector<Loop> rows;
    std::vector<uint8_t> iterations;
    for (const LoopForest found = LoopForest::find(graph); LoopId id : found.ids()) {
      if (random.chance(4)) continue;  // leaves a cycle
      rows.push_back({.head = found[id].head, .backedges = found[id].backedges});
      rows.back().kind = random.chance(10) ? static_cast<LoopKind>(random.below(3)) : found[id].kind;
      if (random.chance(10)) rows.back().backedges.push_back(EdgeId(random.below(graph.edge_count() + 1)));
      if (random.chance(3)) rows.back().head = BlockId(random.below(graph.block_count() + 1));
      iterations.push_back(static_cast<uint8_t>(random.chance(5) ? random.below(256) : 1 + random.below(3)));
    }
    for (EdgeId edge : graph.edges()) {  // an edge that closes no cycle may be cut, too
      if (!random.chance(5)) continue;
      rows.push_back({.head = graph.target(edge), .backedges = {edge}});
      rows.back().kind = LoopKind::Truncation;
    }
    auto forest = LoopForest::from_table(graph, std::move(rows));
    const auto plan =
        forest ? plan_paths(graph, *forest, {.iterations = iterations}) : Result<PathPlan>(forest.error());
    if (!plan) {
      ++refused;
      ASSERT_FALSE(describe(plan.error()).empty());
      continue;
    }
    ++planned;
    const KCase test{graph, std::move(*forest), iterations};
    ASSERT_EQ(check_k_paths(test, {random_trace(graph, seed, 50)}, {.most_paths = 200}), "") << seed;
  }
  EXPECT_GT(planned, 3000);
  EXPECT_GT(refused, 3000);
}

TEST(HostileInput, RandomNumbersAreDecodedOrRefused) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const KCase test = random_k_case(seed);
    const auto plan = plan_paths(test.graph, test.forest, {.iterations = test.iterations});
    ASSERT_TRUE(plan);
    const auto k_loops = KLoops::make(test.graph, test.forest, test.iterations);
    const auto paper = KPathNumbering::make(test.graph, test.forest, *k_loops);
    Random random(seed);
    for (int i = 0; i < 20; ++i) {
      const uint64_t number = random.next() >> random.below(64);
      const auto path = plan->decode(test.graph, PathNumber{number});
      ASSERT_EQ(static_cast<bool>(path), number < plan->path_count());
      if (paper) {
        ASSERT_EQ(static_cast<bool>(paper->identify(test.graph, PathNumber{number})),
                  number < paper->path_count());
      }
      (void)plan->decode_window(test.graph, random.below(3), number);
      const ActivationState state{static_cast<int64_t>(number),
                                  static_cast<int64_t>(random.next() >> random.below(64)),
                                  static_cast<uint32_t>(random.below(20))};
      (void)plan->decode_in_flight(test.graph, BlockId(random.below(test.graph.block_count() + 2)), state);
    }
  }
}

}  // namespace
}  // namespace mangata::numbering::testing
