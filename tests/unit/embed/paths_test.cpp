// Paths and policies from the host.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
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

TEST(Signals, AreThoseOfTheHost) {
  Engine engine;
  State state(engine);
  state.paths().start().value();
  state.run("for i = 1, 100000 do end").value();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGPROF}) {
    struct sigaction action;
    ASSERT_EQ(sigaction(number, nullptr, &action), 0);
    EXPECT_EQ(action.sa_handler, SIG_DFL) << number;
  }
}

/// Without a JIT nothing is decided.
bool has_machine_code() { return State(Engine()).run<bool>("return (require('jit').status())").value(); }

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
  if (!has_machine_code()) GTEST_SKIP() << "no machine code";
  const auto policy = std::make_shared<CompileLate>();
  const Engine engine({.custom_policy = policy});
  State state(engine);
  EXPECT_EQ(state.run<int>("local n = 0 for i = 1, 400 do n = n + 1 end return n").value(), 400);
  EXPECT_EQ(policy->asked, 0);
  EXPECT_EQ(state.run<int>("local n = 0 for i = 1, 4000 do n = n + 1 end return n").value(), 4000);
  EXPECT_GE(policy->asked, 1);
}

TEST(Tiering, IsHeardByTheHost) {
  if (!has_machine_code()) GTEST_SKIP() << "no machine code";
  struct Heard {
    TieringEvent::Kind kind;
    std::string function, file, tier, reason, text;
    int line;
    bool compiled;
  };
  std::vector<Heard> heard;
  EngineOptions options{.policy = "optimizer:warm=200"};
  options.deterministic = true;
  options.on_tiering = [&heard](const TieringEvent& event) {
    heard.push_back({event.kind, std::string(event.function), std::string(event.file), std::string(event.tier), std::string(event.reason),
                     std::string(event.text), event.line, event.compiled});
  };
  {
    State state{Engine(std::move(options))};  // the listener lives as long as the state
    state.run("\nfunction f(n) local s = 0 for i = 1, n do if i % 3 == 0 then s = s + 1 end end return s end", "=script").value();
    state.run("for i = 1, 300 do f(1000) end").value();
  }
  const auto of_f = [](const Heard& its) { return its.function == "f"; };
  const auto first = std::find_if(heard.begin(), heard.end(), of_f);
  ASSERT_NE(first, heard.end());
  EXPECT_EQ(first->kind, TieringEvent::Kind::Decided);
  EXPECT_EQ(first->file, "script");
  EXPECT_EQ(first->line, 2);
  EXPECT_EQ(first->tier, "baseline");
  EXPECT_TRUE(first->compiled);
  EXPECT_FALSE(first->reason.empty());
  EXPECT_NE(first->text.find("f (script:2)"), std::string::npos) << first->text;
  const bool has_optimizer = std::any_of(heard.begin(), heard.end(), [](const Heard& its) {
    return its.kind == TieringEvent::Kind::Optimized && its.tier == "optimized";
  });
  const bool has_reason = std::any_of(heard.begin(), heard.end(), [](const Heard& its) {
    return its.kind == TieringEvent::Kind::NotOptimized && !its.reason.empty();
  });
  EXPECT_TRUE(has_optimizer || has_reason) << "optimized, or told why not (no LLVM)";
}

}  // namespace
