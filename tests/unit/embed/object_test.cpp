// Classes of the host in Lua.
#include <gtest/gtest.h>

#include <cmath>
#include <mangata/mangata.hpp>
#include <map>
#include <optional>
#include <string>

namespace {

using namespace mangata;

int g_alive = 0;

struct Shape {
  Shape() { ++g_alive; }
  Shape(const Shape& other) : name(other.name) { ++g_alive; }
  virtual ~Shape() { --g_alive; }
  virtual double area() const { return 0; }
  std::string name = "shape";
};

struct Tagged {
  int tag = 5;
};

struct Square : Tagged, Shape {  // Shape is not at the start
  explicit Square(double its_side) : side(its_side) {
    if (side < 0) throw std::invalid_argument("negative side");
  }
  double area() const override { return side * side; }
  void grow(double by) { side += by; }
  double side;
};

struct Vec {
  double x = 0, y = 0;
  double length() const { return std::hypot(x, y); }
};

void bind_all(const State& state) {
  state.bind<Vec>("Vec")
      .factory([](std::optional<double> x, std::optional<double> y) { return Vec{x.value_or(0), y.value_or(0)}; })
      .field("x", &Vec::x)
      .field("y", &Vec::y)
      .property("sum", [](const Vec& v) { return v.x + v.y; })
      .method("length", &Vec::length)
      .op("__add", [](const Vec& a, const Vec& b) { return Vec{a.x + b.x, a.y + b.y}; })
      .op("__eq", [](const Vec& a, const Vec& b) { return a.x == b.x && a.y == b.y; })
      .op("__tostring", [](const Vec& v) { return "(" + std::to_string(static_cast<int>(v.x)) + ")"; })
      .result()
      .value();
  state.bind<Shape>("Shape").constructor<>().field("name", &Shape::name).method("area", &Shape::area).result().value();
  state.bind<Square>("Square").constructor<double>().base<Shape>().method("grow", &Square::grow).field("side", &Square::side).result().value();
}

TEST(Objects, HaveFieldsMethodsOperatorsAndConstructors) {
  Engine engine;
  State state(engine);
  bind_all(state);
  EXPECT_EQ(state.run<double>("local v = Vec(3, 4) return v:length()").value(), 5);
  EXPECT_EQ(state.run<double>("local v = Vec.new(1) v.x = v.x + 2 v.y = 10 return v.x * v.y + v.sum").value(), 43);
  EXPECT_TRUE(state.run<bool>("return Vec(1, 2) + Vec(3, 4) == Vec(4, 6)").value());
  EXPECT_EQ(state.run<std::string>("return tostring(Vec(7))").value(), "(7)");
  const Vec copy = state.run<Vec>("return Vec(1, 2) + Vec(0, 1)").value();
  EXPECT_EQ(copy.y, 3);
  state["length_of"] = [](const Vec& v) { return v.length(); };
  EXPECT_EQ(state.run<double>("return length_of(Vec(6, 8))").value(), 10);
  // In machine code.
  EXPECT_EQ(state.run<double>("local v = Vec(0, 0) for i = 1, 100000 do v.x = v.x + 1 end return v.x").value(), 100000);
}

struct Record {
  int size = 0;
  std::map<std::string, int> others;
  int twice() const { return 2 * size; }
};
struct NamedRecord : Record {
  std::string name = "none";
};

void bind_members(TypeBuilder<Record>& type) { type.field("size", &Record::size).method("twice", &Record::twice).result().value(); }

void bind_access(TypeBuilder<Record>& type) {
  const auto find = [](const Record& record, const std::string& key) -> std::optional<int> {
    const auto found = record.others.find(key);
    return found == record.others.end() ? std::nullopt : std::optional(found->second);
  };
  type.op("__index", find).op("__newindex", [](Record& record, const std::string& key, int value) { record.others[key] = value; }).result().value();
}

TEST(Objects, AccessesGivenByTheHostHideNoMembers) {
  Engine engine;
  for (const bool members_first : {true, false}) {
    State state(engine);
    TypeBuilder<Record> type = state.bind<Record>("Record");
    type.constructor<>();
    if (members_first) bind_members(type);
    bind_access(type);
    if (!members_first) bind_members(type);
    state.bind<NamedRecord>("NamedRecord").constructor<>().base<Record>().field("name", &NamedRecord::name).result().value();
    for (const char* name : {"Record", "NamedRecord"}) {
      SCOPED_TRACE(name);
      const std::string object = "local r = " + std::string(name) + "() ";
      EXPECT_EQ(state.run<int>(object + "r.size = 3 return r:twice()").value(), 6);
      EXPECT_EQ(state.run<int>(object + "r.other = 7 return r.other").value(), 7);
      EXPECT_TRUE(state.run<bool>(object + "return r.missing == nil").value());
      EXPECT_EQ(state.run<int>(object + "r.other = 1 for i = 1, 2000 do r.other = r.other + r:twice() r.size = i end return r.other").value(), 3998001);
    }
    EXPECT_EQ(state.run<std::string>("local r = NamedRecord() r.name = 'some' return r.name").value(), "some");
  }
  State state(engine);
  TypeBuilder<Record> type = state.bind<Record>("Record");
  bind_access(type.constructor<>().method("twice", &Record::twice));
  EXPECT_EQ(state.run<int>("local r = Record() r.size = 4 return r.size + r:twice()").value(), 4) << "methods only";
}

TEST(Objects, AreCheckedByType) {
  Engine engine;
  State state(engine);
  bind_all(state);
  state["length_of"] = [](const Vec& v) { return v.length(); };
  EXPECT_EQ(state.run("length_of(3)", "=c").error().message, "c:1: bad argument #1 to 'length_of' (Vec expected, got number)");
  EXPECT_EQ(state.run("length_of(Shape())", "=c").error().message, "c:1: bad argument #1 to 'length_of' (Vec expected, got Shape)");
  EXPECT_EQ(state.run("Vec.length(io.stdout)", "=c").error().message, "c:1: bad argument #1 to 'length' (Vec expected, got FILE*)");
  EXPECT_EQ(state.run("local v = Vec() v.z = 1", "=c").error().message, "c:1: cannot set field 'z' of Vec");
  EXPECT_EQ(state.run("local v = Vec() v.sum = 1", "=c").error().message, "c:1: cannot set field 'sum' of Vec");
  EXPECT_FALSE(state.run("local v = Vec() v.x = 'text'").ok());
  EXPECT_EQ(state.run("Square(-1)", "=c").error().message, "c:1: negative side");
  EXPECT_FALSE(state.run<bool>("return getmetatable(Vec())").value());
  struct Unbound {};
  EXPECT_EQ(state.globals().set("u", Unbound{}).error().kind, ErrorKind::Misuse);
}

TEST(Objects, InheritAndKeepTheirIdentity) {
  Engine engine;
  State state(engine);
  bind_all(state);
  EXPECT_EQ(state.run<double>("local s = Square(3) s:grow(1) return s:area()").value(), 16);
  EXPECT_EQ(state.run<std::string>("local s = Square(3) s.name = s.name .. '!' return s.name .. s.side").value(), "shape!3.0");
  state["area_of"] = [](const Shape& shape) { return shape.area(); };
  EXPECT_EQ(state.run<double>("return area_of(Square(5))").value(), 25);
  EXPECT_FALSE(state.run("return Square.grow(Shape(), 1)").ok());
  Square mine(2);
  state["mine"] = &mine;
  EXPECT_TRUE(state.run("mine:grow(5) mine.name = 'ours'").ok());
  EXPECT_EQ(mine.side, 7);
  EXPECT_EQ(mine.name, "ours");
  EXPECT_EQ(state["mine"].get<Square*>().value(), &mine);
  const auto shared = std::make_shared<Vec>(Vec{1, 1});
  state["shared"] = shared;
  EXPECT_TRUE(state.run("shared.x = 9").ok());
  EXPECT_EQ(shared->x, 9);
  EXPECT_EQ(state["shared"].get<std::shared_ptr<Vec>>().value(), shared);
}

TEST(Objects, AreDestroyedOnceWhateverHappens) {
  Engine engine;
  {
    State state(engine);
    bind_all(state);
    EXPECT_TRUE(state.run("for i = 1, 10000 do Shape() end collectgarbage() collectgarbage()").ok());
    EXPECT_LT(g_alive, 10);
    state.set_limits({.timeout = std::chrono::milliseconds(50)});
    // A finalizer that never ends, and objects that wait behind it; resurrected ones.
    state.run("kept = Square(1) for i = 1, 10 do Shape() end setmetatable({}, {__gc = function() while true do end end})").value();
    state.run("local o = Shape() debug.getmetatable(o).__gc(o) return o:area()").error();
  }
  EXPECT_EQ(g_alive, 0);
}

}  // namespace
