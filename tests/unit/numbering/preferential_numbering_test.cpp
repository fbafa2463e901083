#include "numbering/preferential_numbering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "numbering/compact_table.h"
#include "numbering/path_plan.h"
#include "numbering/plan_interpreter.h"
#include "numbering/split_dag.h"
#include "tests/unit/numbering/k_iteration_support.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

using testing::make_graph;

// Letters to blocks: s = 0, a..y = 1.., t = last.
struct NamedDag {
  FlowGraph graph;
  LoopForest forest;
  PathDag dag;
  PathNumbering numbering;

  explicit NamedDag(size_t blocks, const std::vector<std::pair<int, int>>& edges)
      : graph(make_graph(blocks, 0, blocks - 1, edges)), forest(LoopForest::find(graph)) {
    auto made = build_path_dag(graph, forest);
    dag = std::move(*made);
    auto numbered = number_paths(dag);
    numbering = std::move(*numbered);
  }
  PathNumber number(const std::string& key) const {
    for (uint64_t i = 0; i < numbering.path_count; ++i) {
      const auto path = decode_path(graph, dag, numbering, PathNumber{i});
      if (path && path_key(*path) == "E:" + key + ":X") return PathNumber{i};
    }
    ADD_FAILURE() << "no path " << key;
    return {};
  }
  int64_t identifier(const PreferentialNumbering& preferential, PathNumber path) const {
    int64_t sum = 0;
    const auto steps = decode_steps(dag, numbering, path);
    for (const DagStep& step : *steps) sum += preferential.weight[step.edge.index()];
    return sum;
  }
};

// Figure 3: s=0 a=1 b=2 c=3 d=4 t=5.
NamedDag figure_3() { return NamedDag(6, {{0, 1}, {0, 2}, {1, 3}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}}); }

TEST(Preferential, Figure3AndTheWalkThroughOf3_2) {
  const NamedDag figure = figure_3();
  ASSERT_EQ(figure.numbering.path_count, 6u);
  const std::vector<PathNumber> interesting{figure.number("0-1-3-4-5"), figure.number("0-1-3-5"),
                                            figure.number("0-2-3-5")};
  // The Ball-Larus identifiers that the text gives: 0, 1 and 5.
  EXPECT_EQ(interesting, (std::vector<PathNumber>{PathNumber{0}, PathNumber{1}, PathNumber{5}}));
  const auto preferential = number_preferentially(figure.dag, figure.numbering, interesting);
  ASSERT_TRUE(preferential);
  EXPECT_EQ(preferential->identifiers, (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_EQ(preferential->compactness, 1);
  const auto weight = [&](size_t from, size_t to) {
    for (DagEdgeId id : figure.dag.edge_ids()) {
      const DagEdge& edge = figure.dag.edge(id);
      if (edge.kind == DagEdgeKind::Flow &&
          figure.graph.edge(edge.edge) == FlowEdge{BlockId(from), BlockId(to)}) {
        return preferential->weight[id.index()];
      }
    }
    return int64_t{-999};
  };
  EXPECT_EQ(weight(4, 5), 0);   // step 2: d->t
  EXPECT_EQ(weight(3, 4), 0);   // step 3: c->d
  EXPECT_EQ(weight(3, 5), 1);   // step 3: c->t
  EXPECT_EQ(weight(2, 3), -1);  // step 4: b->c
  EXPECT_EQ(weight(1, 3), 0);   // step 5: a->c
  EXPECT_EQ(weight(0, 1), 0);   // step 6: s->a
  EXPECT_EQ(weight(0, 2), 2);   // step 6: s->b
  // P1: the text says that sbcdt gets 2 and aliases sact (which has 1). It is 1.
  EXPECT_EQ(figure.identifier(*preferential, figure.number("0-2-3-4-5")), 1);
  // Edges without interesting paths lie outside of the table: a->b leads nowhere near an identifier.
  EXPECT_GE(figure.identifier(*preferential, figure.number("0-1-2-3-4-5")), 3);
}

TEST(Preferential, Figure5SeparationIsImpossibleSoAliasesAreTold) {
  // sacet and sbcdt interesting; whatever the weights, sacdt or sbcet falls between them. s a b c d e t =
  // 0..6
  const NamedDag figure(7, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6}});
  const auto preferential = number_preferentially(
      figure.dag, figure.numbering, std::vector{figure.number("0-1-3-5-6"), figure.number("0-2-3-4-6")});
  ASSERT_TRUE(preferential);
  EXPECT_NE(preferential->identifiers[0], preferential->identifiers[1]);
  int aliases = 0;
  for (const char* other : {"0-1-3-4-6", "0-2-3-5-6"}) {
    const int64_t identifier = figure.identifier(*preferential, figure.number(other));
    aliases += identifier >= 0 && static_cast<uint64_t>(identifier) < preferential->table_size;
  }
  EXPECT_GE(aliases, 1);
}

TEST(Preferential, Figure6HasNoPerfectNumbering) {
  // s=0 a=1 b=2 c=3 d=4 f=5 g=6 e=7 t=8; interesting: sadft sadgt sbdet sbdgt scdet scdft.
  const NamedDag figure(
      9, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}, {4, 6}, {4, 7}, {5, 8}, {6, 8}, {7, 8}});
  std::vector<PathNumber> interesting;
  for (const char* key : {"0-1-4-5-8", "0-1-4-6-8", "0-2-4-7-8", "0-2-4-6-8", "0-3-4-7-8", "0-3-4-5-8"}) {
    interesting.push_back(figure.number(key));
  }
  const auto preferential = number_preferentially(figure.dag, figure.numbering, interesting);
  ASSERT_TRUE(preferential);
  EXPECT_EQ(std::set(preferential->identifiers.begin(), preferential->identifiers.end()).size(), 6u);
  EXPECT_GT(preferential->compactness, 1)
      << "six identifiers would have an odd sum, the six paths an even one";
}

