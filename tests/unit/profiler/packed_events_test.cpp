// Events on the one word of a frame against the reference of the numbering library, on random graphs, which
// have what bytecode has not: parallel edges, blocks that are loops by themselves, spanning trees that move
// increments about.
#include <gtest/gtest.h>

#include "numbering/plan_interpreter.h"
#include "profiler/counted_flows.h"
#include "profiler/hashed_paths.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::FlowGraph;
using numbering::LoopForest;
using numbering::LoopId;

FlowGraph graph_for(uint64_t seed) {
  return seed % 2 != 0 ? numbering::testing::random_graph(seed, 2 + seed % 11)
                       : numbering::testing::random_structured_graph(seed, 1 + seed % 12);
}

/// A function without bytecode: events do not look at it.
FunctionRecord record_of(FlowGraph graph, const ProfileOptions& options) {
  std::vector<Arm> arms(graph.edge_count(), Arm::Fallthrough);
  FunctionShape shape{std::move(graph), {}, std::move(arms), {}};
  auto numbering = number_function(shape, options);
  EXPECT_TRUE(numbering);
  return {FunctionIdentity(), std::move(shape), std::move(*numbering)};
}

/// Executes the events of a record as the interpreter does.
class Activation {
 public:
  explicit Activation(FunctionRecord& record)
      : counters_(record.counters), code_(edge_code(instrumentation_plan(record.shape, record.numbering))) {
    counters_.events.clear();
    execute(code_.at_entry);
  }
  void take(EdgeId edge) { execute(code_.on_edge[edge.index()]); }
  uint64_t word() const { return static_cast<uint64_t>(frame_.path_register); }

 private:
  void execute(const std::vector<PathEventRecord>& events) {
    for (const PathEventRecord& event : events) {
      counters_.events = {event};
      run_path_event(counters_, &frame_, 0);
    }
  }
  PathCounters& counters_;
  EdgeCode code_;
  FrameHeader frame_{};
};

using Counts = std::map<uint64_t, uint64_t>;

Counts counts_of(const CountTable& table) {
  Counts counts;
  table.for_each([&](uint64_t key, uint64_t count) { counts[key] = count; });
  return counts;
}

Counts counts_of(const numbering::PlanCounters::Table& table) { return {table.begin(), table.end()}; }

TEST(PackedEvents, CountAndStandWhereTheReferenceDoes) {
  uint64_t windows = 0;
  bool moved = false;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    FunctionRecord record = record_of(graph_for(seed), {.iterations = 2 + static_cast<unsigned>(seed % 4),
                                                        .path_limit = seed % 3 ? 1u << 20 : 60});
    const numbering::PathPlan& plan = record.numbering.plan;
    const FlowGraph& graph = record.shape.graph;
    numbering::PlanCounters reference;
    for (uint64_t t = 0; t < 3; ++t) {
      numbering::PlanInterpreter interpreter(plan.events, reference);
      Activation activation(record);
      BlockId at = graph.entry();
      for (const EdgeId edge : numbering::testing::random_trace(graph, seed * 7 + t, 20 + seed % 120)) {
        interpreter.take(edge);
        activation.take(edge);
        at = graph.target(edge);
        if (at == graph.exit()) break;
        const auto expected = plan.decode_in_flight(graph, at, interpreter.state());
        const auto actual = plan.decode_in_flight(graph, at, record.numbering.unpack(at, activation.word()));
        ASSERT_TRUE(expected) << seed;
        ASSERT_TRUE(actual) << seed;
        ASSERT_EQ(*actual, *expected) << seed;
      }
    }
    ASSERT_EQ(counts_of(record.counters.paths), counts_of(reference.paths)) << seed;
    for (size_t i = 0; i < record.counters.windows.size(); ++i) {
      ASSERT_EQ(counts_of(record.counters.windows[i].counts), counts_of(reference.windows[i])) << seed;
      windows += reference.windows[i].size();
    }
    for (const numbering::Leave& leave : plan.events.leaves) moved |= leave.potential != 0;
  }
  EXPECT_GT(windows, 1000u);
  EXPECT_TRUE(moved);
}

