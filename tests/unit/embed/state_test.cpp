// Running code, values, tables, functions, coroutines, errors.
#include <gtest/gtest.h>

#include <mangata/mangata.hpp>

namespace {

using namespace mangata;

TEST(State, RunsCodeAndGivesTypedResults) {
  Engine engine;
  State state(engine);
  EXPECT_EQ(state.run<int>("return 6 * 7").value(), 42);
  EXPECT_EQ(state.run<std::string>("return 'a' .. 1").value(), "a1");
  EXPECT_TRUE(state.run("x = 5").ok());
  const auto both = state.run<double, bool>("return 2^10, x == 5");
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(*both, std::make_tuple(1024.0, true));
  EXPECT_EQ(state.run<Variadic>("return 1, nil, 'x'").value().size(), 3u);
  EXPECT_FALSE(state.run<std::optional<int>>("return nil").value().has_value());
}

TEST(State, ErrorsHaveKindsMessagesAndTracebacks) {
  Engine engine;
  State state(engine);
  const auto syntax = state.run("x = = 1", "=chunk");
  EXPECT_EQ(syntax.error().kind, ErrorKind::Syntax);
  EXPECT_EQ(syntax.error().message, "chunk:1: unexpected symbol near '='");
  const auto runtime = state.run("local function f() error('no') end\nf()", "=chunk");
  EXPECT_EQ(runtime.error().kind, ErrorKind::Runtime);
  EXPECT_EQ(runtime.error().message, "chunk:1: no");
  EXPECT_NE(runtime.error().traceback.find("stack traceback:"), std::string::npos);
  EXPECT_NE(runtime.error().traceback.find("in local 'f'"), std::string::npos);
  EXPECT_THROW(runtime.value(), ErrorException);
  const auto type = state.run<int>("return {}");
  EXPECT_EQ(type.error().kind, ErrorKind::Conversion);
  EXPECT_EQ(type.error().message, "bad result #1 (number expected, got table)");
  EXPECT_EQ(state.run<int>("return 3.5").error().message, "bad result #1 (number has no integer representation)");
  EXPECT_EQ(state.run<int8_t>("return 300").error().message, "bad result #1 (number out of range)");
  EXPECT_EQ(state.run("error({code = 7})").error().message, "(error object is a table value)");
  EXPECT_EQ(state.last_error_value().as<Table>().value().get<int>("code").value(), 7);
  EXPECT_EQ(state.run_file("/nowhere.lua").error().kind, ErrorKind::Misuse);
}

TEST(State, TablesAreReadAndWritten) {
  Engine engine;
  State state(engine);
  state["t"] = state.new_table().value();
  state["t"]["x"] = 3;
  state["t"]["name"] = "moon";
  state["t"][1] = 2.5;
  EXPECT_EQ(state.run<std::string>("return t.name .. t.x .. t[1]").value(), "moon32.5");
  const Table table = state["t"].get<Table>().value();
  EXPECT_EQ(table.get<int>("x").value(), 3);
  EXPECT_EQ(table["x"].get<int>().value(), 3);
  EXPECT_EQ(table.length().value(), 1);
  EXPECT_EQ(state["t"]["x"]["y"].get<int>().error().kind, ErrorKind::Runtime);
  EXPECT_EQ(state["t"]["name"].get<int>().error().message, "'name': number expected, got string");
  EXPECT_EQ(state["missing"].get_or(9), 9);
  state["v"] = std::vector<int>{1, 2, 3};
  state["m"] = std::map<std::string, double>{{"a", 0.5}};
  EXPECT_EQ(state.run<double>("return v[3] + #v + m.a").value(), 6.5);
  EXPECT_EQ(state.run<std::vector<int>>("return {1, 4, 9}").value(), (std::vector<int>{1, 4, 9}));
  EXPECT_EQ(state.run<std::vector<int>>("return {1, 'x'}").error().message,
            "bad result #1 (element 2: number expected, got string)");
  int sum = 0;
  const auto visited = state["v"].get<Table>().value().for_each<int, int>([&](int key, int value) { sum += key * value; });
  EXPECT_TRUE(visited.ok());
  EXPECT_EQ(sum, 14);
  EXPECT_TRUE(state.run("p = setmetatable({}, {__index = function(t, k) return k .. '!' end, __newindex = error})").ok());
  EXPECT_EQ(state["p"]["q"].get<std::string>().value(), "q!");
  EXPECT_EQ(state["p"].get<Table>().value().set("k", 1).error().kind, ErrorKind::Runtime);
}

TEST(State, FunctionsGoBothWays) {
  Engine engine;
  State state(engine);
  state["add"] = [](int a, double b) { return a + b; };
  state["swap"] = [](std::string_view a, std::string_view b) { return std::make_tuple(std::string(b), std::string(a)); };
  state["count"] = [](const Variadic& all) { return all.size(); };
  state["maybe"] = [](std::optional<int> n) { return n.value_or(-1); };
  state["total"] = [](std::span<const int> values) {
    int sum = 0;
    for (const int value : values) sum += value;
    return sum;
  };
  int calls = 0;
  state["called"] = [&calls] { ++calls; };
  EXPECT_EQ(state.run<double>("return add(1, 2.5)").value(), 3.5);
  EXPECT_EQ(state.run<std::string>("local a, b = swap('x', 'y') return a .. b").value(), "yx");
  EXPECT_EQ(state.run<int>("return count(1, nil, 3, nil)").value(), 4);
  EXPECT_EQ(state.run<int>("return maybe() + maybe(3)").value(), 2);
  EXPECT_EQ(state.run<int>("return total{1, 2, 3}").value(), 6);
  EXPECT_TRUE(state.run("for i = 1, 1000 do called() end").ok());
  EXPECT_EQ(calls, 1000);
  // Lua's own messages.
  EXPECT_EQ(state.run("add('x', 1)", "=c").error().message, "c:1: bad argument #1 to 'add' (number expected, got string)");
  EXPECT_EQ(state.run("add(1)", "=c").error().message, "c:1: bad argument #2 to 'add' (number expected, got no value)");
  EXPECT_EQ(state.run("add(1.5, 1)", "=c").error().message,
            "c:1: bad argument #1 to 'add' (number has no integer representation)");
  EXPECT_EQ(state.run<double>("return add('10', '0x10')").value(), 26);
  const Function f = state.run<Function>("return function(a, b) return a .. b, #a end").value();
  const auto result = f.call<std::string, int>("abc", 4);
  EXPECT_EQ(*result, std::make_tuple(std::string("abc4"), 3));
  EXPECT_EQ(f("a", "b").value().as<std::string>().value(), "ab");
  EXPECT_EQ(f.call<std::string>("a", nullptr).error().kind, ErrorKind::Runtime);
}

TEST(State, ExceptionsAndErrorsOfTheHostBecomeLuaErrors) {
  Engine engine;
  State state(engine);
  state["throws"] = [](int) -> int { throw std::runtime_error("thrown"); };
  state["throws_int"] = []() { throw 1; };
  state["refuses"] = []() -> Result<int> { return Error{ErrorKind::Runtime, "refused", {}}; };
  state["nested"] = [](StateView view) { return view.run<int>("error({1})"); };
  EXPECT_EQ(state.run("throws(1)", "=c").error().message, "c:1: thrown");
  EXPECT_EQ(state.run("throws_int()", "=c").error().message, "c:1: C++ exception");
  EXPECT_EQ(state.run("refuses()", "=c").error().message, "c:1: refused");
  EXPECT_EQ(state.run<std::string>("local ok, e = pcall(nested) return type(e)").value(), "table");
  // From machine code.
  EXPECT_EQ(state.run<int>("local n = 0 for i = 1, 20000 do if not pcall(throws, i) then n = n + 1 end end return n").value(), 20000);
}

TEST(State, CoroutinesAreResumedFromTheHost) {
  Engine engine;
  State state(engine);
  const Function body = state.run<Function>("return function(a) local b = coroutine.yield(a + 1) error('end ' .. b) end").value();
  const Coroutine coroutine = state.new_coroutine(body).value();
  EXPECT_EQ(coroutine.resume<int>(1).value(), 2);
  EXPECT_EQ(coroutine.status(), "suspended");
  EXPECT_NE(coroutine.resume<int>("x").error().message.find("end x"), std::string::npos);
  EXPECT_TRUE(coroutine.is_done());
  EXPECT_EQ(coroutine.resume<>().error().message, "cannot resume dead coroutine");
}

TEST(State, HandlesOutliveTheirState) {
  Engine engine;
  std::optional<State> state(std::in_place, engine);
  const Table table = state->run<Table>("return {1, 2}").value();
  const Function function = state->run<Function>("return print").value();
  const Value string = state->run<Value>("return 'text'").value();
  const Value number = state->run<Value>("return 7").value();
  const Interrupter interrupter(*state);
  state.reset();
  EXPECT_EQ(table.get<int>(1).error().kind, ErrorKind::StateGone);
  EXPECT_EQ(table.length().error().kind, ErrorKind::StateGone);
  EXPECT_EQ(function.call<>().error().message, "the state of this value has been closed");
  EXPECT_EQ(string.as<std::string>().error().kind, ErrorKind::StateGone);
  EXPECT_EQ(number.as<int>().value(), 7);
  const Table copy = table;
  EXPECT_EQ(copy.get<int>(1).error().kind, ErrorKind::StateGone);
  EXPECT_EQ(Table().length().error().kind, ErrorKind::StateGone);
  interrupter();
}

TEST(State, HandlesKeepTheirValuesAlive) {
  Engine engine;
  State state(engine);
  std::vector<Table> tables;
  for (int i = 0; i < 1000; ++i) tables.push_back(state.run<Table>("return {" + std::to_string(i) + "}").value());
  ASSERT_TRUE(state.collect_garbage().ok());
  ASSERT_TRUE(state.run("for i = 1, 1e5 do local t = {{}} end").ok());
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(tables[static_cast<size_t>(i)].get<int>(1).value(), i);
}

TEST(State, ValuesOfAnotherStateAreRefused) {
  Engine engine;
  State one(engine), other(engine);
  const Table table = one.new_table().value();
  EXPECT_EQ(other.globals().set("t", table).error().kind, ErrorKind::Misuse);
}

TEST(State, MovesAndClosesFromItsOwnFunctions) {
  Engine engine;
  State state(engine);
  state["n"] = 1;
  State moved(std::move(state));
  EXPECT_FALSE(state.is_open());
  EXPECT_EQ(moved["n"].get<int>().value(), 1);
  moved["close"] = [&moved] { moved.close(); };
  EXPECT_EQ(moved.run("pcall(close) while true do end").error().kind, ErrorKind::StateGone);
  EXPECT_FALSE(moved.is_open());
}

TEST(State, ClosuresOfTheHostAreDestroyedOnce) {
  const auto token = std::make_shared<int>(1);
  Engine engine;
  {
    State state(engine);
    state["kept"] = [token] { return *token; };
    for (int i = 0; i < 100; ++i) state["dropped"] = [token] { return *token; };
    ASSERT_TRUE(state.collect_garbage().ok());
    ASSERT_TRUE(state.collect_garbage().ok());
    EXPECT_LE(token.use_count(), 4);
    EXPECT_EQ(state.run<int>("return kept()").value(), 1);
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST(Engine, UnknownPoliciesAreErrors) {
  EXPECT_EQ(Engine::make({.policy = "nonsense"}).error().kind, ErrorKind::Misuse);
}

}  // namespace