TEST(Preferential, NothingOrNonsenseIsAnError) {
  const NamedDag figure = figure_3();
  EXPECT_FALSE(number_preferentially(figure.dag, figure.numbering, {}));
  EXPECT_FALSE(number_preferentially(figure.dag, figure.numbering, std::vector{PathNumber{6}}));
  EXPECT_TRUE(number_preferentially(figure.dag, figure.numbering, std::vector{PathNumber{3}, PathNumber{3}}));
}

std::vector<PathNumber> random_subset(uint64_t count, uint64_t seed, size_t most) {
  testing::Random random(seed);
  std::set<PathNumber> chosen;
  const size_t wanted = 1 + random.below(std::min<size_t>(most, count));
  for (size_t i = 0; i < wanted; ++i) chosen.insert(PathNumber{random.next() % count});
  return {chosen.begin(), chosen.end()};
}

TEST(Preferential, InterestingPathsAreToldApartAndOthersWithUndefinedEdgesStayOutside) {
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    const testing::KCase test = testing::random_k_case(seed);
    const auto k_loops = KLoops::make(test.graph, test.forest, test.iterations);
    ASSERT_TRUE(k_loops);
    const auto dag = build_split_dag(test.graph, test.forest, *k_loops);
    ASSERT_TRUE(dag);
    const auto numbering = number_paths(*dag);
    if (!numbering || numbering->path_count > 3000) continue;
    const auto interesting = random_subset(numbering->path_count, seed, 12);
    const auto preferential = number_preferentially(*dag, *numbering, interesting);
    ASSERT_TRUE(preferential) << seed;
    ASSERT_EQ(std::set(preferential->identifiers.begin(), preferential->identifiers.end()).size(),
              interesting.size());
    for (uint64_t id : preferential->identifiers) ASSERT_LT(id, preferential->table_size);
    for (uint64_t i = 0; i < numbering->path_count; ++i) {
      uint64_t sum = 0;
      bool defined = true;
      const auto steps = decode_steps(*dag, *numbering, PathNumber{i});
      for (const DagStep& step : *steps) {
        sum += static_cast<uint64_t>(preferential->weight[step.edge.index()]);
        defined &= preferential->is_defined[step.edge.index()] != 0;
      }
      if (!defined) {
        ASSERT_GE(sum, preferential->table_size) << seed;
      }
    }
  }
}

TEST(Preferential, PlansCountEveryPathAndSeparateTheInterestingOnes) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const FlowGraph graph = seed % 2 ? testing::random_graph(seed, 2 + seed % 11)
                                     : testing::random_structured_graph(seed, 1 + seed % 12);
    const auto plain = plan_paths(graph);
    ASSERT_TRUE(plain);
    const auto interesting = random_subset(plain->path_count(), seed, 20);
    const auto plan = plan_paths(graph, {.interesting = interesting, .use_chords = seed % 3 != 0});
    ASSERT_TRUE(plan) << describe(plan.error());
    ASSERT_EQ(plan->events.paths.kind, TableKind::Preferential);
    const auto trace = testing::random_trace(graph, seed, 100);
    PlanCounters counters, plain_counters;
    PlanInterpreter interpreter(plan->events, counters), plain_interpreter(plain->events, plain_counters);
    for (EdgeId edge : trace) {
      interpreter.take(edge);
      plain_interpreter.take(edge);
      const BlockId at = graph.target(edge);
      if (at == graph.exit()) continue;
      const auto prefix = plan->decode_in_flight(graph, at, interpreter.state());
      const auto plain_prefix = plain->decode_in_flight(graph, at, plain_interpreter.state());
      ASSERT_TRUE(prefix && plain_prefix) << seed;
      ASSERT_EQ(path_key(*prefix), path_key(*plain_prefix));
    }
    ASSERT_EQ(counters.paths, plain_counters.paths) << seed;
    uint64_t preferred = 0;
    for (PathNumber path : interesting) {
      if (auto at = plain_counters.paths.find(path.value); at != plain_counters.paths.end())
        preferred += at->second;
    }
    ASSERT_EQ(counters.preferred, preferred) << seed;
  }
}

TEST(CompactTable, HotNumbersHaveSlotsOfTheirOwnAndOthersAreNotTakenForThem) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    testing::Random random(seed);
    std::set<uint64_t> numbers;
    for (size_t i = random.below(40); i > 0; --i) numbers.insert(random.next() >> random.below(60));
    const std::vector<uint64_t> list(numbers.begin(), numbers.end());
    const CompactTable table = make_compact_table(list);
    EXPECT_LE(table.slot_number.size(), std::max<size_t>(1, list.size() * list.size() * 2));
    for (uint64_t number : list) EXPECT_TRUE(table.contains(number));
    for (int i = 0; i < 100; ++i) {
      const uint64_t number = random.next() >> random.below(60);
      EXPECT_EQ(table.contains(number), numbers.contains(number));
    }
  }
}

}  // namespace
}  // namespace mangata::numbering
