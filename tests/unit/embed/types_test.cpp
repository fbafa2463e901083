// Types that go between C++ and Lua: those of the standard library, functions in all their forms, and classes as hosts have them.
#include <gtest/gtest.h>

#include <list>
#include <mangata/mangata.hpp>
#include <set>
#include <variant>

namespace {

using namespace mangata;

struct Counter {
  int value = 1;
  int get() const { return value; }
  void set(int to) { value = to; }
  const Counter& same() const { return *this; }
};
struct Named {
  std::string name = "named";
  virtual ~Named() = default;
  std::string greet() const { return "I am " + name; }
};
struct Both : Named, Counter {
  int own = 3;
};
struct Limit {
  int most = 3;
  bool operator()(int x) const { return x < most; }
};
struct Point {
  double x = 0, y = 0;
  Point() = default;
  Point(double both) : x(both), y(both) {}
  Point(double first, double second) : x(first), y(second) {}
};

}  // namespace

template <>
struct mangata::BindsAsObject<Limit> : std::true_type {};

namespace {

struct Types : testing::Test {
  Engine engine;
  State state{engine};
};

TEST_F(Types, OfTheStandardLibraryAreTables) {
  state["set"] = std::set<std::string>{"b", "a"};
  state["list"] = std::list<int>{4, 5};
  state["pairs_of"] = std::vector<std::pair<int, std::string>>{{1, "x"}, {2, "y"}};
  state["tuple"] = std::tuple<int, bool, double>{1, true, 2.5};
  EXPECT_EQ(state.run<std::string>("return set[1] .. set[2] .. #list .. pairs_of[2][2] .. tostring(tuple[2])").value(), "ab2ytrue");
  EXPECT_EQ(state["set"].get<std::set<std::string>>().value().count("b"), 1u);
  EXPECT_EQ(state["list"].get<std::deque<int>>().value().back(), 5);
  EXPECT_EQ((state["pairs_of"].get<std::vector<std::pair<int, std::string>>>().value()[1].second), "y");
  EXPECT_EQ((state["pairs_of"].get<std::vector<std::pair<int, int>>>().error().message),
            "'pairs_of': element 1: element 2: number expected, got string");
}

TEST_F(Types, OfWhichOneIsThere) {
  using Either = std::variant<std::monostate, int, std::string, Table>;
  state["index"] = [](const Either& value) { return value.index(); };
  state["either"] = [](int which) { return which == 0 ? Either() : which == 1 ? Either(7)
                                                                              : Either("text"); };
  EXPECT_EQ(state.run<std::string>("return index(nil) .. index(3) .. index('a') .. index({}) .. tostring(either(0)) .. either(1) .. either(2)").value(),
            "0123nil7text");
  EXPECT_EQ(state.run("index(true)").error().message, "[string \"index(true)\"]:1: bad argument #1 to 'index' (another type expected, got boolean)");
  state["nothing"] = std::nullopt;
  EXPECT_TRUE(state["nothing"].get<Value>()->is_nil());
}

TEST_F(Types, FunctionsOfTheStandardLibraryGoBothWays) {
  state["apply"] = [](const std::function<int(int)>& function, int x) { return function == nullptr ? -1 : function(x); };
  EXPECT_EQ(state.run<int>("return apply(function(x) return x * x end, 5) + apply(nil, 1)").value(), 24);
  EXPECT_EQ(state.run("apply(function() error('inner') end, 1)").error().message,
            "[string \"apply(function() error('inner') end, 1)\"]:1: inner");
  EXPECT_EQ(state.run("apply(5, 1)").error().message, "[string \"apply(5, 1)\"]:1: bad argument #1 to 'apply' (function expected, got number)");
  const auto add = state.run<std::function<int(int, int)>>("return function(a, b) return a + b end").value();
  EXPECT_EQ(add(2, 3), 5);
  state["empty"] = std::function<void()>();
  EXPECT_TRUE(state["empty"].get<Value>()->is_nil());
  const auto stop = state.run<std::function<void()>>("return error").value();
  EXPECT_THROW(stop(), ErrorException);
  EXPECT_TRUE(state["apply"].call<void>(add, 1).error().kind == ErrorKind::Runtime);
}

TEST_F(Types, PlacesAreValuesWherePassed) {
  state["a"] = 5;
  state["b"] = state["a"];
  auto place = state["a"];
  state["c"] = place;
  state["double"] = [](int x) { return 2 * x; };
  EXPECT_EQ(state.run<int>("return a + b + c").value(), 15);
  EXPECT_EQ(state["double"].call<int>(state["a"]).value(), 10);
  EXPECT_EQ(state["a"]["b"].set(state["a"]["c"]["d"]).error().message, "attempt to index a number value");
}

TEST_F(Types, OverloadsTakeWhatFits) {
  state["f"] = overload([](int) { return "int"; }, [](double) { return "double"; }, [](const std::string&, std::optional<int>) { return "string"; },
                        [](int, const Variadic& rest) { return std::to_string(rest.size()); }, [] { return "none"; });
  EXPECT_EQ(state.run<std::string>("return f(1) .. f(1.5) .. f('x') .. f('x', 3) .. f(1, 2, 3) .. f()").value(), "intdoublestringstring2none");
  EXPECT_EQ(state.run("f(print, 1)").error().message,
            "[string \"f(print, 1)\"]:1: bad argument #1 to 'f' (there is no form for (function, number))");
  const auto bound =
      state.bind<Point>("Point").constructors<Point(), Point(double), Point(double, double)>().field("x", &Point::x).field("y", &Point::y).result();
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(state.run<double>("return Point().x + Point(2).y + Point.new(3, 4).y").value(), 6);
}

TEST_F(Types, PointersToConstAndMembersAreTaken) {
  ASSERT_TRUE(state.bind<Counter>("Counter").constructor<>().method("get", &Counter::get).method("same", &Counter::same).property("value", &Counter::get, &Counter::set).property("shown", &Counter::value).result().ok());
  const Counter constant{7};
  state["constant"] = &constant;
  state["shared"] = std::shared_ptr<const Counter>(std::make_shared<Counter>());
  state["look"] = [](const Counter* counter) { return counter == nullptr ? -1 : counter->value; };
  state["share"] = [](const std::shared_ptr<const Counter>& counter) { return counter.use_count(); };
  state["get"] = &Counter::get;
  state["value"] = &Counter::value;
  EXPECT_EQ(state.run<int>("return look(constant) + look(nil) + look(shared) + get(constant) + value(constant) + constant:same():get()").value(), 28);
  EXPECT_EQ(state.run<int>("return share(shared)").value(), 2);
  EXPECT_EQ(state.run<int>("local c = Counter() c.value = 5 return c.shown + c.value").value(), 10);
  EXPECT_EQ(state.run("get({})").error().message, "[string \"get({})\"]:1: bad argument #1 to 'get' (Counter expected, got table)");
}

TEST_F(Types, ClassesMayHaveSeveralBasesAndInheritedFields) {
  ASSERT_TRUE(state.bind<Named>("Named").field("name", &Named::name).method("greet", &Named::greet).result().ok());
  ASSERT_TRUE(state.bind<Counter>("Counter").field("value", &Counter::value).method("get", &Counter::get).static_function("greet", [] { return "not seen"; }).result().ok());
  ASSERT_TRUE(state.bind<Both>("Both").constructor<>().base<Named>().base<Counter>().field("own", &Both::own).field("also", &Both::value).result().ok());
  state["look"] = [](const Counter& counter) { return counter.value; };
  EXPECT_EQ(state.run<std::string>("local b = Both() b.name = 'B' b.value = 1 b.also = b.own + 39 return b:greet() .. b:get() .. look(b) .. b.also").value(),
            "I am B424242");
}

TEST_F(Types, ClassesWithACallOperatorAreBoundWhenTheySaySo) {
  ASSERT_TRUE(state.bind<Limit>("Limit").constructor<>().field("most", &Limit::most).op("__call", &Limit::operator()).result().ok());
  EXPECT_TRUE(state.run<bool>("local limit = Limit() limit.most = 10 return limit(9) and not limit(10)").value());
}

}  // namespace
