#include "jit/code_memory/code_cache.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace mangata {
namespace {

/// mov eax, result; ret
void write_function(const CodeRegion& region, uint32_t result) {
  region.rw[0] = 0xB8;
  std::memcpy(region.rw + 1, &result, sizeof result);
  region.rw[5] = 0xC3;
}

uint32_t call(const CodeRegion& region) { return reinterpret_cast<uint32_t (*)()>(region.rx)(); }

struct Mapping {
  uintptr_t start, end;
  std::string rights;
};

std::vector<Mapping> mappings() {
  std::vector<Mapping> all;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    Mapping mapping;
    char dash;
    std::istringstream(line) >> std::hex >> mapping.start >> dash >> mapping.end >> mapping.rights;
    all.push_back(mapping);
  }
  return all;
}

std::string rights_at(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  for (const Mapping& mapping : mappings()) {
    if (mapping.start <= wanted && wanted < mapping.end) return mapping.rights;
  }
  return "none";
}

TEST(CodeCache, CodeElsewhereCountsTowardsTheLimit) {
  CodeCache cache(size_t{64} << 10);
  ASSERT_TRUE(cache.ok());
  EXPECT_TRUE(cache.charge_elsewhere(size_t{40} << 10));
  EXPECT_EQ(cache.used_bytes(), size_t{40} << 10);
  EXPECT_FALSE(cache.charge_elsewhere(size_t{30} << 10));
  EXPECT_FALSE(cache.allocate(size_t{30} << 10)) << "there is room in the arena, but not in the limit";
  auto region = cache.allocate(size_t{16} << 10);
  ASSERT_TRUE(region);
  EXPECT_FALSE(cache.charge_elsewhere(size_t{10} << 10));
  cache.discharge_elsewhere(size_t{40} << 10);
  EXPECT_TRUE(cache.charge_elsewhere(size_t{10} << 10));
  cache.release(&*region);
  EXPECT_EQ(cache.used_bytes(), size_t{10} << 10);
}

TEST(CodeCache, RunsWhatWasWrittenThroughTheOtherAlias) {
  CodeCache cache;
  ASSERT_TRUE(cache.ok());
  for (uint32_t result : {7u, 123456789u}) {  // the second one reuses the bytes of the first
    auto region = cache.allocate(6);
    ASSERT_TRUE(region);
    write_function(*region, result);
    CodeCache::finish_writing();
    EXPECT_EQ(call(*region), result);
    EXPECT_TRUE(cache.contains(region->rx));
    EXPECT_TRUE(cache.contains(region->rx + 63));
    EXPECT_FALSE(cache.contains(region->rw));
    cache.release(&*region);
  }
  const auto region = cache.allocate(1);  // the first of the arena
  EXPECT_FALSE(cache.contains(region->rx - 1));
  EXPECT_TRUE(cache.contains(region->rx + cache.limit_bytes() - 1));
  EXPECT_FALSE(cache.contains(region->rx + cache.limit_bytes()));
  EXPECT_FALSE(cache.contains(nullptr));
}

TEST(CodeCache, NoPageIsEverWritableAndExecutable) {
  CodeCache cache(1 << 20);
  auto region = cache.allocate(100);
  ASSERT_TRUE(region);
  EXPECT_EQ(rights_at(region->rx), "r-xs");
  EXPECT_EQ(rights_at(region->rw), "rw-s");
  write_function(*region, 1);
  EXPECT_EQ(call(*region), 1u);
  for (const Mapping& mapping : mappings()) EXPECT_EQ(mapping.rights.find("wx"), std::string::npos);
}

TEST(CodeCache, ReachesTheTextOfTheLibrary) {
  std::vector<std::unique_ptr<CodeCache>> caches;  // several engines in one process
  for (int i = 0; i < 8; ++i) {
    caches.push_back(std::make_unique<CodeCache>());
    ASSERT_TRUE(caches.back()->ok());
    EXPECT_TRUE(caches.back()->near_text());
    const auto code = reinterpret_cast<intptr_t>(caches.back()->allocate(1)->rx);
    const intptr_t distance = reinterpret_cast<intptr_t>(&call) - code;
    EXPECT_LT(std::abs(distance), intptr_t{1} << 31);
  }
}

TEST(CodeCache, FreeBytesAreTraps) {
  CodeCache cache(1 << 20);
  const auto is_trap = [](uint8_t byte) { return byte == 0xCC; };
  auto first = cache.allocate(1000);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->size_bytes, 1024u);
  EXPECT_TRUE(std::all_of(first->rx, first->rx + 1024, is_trap));
  std::memset(first->rw, 0x90, 1024);
  cache.shrink(&*first, 100);
  EXPECT_EQ(first->size_bytes, 128u);
  EXPECT_EQ(cache.used_bytes(), 128u);
  EXPECT_EQ(first->rx[99], 0x90);
  EXPECT_TRUE(std::all_of(first->rx + 100, first->rx + 1024, is_trap));
  const uint8_t* start = first->rx;
  cache.release(&*first);
  EXPECT_TRUE(std::all_of(start, start + 1024, is_trap));
  EXPECT_EQ(first->size_bytes, 0u);
  cache.release(&*first);  // an empty region: nothing to do
  EXPECT_EQ(cache.used_bytes(), 0u);
}