/// Machine code goes by the tables, the interpreter computes.
TEST(PackedEvents, TablesOfFirstIterationsSayWhatIsComputed) {
  for (const uint32_t k : {2u, 3u, 4u}) {
    for (const uint32_t digit_bits : {0u, 1u, 3u}) {
      PathWindow window{
          .k = k, .digit_bits = digit_bits, .body_paths = uint64_t{1} << digit_bits, .prologue = 5};
      allocate_window_counts(window);
      ASSERT_TRUE(window.has_starting_slots());
      ASSERT_TRUE(make_first_iteration_tables(window));
      const uint64_t one = uint64_t{1} << window.window_bits(), r = 7;
      PathCounters counters;
      counters.paths.array = LowArray<uint64_t>(r + 5 + one);
      for (uint64_t lower = one; lower < (k + 1) * one; ++lower) {
        const bool is_last = lower < 2 * one;
        const uint64_t number = is_last ? r + window.prologues[lower - one] : 0;
        const uint64_t count = counters.paths.array[number];
        const uint64_t word = r << 32 | lower;
        const auto step = static_cast<uint64_t>(window.steps[lower - one]);
        ASSERT_EQ(complete_first_iteration(counters, window, word), is_last ? step : word + step) << lower;
        ASSERT_EQ(counters.paths.array[number], count + (is_last ? 1 : 0)) << lower;
        ++window.counts.array[lower];
        ASSERT_LT(static_cast<int64_t>(window.counts.array[lower]), 0) << lower;
      }
      ASSERT_EQ(counts_of(window.counts), Counts{});
    }
  }
}

TEST(PackedEvents, WindowsWithoutRoomForStartingSlotsHaveNone) {
  PathWindow window{.k = 3, .digit_bits = 5, .body_paths = 32};
  allocate_window_counts(window);
  EXPECT_EQ(window.counts.array.size(), uint64_t{1} << 15);
  EXPECT_FALSE(window.has_starting_slots());
  EXPECT_FALSE(make_first_iteration_tables(window));
}

TEST(PackedEvents, HashedIdsGiveTheirPathsBack) {
  size_t paths = 0;
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    FunctionRecord record = record_of(graph_for(seed), {.many_paths = ManyPaths::Hash, .path_limit = 1});
    if (!record.numbering.hashed) continue;
    const FlowGraph& graph = record.shape.graph;
    const HashedPaths& hashed = *record.numbering.hashed;
    numbering::PlanCounters reference;
    for (uint64_t t = 0; t < 3; ++t) {
      numbering::PlanInterpreter interpreter(hashed.events, reference);
      Activation activation(record);
      for (const EdgeId edge : numbering::testing::random_trace(graph, seed * 7 + t, 20 + seed % 120)) {
        interpreter.take(edge);
        activation.take(edge);
        const BlockId at = graph.target(edge);
        if (at == graph.exit()) break;
        const auto prefix = hashed_prefix(graph, hashed, record.counters, at, activation.word());
        ASSERT_TRUE(prefix) << seed;
        ASSERT_EQ(prefix->edges, interpreter.trail().edges) << seed;
        ASSERT_EQ(prefix->begin_loop, interpreter.trail().begin_loop) << seed;
      }
    }
    ASSERT_EQ(counts_of(record.counters.paths), counts_of(reference.paths)) << seed;
    for (const auto& [id, witness] : reference.witnesses) {
      const auto path = hashed_path(graph, hashed, record.counters, id);
      ASSERT_TRUE(path) << seed;
      ASSERT_EQ(*path, numbering::to_flow_path(graph, hashed.loops, witness)) << seed;
      ++paths;
    }
    EXPECT_EQ(record.counters.hash_collisions, 0u);
  }
  EXPECT_GT(paths, 1000u);
}

TEST(PackedEvents, AnIdThatTwoPathsShareIsNoticed) {
  PathCounters counters;
  counters.hash_multiplier = 1;  // the sum of constants: 1 + 2 = 2 + 1
  const PathEventRecord one{PathEventKind::HashStep, 0, 1, 0, 7};
  const PathEventRecord two{PathEventKind::HashStep, 0, 2, 0, 8};
  EXPECT_EQ(hash_step(counters, hash_step(counters, 10, one), two), 13u);
  EXPECT_EQ(counters.hash_collisions, 0u);
  EXPECT_EQ(hash_step(counters, hash_step(counters, 10, two), one), 13u);
  EXPECT_EQ(counters.hash_collisions, 1u);
}

}  // namespace
}  // namespace mangata
