// Encoding inverts decoding, on all paths of random graphs.
#include "numbering/path_encoder.h"

#include <gtest/gtest.h>

#include "numbering/path_plan.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

TEST(PathEncoder, InvertsDecoding) {
  uint64_t paths = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const FlowGraph graph = seed % 2 != 0 ? testing::random_graph(seed, 2 + seed % 11)
                                          : testing::random_structured_graph(seed, 1 + seed % 12);
    const auto plan =
        plan_paths(graph, {.path_limit = seed % 3 != 0 ? 1u << 16 : 2 * graph.edge_count() + 8});
    if (!plan) continue;
    const PathCount step = 1 + plan->path_count() / 200;
    for (uint64_t number = 0; number < plan->path_count(); number += step) {
      const auto path = plan->decode(graph, PathNumber{number});
      ASSERT_TRUE(path) << seed;
      const auto encoded = encode_path(plan->dag, plan->numbering, *path);
      ASSERT_TRUE(encoded) << seed << ", " << number;
      ASSERT_EQ(encoded->value, number) << seed;
      ++paths;
    }
  }
  EXPECT_GT(paths, 10000u);
}

TEST(PathEncoder, RefusesPathsThatAreNot) {
  const FlowGraph graph = testing::make_graph(3, 0, 2, {{0, 1}, {0, 2}, {1, 0}, {1, 2}});
  const auto plan = plan_paths(graph);
  ASSERT_TRUE(plan);
  FlowPath path = *plan->decode(graph, PathNumber{0});
  ASSERT_TRUE(encode_path(plan->dag, plan->numbering, path));
  path.finish = PathFinish::InFlight;
  EXPECT_FALSE(encode_path(plan->dag, plan->numbering, path));
  FlowPath backedge;
  backedge.blocks = {BlockId(size_t{0})};
  backedge.edges = {EdgeId(size_t{0}), EdgeId(size_t{2})};
  EXPECT_FALSE(encode_path(plan->dag, plan->numbering, backedge));
  FlowPath nowhere;
  nowhere.begin = PathBegin::Backedge;
  nowhere.begin_loop = LoopId(size_t{9});
  nowhere.blocks = {BlockId(size_t{0})};
  EXPECT_FALSE(encode_path(plan->dag, plan->numbering, nowhere));
}

}  // namespace
}  // namespace mangata::numbering
