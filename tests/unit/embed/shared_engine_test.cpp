// Everything that states of one engine can do at once: they move between threads with coroutines under way, their loops are optimized
// on the compile thread, their paths are counted, they are interrupted from outside, run into their limits, and are closed. What
// they compute is checked; under ThreadSanitizer, so is what the threads share.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mangata/mangata.hpp>
#include <mutex>
#include <random>
#include <thread>

namespace {

using namespace mangata;

/// Functions that answer the same for the same argument, however often they run and whatever has stopped them.
constexpr const char* kLibrary = R"(
  function tokens(n)
    local kinds, state, count = {97, 98, 32, 49}, 0, 0
    for i = 1, n do
      local c = kinds[i * 7 % 4 + 1]
      if c == 32 then state = 0 elseif c < 58 then state = 1 elseif state == 0 then state = 2 count = count + 1 else count = count + c end
    end
    return count
  end
  Account = {}
  Account.__index = Account
  function Account:add(x) if x % 3 == 0 then self.total = self.total + x else self.total = self.total - 1 end return self end
  function objects(n)
    local account = setmetatable({total = 0}, Account)
    for i = 1, n do account:add(i) end
    return account.total
  end
  function tables(n)
    local t, s = {}, 0
    for i = 1, n do t[i] = {i, i & 1 == 0 and i or i + 0.5} end
    for i = 1, n do s = s + t[i][2] end
    return math.floor(s)
  end
  function texts(n)
    local parts = {}
    for i = 1, n do parts[#parts + 1] = tostring(i):rep(2) end
    return #table.concat(parts)
  end
  function yields(n)
    local sum = 0
    for i in coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) do sum = sum + i end
    return sum
  end
  -- Its coroutine stays suspended from call to call, and so moves between threads.
  function generator(n)
    local function body() local i = 0 while true do i = i + 1 pcall(coroutine.yield, i) end end
    kept = kept or coroutine.create(body)
    local sum, last = 0
    for _ = 1, n do
      local ok, value = coroutine.resume(kept)
      if not ok then kept = coroutine.create(body) return 1 end
      if last and value ~= last + 1 then return -1 end
      last = value
    end
    return 1
  end
)";
constexpr const char* kFunctions[] = {"tokens", "objects", "tables", "texts", "yields", "generator"};
constexpr int64_t kArgument = 3000;

class Pool {
 public:
  Pool(const Engine& engine, size_t count) : engine_(engine) {
    for (size_t i = 0; i < count; ++i) free_.push_back(fresh());
  }
  State take() {
    std::unique_lock lock(mutex_);
    given_back_.wait(lock, [this] { return !free_.empty(); });
    State state = std::move(free_.front());
    free_.pop_front();
    return state;
  }
  void give_back(State state) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(state));
    given_back_.notify_one();
  }
  State fresh() const {
    State state(engine_, {.limits = {.memory_bytes = size_t{64} << 20, .timeout = std::chrono::minutes(5)}});
    state.run(kLibrary, "=library").value();
    return state;
  }

 private:
  const Engine& engine_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::deque<State> free_;
};

/// Which states run at the moment, for whoever interrupts them.
class Running {
 public:
  void enter(size_t worker, const State& state) {
    const std::lock_guard lock(mutex_);
    running_.at(worker).emplace(state);
  }
  void leave(size_t worker) {
    const std::lock_guard lock(mutex_);
    running_.at(worker).reset();
  }
  /// The state may end, move or be closed meanwhile.
  void interrupt(size_t worker) {
    std::optional<Interrupter> interrupter;
    {
      const std::lock_guard lock(mutex_);
      interrupter = running_.at(worker);
    }
    if (interrupter.has_value()) (*interrupter)();
  }

 private:
  std::mutex mutex_;
  std::array<std::optional<Interrupter>, 8> running_;
};

struct Seen {
  std::atomic<int> answers{0}, interrupts{0}, stops{0}, optimized{0};
};

class Worker {
 public:
  Worker(size_t number, Pool& pool, Running& running, Seen& seen, const std::vector<int64_t>& expected)
      : number_(number), pool_(pool), running_(running), seen_(seen), expected_(expected), random_(static_cast<unsigned>(number)) {}

  void work(int jobs) {
    for (int i = 0; i < jobs; ++i) {
      State state = pool_.take();
      running_.enter(number_, state);
      job(state);
      running_.leave(number_);
      if (random_() % 8 == 0) state = pool_.fresh();
      pool_.give_back(std::move(state));
    }
  }

 private:
  void job(const State& state) {
    switch (random_() % 8) {
      case 0: return run_endlessly(state);
      case 1: return fill_memory(state);
      case 2: return count_paths(state);
      default: return compute(state);
    }
  }

  bool is_interrupt(const Error& error) {
    if (error.kind != ErrorKind::Interrupted) return false;
    ++seen_.interrupts;
    return true;
  }

  void compute(const State& state) {
    const size_t which = random_() % std::size(kFunctions);
    const auto answer = state[kFunctions[which]].call<int64_t>(kArgument);
    if (answer.ok()) {
      EXPECT_EQ(*answer, expected_[which]) << kFunctions[which];
      ++seen_.answers;
    } else {
      EXPECT_TRUE(is_interrupt(answer.error())) << answer.error().message;
    }
  }

