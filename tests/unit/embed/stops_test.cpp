// Where a program was when a limit stopped it: the message has file and line, and the traceback the stack, in every tier.
#include <gtest/gtest.h>

#include <chrono>
#include <mangata/mangata.hpp>
#include <sstream>

namespace {

using namespace mangata;
using namespace std::chrono_literals;

class Stops : public testing::TestWithParam<const char*> {
 protected:
  Engine engine{{.policy = GetParam()}};
  State state{engine};

  /// What becomes of `program`, which is stopped in the third line of f.
  void expect_stop(const std::string& program, ErrorKind kind, const std::string& message) {
    Result<Function> chunk = state.load(program, "@stop.lua");
    ASSERT_TRUE(chunk);
    const Result<void> result = chunk->call<void>();
    EXPECT_EQ(result.error().kind, kind);
    EXPECT_EQ(result.error().message, "stop.lua:3: " + message);
    const std::string& traceback = result.error().traceback;
    EXPECT_EQ(traceback.find("stop.lua:3: " + message + "\nstack traceback:\n"), 0u) << traceback;
    EXPECT_NE(traceback.find("\n\tstop.lua:3: in "), std::string::npos) << traceback;
    EXPECT_NE(traceback.find("\n\tstop.lua:6: in main chunk"), std::string::npos) << traceback;
    // The next call is not blamed for it.
    state.set_limits({});
    EXPECT_EQ(state.run("error('later', 0)").error().message, "later");
  }
};

// A busy machine may reach a deadline wherever the program is: nearly all that takes time stands in the third line.
constexpr const char* kLoop = "local function f(n)\n\n  local s = 0 while n do s = s + 1 end\n  return s\nend\nf(1)\n";
constexpr const char* kInLibrary =
    "local function f(n)\n\n  local s = string.rep('a', 4000) return #s:find(string.rep('a-', 50) .. 'b'), s\nend\n\nf(1)\n";

TEST_P(Stops, ATimeLimitSaysWhere) {
  state.set_limits({.timeout = 150ms});
  expect_stop(kLoop, ErrorKind::Timeout, "time limit exceeded");
  state.set_limits({.timeout = 150ms});
  expect_stop(kInLibrary, ErrorKind::Timeout, "time limit exceeded");
}

TEST_P(Stops, FuelSaysWhere) {
  state.set_limits({.fuel = 100000});
  expect_stop(kLoop, ErrorKind::Fuel, "out of fuel");
}

TEST_P(Stops, AMemoryLimitSaysWhere) {
  state.set_limits({.memory_bytes = 8 << 20});
  expect_stop("local function f(t)\n  for i = 1, 1 << 40 do\n    t[i] = {i, tostring(i)}\n  end\nend\nf({})\n", ErrorKind::Memory, "not enough memory");
  state.set_limits({.memory_bytes = 8 << 20});
  expect_stop("local function f(n)\n  local s = 'x'\n  return s:rep(n), s\nend\n\nf(1 << 30)\n", ErrorKind::Memory, "not enough memory");
  // Scripts see it as ever.
  state.set_limits({.memory_bytes = 8 << 20});
  EXPECT_EQ(state.run<std::string>("return select(2, pcall(string.rep, 'x', 1 << 30))").value(), "not enough memory");
}

TEST_P(Stops, CallsOfTheHostInBetweenKeepIt) {
  state["again"] = [](StateView view, const Function& function) -> Result<void> {
    (void)view;
    return function.call<void>();
  };
  state.set_limits({.fuel = 100000});
  expect_stop("local function f(n)\n  again(function()\n    while true do end\n  end)\nend\nf(1)\n", ErrorKind::Fuel, "out of fuel");
}

TEST_P(Stops, ErrorsOfACoroutineThatTheHostResumesSayWhere) {
  const auto fail = [&](const std::string& program) {
    Result<Function> body = state.load(program, "@stop.lua");
    EXPECT_TRUE(body);
    return state.new_coroutine(*body)->resume<void>().error();
  };
  state.set_limits({.memory_bytes = 8 << 20});
  Error error = fail("local function f(t)\n  for i = 1, 1 << 40 do\n    t[i] = {i, tostring(i)}\n  end\nend\nf({})\n");
  EXPECT_EQ(error.kind, ErrorKind::Memory);
  EXPECT_EQ(error.message, "stop.lua:3: not enough memory");
  EXPECT_EQ(error.traceback.find("stop.lua:3: not enough memory\nstack traceback:\n"), 0u) << error.traceback;
  EXPECT_NE(error.traceback.find("\n\tstop.lua:6: in "), std::string::npos) << error.traceback;
  state.set_limits({});
  error = fail("local function f()\n  error('wrong')\nend\nlocal n = 1\nf()\nreturn n");
  EXPECT_EQ(error.kind, ErrorKind::Runtime);
  EXPECT_EQ(error.message, "stop.lua:2: wrong");
  EXPECT_NE(error.traceback.find("\n\tstop.lua:5: in "), std::string::npos) << error.traceback;
  // The next error is not blamed for it.
  EXPECT_EQ(state.run("error('later', 0)").error().message, "later");
  EXPECT_EQ(fail("error({})").message, "(error object is a table value)");
}

INSTANTIATE_TEST_SUITE_P(Tiers, Stops, testing::Values("interpreter", "baseline", "adaptive", "eager"));

TEST(Tracebacks, AreEmptyForNoError) {
  Engine engine;
  State state(engine, {{.memory_bytes = 64 << 20, .timeout = 50ms}, Sandbox::strict()});
  state["add"] = [](double a, double b) { return a + b; };
  const char* wrong[] = {"return add(1", "return add(1, {})", "return 'x'", "while true do end", "return add(1, nil_value.x)", "error()", "error({})"};
  for (const char* program : wrong) {
    // As the README has it.
    std::ostringstream shown;
    Result<double> sum = state.run<double>(program);
    if (!sum) shown << sum.error().traceback;
    EXPECT_NE(shown.str(), "") << program;
    EXPECT_EQ(shown.str().find(sum.error().message), 0u) << shown.str();
  }
  Result<double> sum = state.run<double>("return add(1, 2)");
  EXPECT_EQ(sum.value(), 3);
  EXPECT_EQ(sum.error().traceback, "");
}

}  // namespace
