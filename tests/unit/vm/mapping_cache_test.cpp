#include "vm/heap/mapping_cache.h"

#include <gtest/gtest.h>

#include "vm/heap/large_space.h"

namespace mangata {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

/// An object that fills its mapping but for a line, so that sizes are what they seem.
LargeHeader* allocate(LargeSpace& space, size_t bytes) {
  LargeHeader* header = space.allocate(bytes - 64, 8);
  *reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(header->object()) + 8) = bytes;
  return header;
}

uint64_t first_word(LargeHeader* header) { return *reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(header->object()) + 8); }

TEST(MappingCache, GivesBackMuchMemoryOnceTwoCyclesHaveEnded) {
  LargeSpace space;
  LargeHeader* header = allocate(space, 8 * kMegabyte);
  space.free(header);
  space.mappings.cycle_ended();
  EXPECT_EQ(allocate(space, 8 * kMegabyte), header);
  space.free(header);
  space.mappings.cycle_ended();
  EXPECT_TRUE(space.mappings.has(8 * kMegabyte));
  space.mappings.cycle_ended();
  EXPECT_FALSE(space.mappings.has(4096));
}

TEST(MappingCache, KeepsALittleForHoweverLong) {
  LargeSpace space;
  LargeHeader* header = allocate(space, kMegabyte);
  space.free(header);
  for (int i = 0; i < 10; ++i) space.mappings.cycle_ended();
  EXPECT_EQ(allocate(space, kMegabyte), header);
}

TEST(MappingCache, ASmallerObjectTakesTheFrontOfARangeAndGrowsIntoTheRest) {
  LargeSpace space;
  LargeHeader* header = allocate(space, 4 * kMegabyte);
  space.free(header);
  EXPECT_EQ(allocate(space, kMegabyte), header);
  EXPECT_EQ(space.grow(header, 4 * kMegabyte - 64), header);
  EXPECT_EQ(first_word(header), kMegabyte);
  EXPECT_EQ(header->size_bytes, 4 * kMegabyte - 64);
  EXPECT_EQ(space.bytes, 4 * kMegabyte - 64);
  EXPECT_FALSE(space.mappings.has(4096));
}

TEST(LargeSpace, ObjectsGrowWithWhatTheyHoldWhereverTheyGo) {
  LargeSpace space;
  LargeHeader* header = allocate(space, kMegabyte);
  LargeHeader* other = allocate(space, kMegabyte);  // may be in the way
  for (size_t megabytes = 2; megabytes <= 64; megabytes *= 2) {
    header = space.grow(header, megabytes * kMegabyte - 64);
    ASSERT_NE(header, nullptr);
    EXPECT_EQ(space.objects[header->index], header);
    EXPECT_EQ(first_word(header), kMegabyte);
    reinterpret_cast<char*>(header->object())[header->size_bytes - 1] = 1;
  }
  EXPECT_EQ(first_word(other), kMegabyte);
  EXPECT_EQ(space.grow(header, size_t{1} << 60), nullptr) << "the system refuses";
  EXPECT_EQ(first_word(header), kMegabyte);
}

TEST(LargeSpace, SmallObjectsDoNotGrow) {
  LargeSpace space;
  EXPECT_EQ(space.grow(allocate(space, 100000), kMegabyte), nullptr);
}

}  // namespace
}  // namespace mangata