  void run_endlessly(const State& state) {
    const bool by_fuel = random_() % 2 == 0;
    Limits limits{.memory_bytes = size_t{64} << 20, .timeout = std::chrono::milliseconds(10)};
    if (by_fuel) limits = {.memory_bytes = size_t{64} << 20, .timeout = std::chrono::minutes(5), .fuel = 50000};
    state.set_limits(limits);
    const auto answer = state.run("local n = 0 while true do pcall(tokens, 100) n = n + 1 end");
    state.set_limits({.memory_bytes = size_t{64} << 20, .timeout = std::chrono::minutes(5)});
    ASSERT_FALSE(answer.ok());
    if (is_interrupt(answer.error())) return;
    EXPECT_EQ(answer.error().kind, by_fuel ? ErrorKind::Fuel : ErrorKind::Timeout) << answer.error().message;
    ++seen_.stops;
  }

  void fill_memory(const State& state) {
    state.set_limits({.memory_bytes = state.memory_used() + (size_t{2} << 20), .timeout = std::chrono::minutes(5)});
    const auto answer = state.run("local t = {} for i = 1, math.huge do t[i] = {i, tostring(i)} end");
    state.set_limits({.memory_bytes = size_t{64} << 20, .timeout = std::chrono::minutes(5)});
    ASSERT_FALSE(answer.ok());
    if (is_interrupt(answer.error())) return;
    EXPECT_EQ(answer.error().kind, ErrorKind::Memory) << answer.error().message;
    ++seen_.stops;
  }

  void count_paths(const State& state) {
    const auto started = state.paths().start(1 + random_() % 3);
    if (!started.ok()) {
      EXPECT_TRUE(is_interrupt(started.error())) << started.error().message;
      return;
    }
    compute(state);
    const auto paths = state.paths().top(5);
    EXPECT_TRUE(paths.ok());
    EXPECT_TRUE(state.paths().stop().ok());
    EXPECT_TRUE(state.paths().report(true).ok());
    EXPECT_TRUE(state.paths().reset().ok());
  }

  size_t number_;
  Pool& pool_;
  Running& running_;
  Seen& seen_;
  const std::vector<int64_t>& expected_;
  std::minstd_rand random_;
};

void do_everything(const char* policy, Seen& seen) {
  constexpr size_t kStates = 8, kThreads = 4;
  constexpr int kJobs = 60;
  std::vector<int64_t> expected;
  {
    const Engine judge({.policy = "interpreter"});
    const State state(judge);
    state.run(kLibrary).value();
    for (const char* function : kFunctions) expected.push_back(state[function].call<int64_t>(kArgument).value());
  }
  EngineOptions options{.policy = policy};
  options.on_tiering = [&seen](const TieringEvent& event) {
    if (event.kind == TieringEvent::Kind::Optimized) ++seen.optimized;
  };
  const Engine engine(std::move(options));
  Pool pool(engine, kStates);
  Running running;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] { Worker(i, pool, running, seen, expected).work(kJobs); });
  }
  std::atomic<bool> is_over{false};
  std::thread disturber([&] {
    std::minstd_rand random;
    while (!is_over) {
      running.interrupt(random() % kThreads);
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 16));
    }
  });
  for (std::thread& thread : threads) thread.join();
  is_over = true;
  disturber.join();
  EXPECT_GT(seen.answers, 0);
  EXPECT_GT(seen.interrupts, 0);
  EXPECT_GT(seen.stops, 0);
}

TEST(SharedEngine, DoesEverythingAtOnceWithOptimizedCode) {
  Seen seen;
  do_everything("optimizer:warm=100,record=1000", seen);
  if (seen.optimized == 0) GTEST_SKIP() << "no optimizing compiler";
}

/// Milliseconds until a loop of a new state is optimized; negative: it was not, within ten seconds.
double milliseconds_until_optimized() {
  std::atomic<bool> is_optimized{false};
  EngineOptions options{.policy = "optimizer:warm=100,record=1000"};
  options.on_tiering = [&](const TieringEvent& event) {
    if (event.kind == TieringEvent::Kind::Optimized) is_optimized = true;
  };
  const Engine engine(std::move(options));
  const State state(engine);
  state.run(kLibrary).value();
  const auto start = std::chrono::steady_clock::now();
  while (!is_optimized) {
    state["tokens"].call<int64_t>(kArgument).value();
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(10)) return -1;
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

TEST(SharedEngine, CompilesNothingForStatesThatAreGone) {
  if (milliseconds_until_optimized() < 0) GTEST_SKIP() << "no optimizing compiler";
  const Engine engine({.policy = "optimizer:warm=100,record=1000"});
  for (int i = 0; i < 100; ++i) {
    const State state(engine);
    state.run(kLibrary).value();
    for (const char* function : kFunctions) {
      for (int64_t argument : {100, 100, 100, 1000}) state[function].call<int64_t>(argument).value();
    }
  }
  const double milliseconds = milliseconds_until_optimized();
  EXPECT_GE(milliseconds, 0);
  EXPECT_LT(milliseconds, 1000);
}

TEST(SharedEngine, DoesEverythingAtOnceUnderAdaptive) {
  Seen seen;
  do_everything("adaptive:entry=2,loop=10,warm=200,sample=500,quiet=1000,rest=4000,optimize=20000", seen);
}

TEST(SharedEngine, DoesEverythingAtOnceInTheInterpreter) {
  Seen seen;
  do_everything("interpreter", seen);
}

}  // namespace
