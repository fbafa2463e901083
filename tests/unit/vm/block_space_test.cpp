// When blocks that nobody uses go back to the system.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "vm/heap/block.h"

namespace mangata {
namespace {

class BlockSpaceTest : public ::testing::Test {
 protected:
  /// Cells of the largest class, until so many blocks are in use.
  void fill(size_t count) {
    while (space_.blocks[kSizeClassCount - 1].size() < count) space_.next_run(kSizeClassCount - 1);
  }
  /// A cycle of the collector that finds nothing alive.
  void collect(size_t kept_bytes, bool at_once = false) {
    space_.clear_marks();
    space_.adopt_marks();
    space_.trim(kept_bytes, at_once);
  }
  void collect_often(size_t cycles) {
    for (size_t i = 0; i < cycles; ++i) collect(0);
  }
  size_t committed() const {
    return static_cast<size_t>(std::count_if(space_.free_blocks.begin(), space_.free_blocks.end(), [](const BlockHeader* block) { return block->committed; }));
  }

  BlockSpace space_;
};

TEST_F(BlockSpaceTest, WhatIsAskedForAtOnceGoesBackAtOnce) {
  fill(10);
  collect(4 * kBlockBytes, true);
  EXPECT_EQ(committed(), 4u);
}

TEST_F(BlockSpaceTest, BlocksThatAreUsedNowAndThenStay) {
  for (int round = 0; round < 100; ++round) {
    fill(10);
    collect(0);
    collect(0);
    EXPECT_EQ(committed(), 10u);
  }
}

TEST_F(BlockSpaceTest, HalfOfWhatIsIdleForLongGoesBack) {
  fill(12);
  collect_often(32);  // all are idle from the sixteenth on
  EXPECT_EQ(committed(), 6u);
  for (int i = 0; i < 16; ++i) {
    fill(4);
    collect(0);
  }
  EXPECT_EQ(committed(), 5u);  // of six, two were idle
  collect_often(16 * 8);
  EXPECT_EQ(committed(), 0u);
}

}  // namespace
}  // namespace mangata
