#include "numbering/iteration_choice.h"

#include <gtest/gtest.h>

namespace mangata::numbering {
namespace {

// Windows of `length` over a sequence of iterations.
WindowCounts windows_of(const std::vector<uint64_t>& iterations, unsigned length) {
  WindowCounts counts{.length = length, .windows = {}};
  for (size_t i = 0; i + length <= iterations.size(); ++i) {
    counts.windows.emplace_back(
        std::vector<uint64_t>(iterations.begin() + static_cast<ptrdiff_t>(i),
                              iterations.begin() + static_cast<ptrdiff_t>(i + length)),
        1);
  }
  return counts;
}

std::vector<uint64_t> repeat(std::vector<uint64_t> pattern, size_t times) {
  std::vector<uint64_t> all;
  while (times-- > 0) all.insert(all.end(), pattern.begin(), pattern.end());
  return all;
}

TEST(IterationChoice, AnAlternatingBranchNeedsTwoIterations) {
  const auto accuracy = iteration_accuracy(windows_of(repeat({0, 1}, 100), 4));
  ASSERT_EQ(accuracy.size(), 4u);
  EXPECT_NEAR(accuracy[0], 0.5, 0.01);
  EXPECT_DOUBLE_EQ(accuracy[1], 1);
  EXPECT_EQ(choose_iterations(accuracy), 2u);
}

TEST(IterationChoice, APeriodOfThreeWithARepeatNeedsThree) {
  const auto accuracy = iteration_accuracy(windows_of(repeat({0, 0, 1}, 100), 5));
  EXPECT_NEAR(accuracy[0], 2.0 / 3, 0.01);
  EXPECT_NEAR(accuracy[1], 2.0 / 3, 0.01) << "after 0 comes 0 or 1; after 1 always 0";
  EXPECT_DOUBLE_EQ(accuracy[2], 1);
  EXPECT_EQ(choose_iterations(accuracy), 3u) << "looks over the plateau at 2";
}

TEST(IterationChoice, AConstantPathAndARandomBranchNeedNoHistory) {
  EXPECT_EQ(choose_iterations(iteration_accuracy(windows_of(repeat({7}, 50), 4))), 1u);
  std::vector<uint64_t> random;
  uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    random.push_back(state >> 63);
  }
  const auto accuracy = iteration_accuracy(windows_of(random, 4));
  EXPECT_NEAR(accuracy[3], 0.5, 0.03);
  EXPECT_EQ(choose_iterations(accuracy), 1u);
}

TEST(IterationChoice, AccuracyNeverFalls) {
  std::vector<uint64_t> iterations;
  uint64_t state = 3;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    iterations.push_back((state >> 60) % 5);
  }
  const auto accuracy = iteration_accuracy(windows_of(iterations, 6));
  for (size_t i = 1; i < accuracy.size(); ++i) EXPECT_GE(accuracy[i] + 1e-12, accuracy[i - 1]);
}

TEST(IterationChoice, EmptyCountsGiveZerosAndOne) {
  const auto accuracy = iteration_accuracy({.length = 3, .windows = {}});
  EXPECT_EQ(accuracy, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(choose_iterations(accuracy), 1u);
  EXPECT_EQ(choose_iterations({}), 1u);
}

TEST(IterationChoice, SlotsAreDigitsOldestLowest) {
  const std::vector<std::pair<uint64_t, uint64_t>> slots{{0b10'01, 5}};
  const auto counts = window_counts_from_slots(slots, 2, 2);
  ASSERT_EQ(counts.windows.size(), 1u);
  EXPECT_EQ(counts.windows[0].first, (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(counts.windows[0].second, 5u);
}

TEST(IterationChoice, CoverageOfTheMostFrequent) {
  const std::vector<uint64_t> counts{10, 60, 30};
  EXPECT_DOUBLE_EQ(coverage(counts, 1), 0.6);
  EXPECT_DOUBLE_EQ(coverage(counts, 2), 0.9);
  EXPECT_DOUBLE_EQ(coverage(counts, 9), 1);
  EXPECT_DOUBLE_EQ(coverage({}, 1), 0);
}

}  // namespace
}  // namespace mangata::numbering
