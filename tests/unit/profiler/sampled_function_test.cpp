// Estimates: what a layer has counted in some phases of a program, weighted by how long they were.
#include "profiler/sampled_function.h"

#include <gtest/gtest.h>

#include "tests/unit/numbering/random_graphs.h"

namespace mangata {
namespace {

SampledFunction function_of(size_t blocks, const std::vector<std::pair<int, int>>& edges) {
  numbering::FlowGraph graph = numbering::testing::make_graph(blocks, 0, blocks - 1, edges);
  std::vector<Arm> arms(graph.edge_count(), Arm::Fallthrough);
  return SampledFunction(FunctionIdentity(), FunctionShape{std::move(graph), {}, std::move(arms), {}});
}

TEST(SampledFunction, IsStraightWhenItsLoopsHaveOneWayEach) {
  EXPECT_TRUE(function_of(3, {{0, 1}, {1, 2}}).is_straight);
  EXPECT_TRUE(function_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}).is_straight) << "a branch, but no loop";
  EXPECT_TRUE(function_of(4, {{0, 1}, {1, 2}, {2, 1}, {1, 3}}).is_straight) << "the only other way leaves the loop";
  EXPECT_TRUE(function_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 1}, {4, 5}}).is_straight) << "the outer loop has a choice";
}

TEST(SampledFunction, IsNotStraightWhenAnIterationCanGoTwoWays) {
  EXPECT_FALSE(function_of(6, {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 1}, {4, 5}}).is_straight);
  EXPECT_FALSE(function_of(4, {{0, 1}, {1, 2}, {1, 1}, {2, 1}, {2, 3}}).is_straight) << "two backedges";
}

/// A function without bytecode, with one layer of acyclic paths.
class Sampled : public ::testing::Test {
 protected:
  Sampled() : function_(FunctionIdentity(), shape()) {
    auto numbering = number_function(function_.shape, {});
    EXPECT_TRUE(numbering);
    function_.layers.push_back(
        std::make_unique<SampledLayer>(SamplingPlan{.mode = SamplingPlan::Mode::Paths, .iterations = {}},
                                       FunctionIdentity(), shape(), std::move(*numbering)));
    function_.current = function_.layers.front().get();
  }
  static FunctionShape shape() {
    numbering::FlowGraph graph = numbering::testing::random_structured_graph(3, 6);
    std::vector<Arm> arms(graph.edge_count(), Arm::Fallthrough);
    return {std::move(graph), {}, std::move(arms), {}};
  }
  /// `events` pass, of which these are counted.
  void run(uint64_t events, uint64_t path, uint64_t times) {
    function_.so_far.events += events;
    function_.current->record.counters.paths.counter(path) += times;
  }
  double share(uint64_t path) const {
    const CounterLists lists = estimate(function_, *function_.current);
    double sum = 0, own = 0;
    for (const auto& [key, weight] : lists.paths) {
      sum += static_cast<double>(weight);
      if (key == path) own = static_cast<double>(weight);
    }
    return own / sum;
  }

  SampledFunction function_;
};

TEST_F(Sampled, WithinAPhaseAllCountsWeighTheSame) {
  run(1000, 0, 100);
  run(100000, 1, 300);
  EXPECT_NEAR(share(0), 0.25, 0.01);
}

TEST_F(Sampled, APhaseWeighsAsMuchAsWasExecutedInIt) {
  run(1000, 0, 100);
  run(9000, 0, 0);  // silence
  forget(function_);
  run(30000, 1, 10);
  EXPECT_NEAR(share(0), 0.25, 0.01);
  EXPECT_NEAR(share(1), 0.75, 0.01);
}

TEST_F(Sampled, APhaseInWhichNothingWasCountedHasNoWeight) {
  run(1000, 0, 100);
  forget(function_);
  run(1000, 0, 0);
  forget(function_);
  run(1000, 1, 50);
  EXPECT_NEAR(share(0), 0.5, 0.01);
}

}  // namespace
}  // namespace mangata
