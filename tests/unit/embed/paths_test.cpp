// Paths and policies from the host.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
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

using namespace std::chrono_literals;

/// Functions without a call, each with so many branches.
std::string functions_of_branches(int functions, int branches) {
  std::string function = "f = function(x) ";
  for (int i = 0; i < branches; ++i) function += "if x then y = 1 end ";
  function += "end\n";
  std::string text;
  for (int i = 0; i < functions; ++i) text += function + "-- " + std::to_string(i) + "\n";
  return text;
}

/// How long `work` takes that a deadline of 40 ms ends. The machine may be busy: the best of several.
template <class Work>
std::chrono::nanoseconds least_time_of(State& state, Work work) {
  auto best = std::chrono::nanoseconds::max();
  state.set_limits({.timeout = 40ms});
  for (int i = 0; i < 6 && best > 100ms; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = work();
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start;
    if (result.ok()) return 0ns;  // all of it
    EXPECT_EQ(result.error().kind, ErrorKind::Timeout) << result.error().message;
    best = std::min(best, elapsed);
  }
  state.set_limits({});
  return best;
}

/// Numbering of what a hostile chunk is made of: many functions, few that are just small enough, one that is not.
TEST(Paths, NumberingIsStoppedByTheDeadline) {
  const Engine engine;
  State state(engine);
  ASSERT_TRUE(state.paths().start().ok());
  for (const auto& [functions, branches] : {std::pair{4000, 100}, {100, 4000}, {1, 400000}}) {
    const std::string text = functions_of_branches(functions, branches);
    EXPECT_LE(least_time_of(state, [&] { return state.load(text, "=hostile"); }), 150ms) << functions;
  }
  EXPECT_TRUE(state.run("function g(n) local s = 0 for i = 1, n do s = s + i end return s end g(100)", "=after").ok());
  EXPECT_FALSE(state.paths().top(3).value().empty()) << "counting goes on";
}

TEST(Paths, StartingIsStoppedByTheDeadline) {
  const Engine engine;
  State state(engine, {{}, {Library::kSafe | Library::kPackage | Library::kJit, false, false}});
  ASSERT_TRUE(state.run("kept = {} for i = 1, 4000 do kept[i] = load('return function(x) ' .. string.rep('if x then y = 1 end ', 100) .. 'end', '=' .. i)() end").ok());
  EXPECT_LE(least_time_of(state, [&] { return state.run("require('jit').paths.start()"); }), 150ms);
  EXPECT_TRUE(state.run("kept[1](true)").ok());
}

/// What profilers keep is in the account, and given back.
TEST(Paths, NumberingHasNoMoreMemoryThanTheState) {
  const Engine engine;
  State state(engine);
  ASSERT_TRUE(state.paths().start().ok());
  const std::string text = functions_of_branches(1000, 100);
  ASSERT_TRUE(state.run("collectgarbage() collectgarbage()").ok());
  const size_t before = state.memory_used();
  EXPECT_TRUE(state.load(text, "=first").ok());
  EXPECT_GE(state.memory_used(), before + 300'000 * 100) << "an if is three instructions";
  EXPECT_TRUE(state.run("collectgarbage() collectgarbage()").ok());
  EXPECT_LE(state.memory_used(), before + 1'000'000) << "functions that never ran are forgotten";
  state.set_limits({.memory_bytes = size_t{32} << 20});
  const auto result = state.load(text, "=second");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::Memory) << result.error().message;
  EXPECT_TRUE(state.run("return 1").ok());
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
  const auto of_f = [](const Heard& heard) { return heard.function == "f"; };
  const auto first = std::find_if(heard.begin(), heard.end(), of_f);
  ASSERT_NE(first, heard.end());
  EXPECT_EQ(first->kind, TieringEvent::Kind::Decided);
  EXPECT_EQ(first->file, "script");
  EXPECT_EQ(first->line, 2);
  EXPECT_EQ(first->tier, "baseline");
  EXPECT_TRUE(first->compiled);
  EXPECT_FALSE(first->reason.empty());
  EXPECT_NE(first->text.find("f (script:2)"), std::string::npos) << first->text;
  const bool has_optimizer = std::any_of(heard.begin(), heard.end(), [](const Heard& heard) {
    return heard.kind == TieringEvent::Kind::Optimized && heard.tier == "optimized";
  });
  const bool has_reason = std::any_of(heard.begin(), heard.end(), [](const Heard& heard) {
    return heard.kind == TieringEvent::Kind::NotOptimized && !heard.reason.empty();
  });
  EXPECT_TRUE(has_optimizer || has_reason) << "optimized, or told why not (no LLVM)";
}

}  // namespace
