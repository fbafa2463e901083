#include "vm/heap/mapping_cache.h"

#include <gtest/gtest.h>

#include "vm/heap/large_space.h"

namespace mangata {
namespace {

TEST(MappingCache, GivesBackWhatHasTheSizeUntilTwoCyclesHaveEnded) {
  constexpr size_t kBytes = 1 << 20;
  LargeSpace space;
  LargeHeader* header = space.allocate(kBytes, 8);
  space.free(header);
  EXPECT_NE(space.allocate(2 * kBytes, 8), header);
  EXPECT_EQ(space.allocate(kBytes, 8), header);
  space.free(header);
  space.mappings.cycle_ended();
  EXPECT_EQ(space.allocate(kBytes, 8), header);
  space.free(header);
  space.mappings.cycle_ended();
  space.mappings.cycle_ended();
  const size_t mapping_bytes = (kBytes + sizeof(LargeHeader) + 127) / 64 * 64;
  for (size_t bytes = kBytes; bytes <= mapping_bytes; bytes += 64) EXPECT_EQ(space.mappings.take(bytes), nullptr);
}

}  // namespace
}  // namespace mangata
