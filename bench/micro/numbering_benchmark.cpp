// How long the stages from flow graph to chords take, by the size of the graph. All of them are near linear,
// so the time per block (the `per_block` counter) should hardly move between the small and the big graph:
// profiling a big script must not be felt at start-up. Read next: numbering/path_plan.h.
#include <benchmark/benchmark.h>

#include <memory>

#include "numbering/chords.h"
#include "numbering/edge_weights.h"
#include "numbering/path_plan.h"
#include "numbering/spanning_tree.h"

namespace mangata::numbering {
namespace {

/// Builds the graph of a structured program: a row of loops, each with a chain of if-else diamonds as its
/// body.
class ProgramShape {
 public:
  ProgramShape(size_t loop_count, size_t diamonds_per_loop) {
    BlockId before = new_block();
    const BlockId entry = before;
    for (size_t i = 0; i < loop_count; ++i) before = add_loop(before, diamonds_per_loop);
    const BlockId exit = new_block();
    connect(before, exit);
    graph_ = std::make_unique<FlowGraph>(*FlowGraph::build(block_count_, entry, exit, edges_));
  }
  const FlowGraph& graph() const { return *graph_; }

 private:
  BlockId new_block() { return BlockId(block_count_++); }
  void connect(BlockId from, BlockId to) { edges_.push_back({from, to}); }

  /// Returns the block behind the loop.
  BlockId add_loop(BlockId before, size_t diamond_count) {
    const BlockId head = new_block();
    connect(before, head);
    BlockId last = new_block();
    connect(head, last);
    for (size_t i = 0; i < diamond_count; ++i) last = add_diamond(last);
    connect(last, head);
    const BlockId after = new_block();
    connect(head, after);
    return after;
  }

  /// Returns the block where the two arms meet.
  BlockId add_diamond(BlockId split) {
    const BlockId left = new_block(), right = new_block(), join = new_block();
    connect(split, left);
    connect(split, right);
    connect(left, join);
    connect(right, join);
    return join;
  }

  size_t block_count_ = 0;
  std::vector<FlowEdge> edges_;
  std::unique_ptr<FlowGraph> graph_;
};

constexpr size_t kDiamondsPerLoop = 10;  // 1024 paths in each loop
constexpr size_t kBlocksPerLoop = 3 + 3 * kDiamondsPerLoop;

ProgramShape shape_of(const benchmark::State& state) {
  return ProgramShape(static_cast<size_t>(state.range(0)) / kBlocksPerLoop + 1, kDiamondsPerLoop);
}

void report_per_block(benchmark::State& state, const FlowGraph& graph) {
  const double blocks = static_cast<double>(graph.block_count());
  state.counters["per_block"] =
      benchmark::Counter(blocks, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void find_loops(benchmark::State& state) {
  const ProgramShape shape = shape_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(LoopForest::find(shape.graph()));
  report_per_block(state, shape.graph());
}

void build_dag(benchmark::State& state) {
  const ProgramShape shape = shape_of(state);
  const LoopForest forest = LoopForest::find(shape.graph());
  for (auto _ : state) benchmark::DoNotOptimize(build_path_dag(shape.graph(), forest));
  report_per_block(state, shape.graph());
}

void number_all_paths(benchmark::State& state) {
  const ProgramShape shape = shape_of(state);
  const auto dag = build_path_dag(shape.graph(), LoopForest::find(shape.graph()));
  for (auto _ : state) benchmark::DoNotOptimize(number_paths(*dag));
  report_per_block(state, shape.graph());
}

void find_chords(benchmark::State& state) {
  const ProgramShape shape = shape_of(state);
  const FlowGraph& graph = shape.graph();
  const LoopForest forest = LoopForest::find(graph);
  const auto dag = build_path_dag(graph, forest);
  const auto numbering = number_paths(*dag);
  const auto weights = dag_edge_weights(graph, *dag, static_edge_weights(graph, forest));
  for (auto _ : state) {
    benchmark::DoNotOptimize(chord_increments(*dag, *numbering, maximum_spanning_tree(*dag, weights)));
  }
  report_per_block(state, graph);
}

/// One body with far too many paths: the case of a generated script.
void truncate(benchmark::State& state) {
  const ProgramShape shape(1, static_cast<size_t>(state.range(0)) / 3);
  for (auto _ : state) benchmark::DoNotOptimize(plan_paths(shape.graph()));
  report_per_block(state, shape.graph());
}

/// All stages together, as the profiler calls them.
void plan_everything(benchmark::State& state) {
  const ProgramShape shape = shape_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(plan_paths(shape.graph()));
  report_per_block(state, shape.graph());
}

BENCHMARK(find_loops)->RangeMultiplier(8)->Range(64, 32768);
BENCHMARK(build_dag)->RangeMultiplier(8)->Range(64, 32768);
BENCHMARK(number_all_paths)->RangeMultiplier(8)->Range(64, 32768);
BENCHMARK(find_chords)->RangeMultiplier(8)->Range(64, 32768);
BENCHMARK(plan_everything)->RangeMultiplier(8)->Range(64, 32768);
BENCHMARK(truncate)->RangeMultiplier(8)->Range(256, 16384);

}  // namespace
}  // namespace mangata::numbering
