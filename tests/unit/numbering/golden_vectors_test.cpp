// The golden vectors, the project's own and the shared ones, when they are there.
#include "tests/unit/numbering/golden_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "numbering/path_plan.h"
#include "numbering/plan_interpreter.h"

namespace mangata::numbering::testing {
namespace {

TEST(GoldenVectors, TheOracleOfTheseTestsAgreesWithThem) {
  std::string missing;
  size_t vectors = 0;
  for (const std::string& name : golden_files(&missing)) {
    const GoldenFile file = read_golden_file(name);
    EXPECT_TRUE(file.errors.empty()) << file.errors.front();
    for (const GoldenVector& vector : file.vectors) {
      ++vectors;
      if (!vector.paths.empty()) {
        KeyCounts expected;
        for (const std::string& key : vector.paths) ++expected[key];
        const auto found = all_paths(vector.definition(), vector.paths.size());
        ASSERT_TRUE(found) << vector.name;
        EXPECT_EQ(*found, expected) << vector.name;
      }
      for (const GoldenTrace& trace : vector.traces) {
        std::vector<EdgeId> edges;
        for (EdgeId edge : trace.edges) {
          if (vector.graph.is_live(edge)) edges.push_back(edge);
        }
        const TraceResult result = cut_trace(vector.definition(), edges);
        EXPECT_EQ(result.counts, trace.counts) << vector.name;
        EXPECT_EQ(result.in_flight.empty(), trace.finished) << vector.name;
      }
    }
  }
  if (!missing.empty())
    GTEST_SKIP() << "no folder " << missing << ": only " << vectors << " own vectors were read";
}

TEST(GoldenVectors, AcyclicPlansAgreeWithThem) {
  std::string missing;
  for (const std::string& name : golden_files(&missing)) {
    for (const GoldenVector& vector : read_golden_file(name).vectors) {
      const auto plan = plan_paths(vector.graph, vector.forest);
      ASSERT_TRUE(plan) << vector.name;
      if (vector.acyclic_path_count) {
        EXPECT_EQ(plan->path_count(), *vector.acyclic_path_count) << vector.name;
      }
      if (std::any_of(vector.iterations.begin(), vector.iterations.end(), [](uint8_t k) { return k > 1; }))
        continue;
      for (size_t i = 0; i < vector.paths.size(); ++i) {
        const auto path = plan->decode(vector.graph, PathNumber{i});
        ASSERT_TRUE(path);
        EXPECT_EQ(path_key(*path), vector.paths[i]) << vector.name;
      }
    }
  }
  if (!missing.empty()) GTEST_SKIP() << "no folder " << missing;
}

}  // namespace
}  // namespace mangata::numbering::testing
