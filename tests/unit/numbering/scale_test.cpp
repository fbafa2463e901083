// Large graphs: linear time and no recursion. The bounds are generous, for slow machines and sanitizers; the
// recorded properties tell the truth.
#include <gtest/gtest.h>

#include <ctime>

#include "numbering/path_plan.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

constexpr int kBlocks = 100000;
constexpr double kMostSeconds = 10;  ///< of processor time; an optimized build needs less than half a second

void plan_quickly(const char* name, int blocks, const std::vector<std::pair<int, int>>& edges) {
  const FlowGraph graph =
      testing::make_graph(static_cast<size_t>(blocks), 0, static_cast<size_t>(blocks) - 1, edges);
  const auto begin = std::clock();
  const auto plan = plan_paths(graph);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  ASSERT_TRUE(plan) << name;
  EXPECT_LT(seconds, kMostSeconds) << name;
  ::testing::Test::RecordProperty(name, std::to_string(seconds));
  std::printf("%s: %.0f ms, %llu paths\n", name, seconds * 1000,
              static_cast<unsigned long long>(plan->path_count()));
}

TEST(Scale, ChainOfBranches) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i + 2 < kBlocks; i += 2)
    edges.insert(edges.end(), {{i, i + 1}, {i, i + 2}, {i + 1, i + 2}});
  plan_quickly("branches", kBlocks - 1, edges);
}

TEST(Scale, LoopsNestedAsDeepAsThereAreBlocks) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i + 1 < kBlocks; ++i) edges.emplace_back(i, i + 1);
  for (int i = 1; i < kBlocks / 2; ++i) edges.emplace_back(kBlocks - 1 - i, i);
  plan_quickly("nested", kBlocks, edges);
}

TEST(Scale, LoopsInSequence) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i + 2 < kBlocks; i += 2)
    edges.insert(edges.end(), {{i, i + 1}, {i + 1, i}, {i + 1, i + 2}});
  plan_quickly("sequence", kBlocks - 1, edges);
}

TEST(Scale, OneDispatcherWithManyArms) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 1; i + 1 < kBlocks; ++i) edges.insert(edges.end(), {{0, i}, {i, 0}});
  edges.emplace_back(0, kBlocks - 1);
  plan_quickly("dispatcher", kBlocks, edges);
}

TEST(Scale, LadderThatIsHardForIterativeDominators) {
  std::vector<std::pair<int, int>> edges;
  const int half = kBlocks / 2;
  for (int i = 0; i + 1 < half; ++i)
    edges.insert(edges.end(), {{i, i + 1}, {half + i + 1, half + i}, {i, half + i}});
  edges.insert(edges.end(), {{half - 1, kBlocks - 1}, {half, kBlocks}});
  plan_quickly("ladder", kBlocks + 1, edges);
}

TEST(Scale, EveryBlockIsATailOfManyLoops) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i + 1 < kBlocks; ++i) edges.emplace_back(i, i + 1);
  for (int i = 0; i + 1 < kBlocks; ++i) edges.emplace_back(kBlocks - 2, i);
  plan_quickly("one tail", kBlocks, edges);
}

TEST(Scale, RandomJumps) {
  testing::Random random(5);
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i + 1 < kBlocks; ++i) {
    edges.emplace_back(i, i + 1);
    edges.emplace_back(i, static_cast<int>(random.below(kBlocks)));
  }
  plan_quickly("random", kBlocks, edges);
}

}  // namespace
}  // namespace mangata::numbering
