// Mappings that machines leave to those after them.
#include <gtest/gtest.h>

#include <set>

#include "vm/heap/mapping_pool.h"

namespace mangata {
namespace {

TEST(MappingPool, KeepsAFew) {
  MappingPool pool;
  char mappings[16];
  EXPECT_EQ(pool.take(), nullptr);
  size_t kept = 0;
  for (char& mapping : mappings) kept += pool.give(&mapping) ? 1 : 0;
  EXPECT_EQ(kept, 4u);
  std::set<char*> taken;
  for (size_t i = 0; i < kept; ++i) taken.insert(pool.take());
  EXPECT_EQ(taken.size(), kept);
  EXPECT_FALSE(taken.contains(nullptr));
  EXPECT_EQ(pool.take(), nullptr);
}

}  // namespace
}  // namespace mangata
