// What an iteration costs in steady state, counted on plans and automata: the cost of a window does not grow
// with k.
#include <gtest/gtest.h>

#include "numbering/kpath_numbering.h"
#include "numbering/path_plan.h"
#include "numbering/plan_interpreter.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

// Long stays, so that the first iterations do not show.
struct RandomLoop {
  FlowGraph graph;
  std::vector<EdgeId> trace;
  uint64_t iterations = 0;

  explicit RandomLoop(uint64_t seed) : graph(testing::random_loop(seed)) {
    testing::Random random(seed + 7);
    for (BlockId at = graph.entry(); at != graph.exit(); at = graph.target(trace.back())) {
      const auto out = graph.out_edges(at);
      EdgeId edge = out[random.below(out.size())];
      if (graph.target(edge) == graph.exit() && iterations < kIterations) edge = out.front();  // the backedge
      iterations += graph.target(edge) == graph.entry();
      trace.push_back(edge);
    }
  }
  static constexpr uint64_t kIterations = 2000;
};

double window_operations(const RandomLoop& loop, uint8_t k, bool chords, bool with_branch) {
  const LoopForest forest = LoopForest::find(loop.graph);
  const auto plan =
      plan_paths(loop.graph, forest, {.iterations = std::vector<uint8_t>{k}, .use_chords = chords});
  EXPECT_TRUE(plan);
  PlanCounters counters;
  PlanInterpreter interpreter(plan->events, counters);
  for (EdgeId edge : loop.trace) interpreter.take(edge);
  const Operations& operations = interpreter.operations();
  return static_cast<double>(operations.steady() + (with_branch ? operations.branches : 0)) /
         static_cast<double>(loop.iterations);
}

double paper_operations(const RandomLoop& loop, uint8_t k) {
  const LoopForest forest = LoopForest::find(loop.graph);
  const auto k_loops = KLoops::make(loop.graph, forest, std::vector<uint8_t>{k});
  const auto numbering = KPathNumbering::make(loop.graph, forest, *k_loops);
  KPathAutomaton automaton(loop.graph, forest, *k_loops, *numbering);
  for (EdgeId edge : loop.trace) automaton.take(edge);
  return static_cast<double>(automaton.operations()) / static_cast<double>(loop.iterations);
}

TEST(Operations, AWindowCostsWhatBallLarusCostsForEveryK) {
  constexpr int kLoops = 60;
  double window[5] = {}, window_plain[5] = {}, window_branch[5] = {}, paper[5] = {}, peeled[5] = {};
  for (int seed = 0; seed < kLoops; ++seed) {
    const RandomLoop loop(static_cast<uint64_t>(seed));
    for (uint8_t k = 1; k <= 4; ++k) {
      window[k] += window_operations(loop, k, true, false) / kLoops;
      window_plain[k] += window_operations(loop, k, false, false) / kLoops;
      window_branch[k] += window_operations(loop, k, true, true) / kLoops;
      if (k > 1) paper[k] += paper_operations(loop, k) / kLoops;
    }
  }
  // Peeled, the branches on itr and the flag are gone; unrolled k times, names rotate instead of values.
  for (unsigned k = 2; k <= 4; ++k) peeled[k] = paper[k] - 2 - (k - 1);
  std::printf("operations per steady-state iteration, mean of %d loops   k=1   k=2   k=3   k=4\n", kLoops);
  const auto print = [](const char* name, const double* row) {
    std::printf("%-52s %7.2f %5.2f %5.2f %5.2f\n", name, row[1], row[2], row[3], row[4]);
  };
  print("window (k=1: Ball-Larus), chords, first k peeled", window);
  print("window, without chords", window_plain);
  print("window, chords, with the predicted branch", window_branch);
  print("the paper's algorithm 3, corrected", paper);
  print("the same, first k peeled, unrolled k times", peeled);
  for (uint8_t k = 2; k <= 4; ++k) {
    EXPECT_NEAR(window[k], window[2], 0.01) << "the same for every k; k = " << int(k);
    EXPECT_LE(window[k], window[1] + 0.05) << "and not more than Ball-Larus; k = " << int(k);
    EXPECT_GT(paper[k], 2 * window[k]);
    EXPECT_GT(peeled[k], window[k] + 1) << "at its best the paper's algorithm does not come near";
    if (k > 2) {
      EXPECT_GT(paper[k], paper[k - 1] + 2) << "and grows with k";
    }
  }
}

}  // namespace
}  // namespace mangata::numbering
