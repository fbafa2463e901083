// Paths and policies from the host.
#include <gtest/gtest.h>

#include <atomic>
#include <mangata/mangata.hpp>

namespace {

using namespace mangata;

TEST(Paths, AreCountedExactlyBetweenStartAndStop) {
  Engine engine;
  State state(engine);
  state.run("function f(n) local s = 0 for i = 1, n do if i % 3 == 0 then s = s + 1 end end return s end", "=script").value();
  EXPECT_EQ(state.paths().top(3).error().kind, ErrorKind::Misuse);
  EXPECT_TRUE(state.run("f(1000)").ok());
  EXPECT_TRUE(state.paths().start().ok());
  EXPECT_TRUE(state.run("f(3000)").ok());
  EXPECT_TRUE(state.paths().stop().ok());
  EXPECT_TRUE(state.run("f(5000)").ok());
  const std::vector<HotPath> paths = state.paths().top(2).value();
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0].file, "script");
  EXPECT_NEAR(static_cast<double>(paths[0].count), 2000, 2);
  EXPECT_NEAR(static_cast<double>(paths[1].count), 1000, 2);
  EXPECT_NE(paths[0].path.find("loop 1"), std::string::npos) << paths[0].path;
  EXPECT_NE(state.paths().report(true).value().find("script"), std::string::npos);
  EXPECT_EQ(state.paths().start(17).error().kind, ErrorKind::Misuse);
}

struct CompileLate : Policy {
  mutable std::atomic<int> asked{0};
  void first(mangata_decision* decision) const override { decision->entry = decision->loop = 500; }
  void decide(const mangata_profile_snapshot& snapshot, mangata_decision* decision) const override {
    ++asked;
    EXPECT_GE(snapshot.events_since, 500u);
    decision->tier = MANGATA_BASELINE;
  }
};

TEST(Policies, OfTheHostDecideAboutEveryFunction) {
  const auto policy = std::make_shared<CompileLate>();
  const Engine engine({.custom_policy = policy});
  State state(engine);
  EXPECT_EQ(state.run<int>("local n = 0 for i = 1, 400 do n = n + 1 end return n").value(), 400);
  EXPECT_EQ(policy->asked, 0);
  EXPECT_EQ(state.run<int>("local n = 0 for i = 1, 4000 do n = n + 1 end return n").value(), 4000);
  EXPECT_GE(policy->asked, 1);
}

}  // namespace
