// Sites have memory where something was seen.
#include "jit/region/site_types.h"

#include <gtest/gtest.h>

#include <utility>

namespace mangata::jit {
namespace {

TEST(Sites, WhatWasNotWrittenIsNothingSeen) {
  Sites sites(1000);
  EXPECT_EQ(sites.size(), 1000u);
  EXPECT_EQ(sites[999].count, 0u);
  EXPECT_EQ(sites[999].open_results(), SiteTypes::kNotSeen);
  EXPECT_FALSE(sites.may_be_written(999));
  sites.at(999).count = 3;
  sites.at(500).taken = 1;
  EXPECT_EQ(sites[999].count, 3u);
  EXPECT_EQ(sites[998].count, 0u);
  EXPECT_EQ(sites[500].taken, 1u);
  EXPECT_TRUE(sites.may_be_written(999));
  EXPECT_FALSE(sites.may_be_written(0)) << "reading makes no memory";
}

TEST(Sites, AllThatWereWrittenAreVisited) {
  Sites sites(300);
  uint64_t written = 0;
  for (size_t pc = 0; pc < sites.size(); pc += 7) {
    sites.at(pc).count = static_cast<uint32_t>(pc + 1);
    written += pc + 1;
  }
  uint64_t visited = 0;
  sites.for_each_written([&](SiteTypes& site) { visited += site.count, site.count = 0; });
  EXPECT_EQ(visited, written);
  std::as_const(sites).for_each_written([&](const SiteTypes& site) { EXPECT_EQ(site.count, 0u); });
  EXPECT_TRUE(Sites().empty());
}

}  // namespace
}  // namespace mangata::jit
