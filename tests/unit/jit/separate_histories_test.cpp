#include "jit/region/separate_histories.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace mangata::jit {
namespace {

constexpr uint16_t kRegister = 1;

/// A loop of which every iteration takes one of `paths`, in the order of `taken`, counted in runs of k.
LoopPaths counted(const std::vector<uint32_t>& taken, size_t paths, unsigned k) {
  LoopPaths result;
  result.k = k;
  for (size_t i = 0; i < paths; ++i) result.distinct.push_back({{OriginalPc(i), true}});
  std::map<std::vector<uint32_t>, uint64_t> runs;
  for (size_t end = k; end <= taken.size(); ++end)
    ++runs[{taken.begin() + static_cast<ptrdiff_t>(end - k), taken.begin() + static_cast<ptrdiff_t>(end)}];
  result.runs.assign(runs.begin(), runs.end());
  return result;
}

/// The contexts of facts that say, for each path, which value it leaves; all of the same value are one.
LoopContexts by_facts(const LoopPaths& paths, const std::vector<uint32_t>& leaves) {
  LoopContexts loop;
  loop.paths = paths.distinct;
  loop.followed.set(kRegister);
  loop.contexts.resize(1 + *std::max_element(leaves.begin(), leaves.end()));
  for (uint32_t i = 1; i < loop.contexts.size(); ++i) loop.contexts[i].facts.set(kRegister, Value::integer(i));
  for (const auto& [run, count] : paths.runs) {
    LoopContexts::Context& context = loop.contexts[leaves[run[run.size() - 2]]];
    context.count += count;
    auto found = std::find_if(context.next.begin(), context.next.end(), [&](const auto& successor) { return successor.path == run.back(); });
    if (found == context.next.end()) found = context.next.insert(found, {run.back(), leaves[run.back()], 0, 0});
    found->count += count;
  }
  for (auto& context : loop.contexts) {
    context.share = static_cast<double>(context.count) / static_cast<double>(paths.iterations());
    for (auto& next : context.next) next.share = static_cast<double>(next.count) / static_cast<double>(context.count);
  }
  return loop;
}

void separate(const LoopPaths& paths, const std::vector<uint32_t>& leaves, LoopContexts* loop, const SeparationLimits& limits = {}) {
  std::vector<uint32_t> contexts;
  for (const auto& [run, count] : paths.runs) contexts.push_back(leaves[run[run.size() - 2]]);
  separate_histories(paths, contexts, [&](uint32_t, uint32_t path) { return leaves[path]; }, loop, limits);
}

/// From `start`, the share of the iterations that go where the context says.
double predicted(const LoopContexts& loop, uint32_t start, const std::vector<uint32_t>& taken) {
  uint32_t at = start;
  size_t right = 0;
  for (const uint32_t path : taken) {
    const auto& next = loop.contexts[at].next;
    right += !next.empty() && next.front().path == path;
    const auto found = std::find_if(next.begin(), next.end(), [&](const auto& successor) { return successor.path == path; });
    if (found == next.end()) return 0;
    at = found->context;
  }
  return static_cast<double>(right) / static_cast<double>(taken.size());
}

TEST(SeparateHistories, HistoriesThatPredictGetContexts) {
  // Path 0 leaves 1 three times in four, and only the iterations before it tell which is the fourth.
  std::vector<uint32_t> taken;
  for (int i = 0; i < 500; ++i) taken.insert(taken.end(), {0, 0, 0, 1});
  const LoopPaths paths = counted(taken, 2, 4);
  const std::vector<uint32_t> leaves{1, 1};
  LoopContexts loop = by_facts(paths, leaves);
  ASSERT_EQ(loop.contexts.size(), 2u);
  separate(paths, leaves, &loop);
  EXPECT_EQ(loop.contexts.size(), 5u) << "one for each place in the period, the first in the place of that of the facts";
  double share = 0;
  for (size_t i = 1; i < loop.contexts.size(); ++i) {
    const auto& context = loop.contexts[i];
    EXPECT_EQ(context.facts.find(kRegister)->as_integer(), 1);
    EXPECT_FALSE(context.history.empty());
    EXPECT_DOUBLE_EQ(context.next.front().share, 1.0);
    share += context.share;
  }
  EXPECT_NEAR(share, 1.0, 1e-9);
  double best = 0;
  for (uint32_t start = 1; start < loop.contexts.size(); ++start) best = std::max(best, predicted(loop, start, taken));
  EXPECT_DOUBLE_EQ(best, 1.0);
}

TEST(SeparateHistories, AContextOnTheWayRemembersWhatALaterOneNeeds) {
  // 0 or 1, then 2 that leaves 2 whatever came before, then what the first one says: 3 after 0, 4 after 1.
  std::mt19937 random(1);
  std::vector<uint32_t> taken;
  for (int i = 0; i < 2000; ++i) {
    const uint32_t first = random() % 2;
    taken.insert(taken.end(), {first, 2, 3 + first});
  }
  const LoopPaths paths = counted(taken, 5, 3);
  const std::vector<uint32_t> leaves{1, 1, 2, 3, 3};
  LoopContexts loop = by_facts(paths, leaves);
  separate(paths, leaves, &loop);
  size_t predicting = 0;
  for (const auto& context : loop.contexts) {
    if (context.facts.find(kRegister) == nullptr || context.facts.find(kRegister)->as_integer() != 2) continue;
    EXPECT_DOUBLE_EQ(context.next.front().share, 1.0);
    ++predicting;
  }
  EXPECT_EQ(predicting, 2u);
  EXPECT_EQ(loop.contexts.size(), 6u) << "two before and two after the one in the middle, and one for what is random";
}

TEST(SeparateHistories, WhatDoesNotPredictIsLeftAlone) {
  std::mt19937 random(7);
  std::vector<uint32_t> taken(4000);
  for (uint32_t& path : taken) path = random() % 3;
  const LoopPaths paths = counted(taken, 3, 3);
  const std::vector<uint32_t> leaves{1, 2, 1};
  LoopContexts loop = by_facts(paths, leaves);
  const size_t before = loop.contexts.size();
  separate(paths, leaves, &loop);
  EXPECT_EQ(loop.contexts.size(), before);
  for (const auto& context : loop.contexts) EXPECT_TRUE(context.history.empty());
}

TEST(SeparateHistories, NoMoreContextsThanTheLimit) {
  std::mt19937 random(3);
  std::vector<uint32_t> period(40), taken;
  for (uint32_t& path : period) path = random() % 4;
  for (int i = 0; i < 200; ++i) taken.insert(taken.end(), period.begin(), period.end());
  const LoopPaths paths = counted(taken, 4, 4);
  const std::vector<uint32_t> leaves{1, 2, 1, 2};
  LoopContexts loop = by_facts(paths, leaves);
  separate(paths, leaves, &loop, {.contexts = 6});
  EXPECT_LE(loop.contexts.size(), 7u);
  for (const auto& context : loop.contexts) {
    for (const auto& next : context.next) {
      ASSERT_LT(next.context, loop.contexts.size());
      EXPECT_EQ(loop.contexts[next.context].facts.find(kRegister)->as_integer(), leaves[next.path]);
    }
  }
}

}  // namespace
}  // namespace mangata::jit
