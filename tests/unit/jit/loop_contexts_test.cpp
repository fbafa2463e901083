#include "jit/region/loop_contexts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/unit/jit/pc_literal.h"

namespace mangata::jit {
namespace {

using testing::operator""_pc;

/// Counts of all runs of k paths in a sequence of iterations.
LoopPaths counted(const std::vector<uint32_t>& iterations, unsigned k) {
  LoopPaths paths;
  paths.k = k;
  uint32_t path_count = 0;
  for (const uint32_t path : iterations) path_count = std::max(path_count, path + 1);
  for (uint32_t path = 0; path < path_count; ++path)
    paths.distinct.push_back({{10_pc, path % 2 != 0}, {20_pc, path / 2 % 2 != 0}});
  std::map<std::vector<uint32_t>, uint64_t> runs;
  for (size_t i = k - 1; i < iterations.size(); ++i) {
    ++runs[std::vector<uint32_t>(iterations.begin() + static_cast<ptrdiff_t>(i + 1 - k),
                                 iterations.begin() + static_cast<ptrdiff_t>(i + 1))];
  }
  paths.runs.assign(runs.begin(), runs.end());
  return paths;
}

std::vector<uint32_t> repeated(std::vector<uint32_t> pattern, size_t count) {
  std::vector<uint32_t> all;
  for (size_t i = 0; i < count; ++i) all.push_back(pattern[i % pattern.size()]);
  return all;
}

TEST(LoopContexts, PathThatAlternatesGetsAContextForEachPath) {
  const LoopContexts loop = form_contexts(counted(repeated({0, 1}, 1000), 2));
  EXPECT_EQ(loop.k, 2u);
  ASSERT_EQ(loop.contexts.size(), 3u);
  // From the root into one of them, and from then on each leads to the other.
  ASSERT_EQ(loop.contexts[0].next.size(), 1u);
  const uint32_t head = loop.contexts[0].next[0].context;
  ASSERT_EQ(loop.contexts[head].next.size(), 1u);
  const uint32_t other = loop.contexts[head].next[0].context;
  EXPECT_NE(other, head);
  ASSERT_EQ(loop.contexts[other].next.size(), 1u);
  EXPECT_EQ(loop.contexts[other].next[0].context, head);
}

TEST(LoopContexts, PathsThatNeverMeetAreEnteredEach) {
  LoopPaths paths = counted(repeated({0, 1}, 4), 2);
  paths.runs = {{{0, 0}, 500}, {{1, 1}, 480}};
  const LoopContexts loop = form_contexts(paths);
  EXPECT_EQ(loop.k, 2u);
  ASSERT_EQ(loop.contexts.size(), 3u);
  EXPECT_EQ(loop.contexts[0].next.size(), 2u);
  for (uint32_t i = 1; i < 3; ++i) {
    ASSERT_EQ(loop.contexts[i].next.size(), 1u);
    EXPECT_EQ(loop.contexts[i].next[0].context, i);
  }
}

TEST(LoopContexts, RandomPathsGetOneSteadyContext) {
  std::mt19937 random(7);
  std::vector<uint32_t> iterations;
  for (int i = 0; i < 20000; ++i) iterations.push_back(random() % 2);
  const LoopContexts loop = form_contexts(counted(iterations, 3));
  EXPECT_EQ(loop.k, 1u);
  ASSERT_EQ(loop.contexts.size(), 2u);
  for (const auto& context : loop.contexts) {
    EXPECT_EQ(context.next.size(), 2u);
    for (const auto& next : context.next) EXPECT_EQ(next.context, 1u);
  }
}

TEST(LoopContexts, OnePathNeedsNoHistory) {
  const LoopContexts loop = form_contexts(counted(repeated({0}, 100), 4));
  EXPECT_EQ(loop.k, 1u);
}

TEST(LoopContexts, LongerPeriodsNeedMoreIterations) {
  // After "0 0" comes 1, after "1 0" comes 0: two paths back are needed.
  const LoopContexts loop = form_contexts(counted(repeated({0, 0, 0, 1}, 4000), 4));
  EXPECT_EQ(loop.k, 4u);
  EXPECT_NEAR(loop.accuracy[3], 1.0, 1e-3);
}

TEST(LoopContexts, MoreIterationsThanPayAreNotUsed) {
  const LoopContexts loop = form_contexts(counted(repeated({0, 1}, 1000), 4));
  EXPECT_EQ(loop.k, 2u);
}

TEST(LoopContexts, RarePathsAreLeftOut) {
  std::vector<uint32_t> iterations = repeated({0, 1}, 10000);
  for (size_t i = 0; i < iterations.size(); i += 997) iterations[i] = 2;
  const LoopContexts loop = form_contexts(counted(iterations, 2));
  EXPECT_EQ(loop.k, 2u);
  for (const auto& context : loop.contexts) {
    for (const auto& next : context.next) EXPECT_NE(next.path, 2u);
  }
}

TEST(LoopContexts, EveryLinkLeadsToAContextAndSharesAreThoseOfTheRuns) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    // A random automaton with a few paths, so that histories predict more or less.
    const uint32_t path_count = 1 + random() % 5;
    std::vector<std::vector<uint32_t>> follow(path_count);
    for (auto& list : follow) {
      for (uint32_t i = 0, n = 1 + random() % 4; i < n; ++i) list.push_back(random() % path_count);
    }
    std::vector<uint32_t> iterations{0};
    for (int i = 0; i < 3000; ++i) {
      const auto& list = follow[iterations.back()];
      iterations.push_back(list[random() % list.size()]);
    }
    const LoopContexts loop = form_contexts(counted(iterations, 1 + random() % 5), {.steps = 40});
    ASSERT_FALSE(loop.contexts.empty());
    size_t steps = 0;
    for (const auto& context : loop.contexts) {
      double share = 0;
      for (const auto& next : context.next) {
        ASSERT_LT(next.context, loop.contexts.size());
        ASSERT_LT(next.path, loop.paths.size());
        EXPECT_GE(next.share, 0.05);
        share += next.share;
        steps += loop.paths[next.path].size();
      }
      EXPECT_LE(share, 1 + 1e-9);
    }
    EXPECT_LE(steps, 40u);
  }
}

}  // namespace
}  // namespace mangata::jit
