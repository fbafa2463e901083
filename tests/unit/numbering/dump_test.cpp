// The text form of every stage, compared with tests/golden/numbering/*.txt. MANGATA_RECORD_GOLDEN=1 writes
// them anew.
#include "numbering/dump.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

void compare_with_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(MANGATA_SOURCE_DIR) + "/tests/golden/numbering/" + name + ".txt";
  if (std::getenv("MANGATA_RECORD_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::stringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, expected.str()) << path;
}

TEST(Dump, EveryStageOfTheAlternatingLoop) {
  const FlowGraph graph =
      testing::make_graph(7, 1, 6, {{1, 2}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 2}, {5, 6}});
  for (uint8_t k : {1, 2, 3}) {
    const auto plan = plan_paths(graph, LoopForest::find(graph), {.iterations = std::vector<uint8_t>{k}});
    ASSERT_TRUE(plan);
    compare_with_golden("alternating_loop_k" + std::to_string(k), dump(graph, *plan));
  }
}

TEST(Dump, IrreducibleAndTruncated) {
  const FlowGraph goto_graph = testing::make_graph(4, 0, 3, {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {1, 3}, {2, 2}});
  compare_with_golden("irreducible", dump(goto_graph, *plan_paths(goto_graph)));
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 6; ++i)
    edges.insert(edges.end(), {{2 * i, 2 * i + 1}, {2 * i, 2 * i + 2}, {2 * i + 1, 2 * i + 2}});
  const FlowGraph branches = testing::make_graph(13, 0, 12, edges);
  const auto truncated = plan_paths(branches, {.path_limit = 40});
  ASSERT_TRUE(truncated);
  compare_with_golden("truncated", dump(branches, *truncated));
}

}  // namespace
}  // namespace mangata::numbering