TEST(CodeCache, WhatIsReleasedAtTheEndIsNotWrittenOver) {
  CodeCache cache(1 << 20);
  auto region = cache.allocate(1000);
  std::memset(region->rw, 0x90, 1000);
  const uint8_t* start = region->rx;
  cache.close();
  cache.release(&*region);
  EXPECT_EQ(region->size_bytes, 0u);
  EXPECT_EQ(*start, 0x90);
}

/// Of a mapping's part, the kilobytes that are in the process's page table.
size_t resident_kilobytes(const void* start, size_t bytes) {
  std::ifstream pagemap("/proc/self/pagemap", std::ios::binary);
  pagemap.seekg(static_cast<std::streamoff>(reinterpret_cast<uintptr_t>(start) / 4096 * 8));
  size_t count = 0;
  for (size_t i = 0; i < bytes / 4096; ++i) {
    uint64_t entry = 0;
    pagemap.read(reinterpret_cast<char*>(&entry), sizeof entry);
    count += entry >> 63;
  }
  return count * 4;
}

TEST(CodeCache, CodeStaysAndCanBeChangedAfterItsPagesHaveLeftTheWritableAlias) {
  CodeCache cache(4 << 20);
  std::vector<CodeRegion> regions;
  for (uint32_t i = 0; i < 200; ++i) {
    auto region = cache.allocate(10000);
    ASSERT_TRUE(region);
    write_function(*region, i);
    regions.push_back(*region);
  }
  CodeCache::finish_writing();
  EXPECT_LE(resident_kilobytes(regions.front().rw, 200 * 10000), 64u);
  for (uint32_t i = 0; i < 200; ++i) EXPECT_EQ(call(regions[i]), i);
  write_function(regions[3], 12345);
  cache.release(&regions[4]);
  CodeCache::finish_writing();
  EXPECT_EQ(call(regions[3]), 12345u);
  EXPECT_EQ(call(regions[5]), 5u);
  const auto again = cache.allocate(10000);  // in the place of what was released
  ASSERT_TRUE(again);
  EXPECT_EQ(again->rx[0], 0xCC);
  EXPECT_EQ(again->rx[9999], 0xCC);
  for (size_t i = 5; i < 200; ++i) cache.release(&regions[i]);
  EXPECT_LE(resident_kilobytes(cache.allocate(1)->rw, 200 * 10000), 64u);
}

TEST(CodeCache, RefusesWhatExceedsTheLimit) {
  CodeCache cache(64 * 10);
  EXPECT_FALSE(cache.allocate(641));
  EXPECT_FALSE(cache.allocate(SIZE_MAX));
  EXPECT_FALSE(cache.allocate(0));
  auto all = cache.allocate(640);
  ASSERT_TRUE(all);
  EXPECT_FALSE(cache.allocate(1));
  cache.shrink(&*all, 576);
  EXPECT_TRUE(cache.allocate(64));
  EXPECT_FALSE(cache.allocate(1));
}

TEST(CodeCache, FourThousandFunctionsInALoopDoNotGrow) {
  CodeCache cache(1 << 20);
  std::mt19937 random(4);
  std::vector<CodeRegion> live;
  size_t committed = 0;
  for (int round = 0; round < 20; ++round) {
    for (uint32_t i = 0; i < 4000; ++i) {
      auto region = cache.allocate(64 + random() % 4000);
      ASSERT_TRUE(region) << "round " << round << ", function " << i;
      write_function(*region, i);
      ASSERT_EQ(call(*region), i);
      live.push_back(*region);
      if (live.size() > 50) {
        std::swap(live[random() % live.size()], live.back());
        cache.release(&live.back());
        live.pop_back();
      }
    }
    if (round == 4) committed = cache.committed_bytes();
  }
  EXPECT_LT(committed, size_t{400} << 10);  // 50 live functions of 2 KB on average
  EXPECT_LE(cache.committed_bytes(), committed + committed / 4);
  for (CodeRegion& region : live) cache.release(&region);
  EXPECT_EQ(cache.used_bytes(), 0u);
  EXPECT_EQ(cache.regions().free_span_count(), 1u);
}

TEST(CodeCache, AChildProcessHasItsOwnCode) {
  CodeCache cache(1 << 20);
  auto region = cache.allocate(64);
  ASSERT_TRUE(region);
  write_function(*region, 11);
  CodeCache::finish_writing();
  const pid_t child = fork();
  if (child == 0) {
    if (call(*region) != 11) _exit(1);
    if (rights_at(region->rx) != "r-xs" || rights_at(region->rw) != "rw-s") _exit(2);
    write_function(*region, 22);
    CodeCache::finish_writing();
    _exit(call(*region) == 22 ? 0 : 3);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(call(*region), 11u);
}

TEST(CodeCache, IsUnusableButHarmlessWithoutAddressSpace) {
  CodeCache cache(size_t{1} << 47);  // as much as there is
  EXPECT_FALSE(cache.ok());
  EXPECT_FALSE(cache.allocate(64));
  EXPECT_FALSE(cache.contains(nullptr));
  EXPECT_FALSE(cache.near_text());
}

}  // namespace
}  // namespace mangata
