// Containers that are members of the host's objects, and objects held in another way than a parameter asks for.
#include <gtest/gtest.h>

#include <mangata/mangata.hpp>

namespace {

using namespace mangata;

struct Item {
  int price = 0;
};
struct World {
  std::vector<int> scores{1, 2, 3};
  std::map<std::string, int> ages{{"ann", 30}};
  std::vector<std::vector<int>> grid{{1, 2}, {3}};
  std::vector<Item> items{{5}, {7}};
  std::vector<std::shared_ptr<Item>> shared{std::make_shared<Item>()};
  std::optional<std::vector<int>> maybe{{4, 5}};
  std::array<int, 2> pair{8, 9};
  std::pair<std::vector<int>, Item> two{{1}, {2}};
  Item item{3};
  std::vector<int> doubled() const { return {2, 4}; }
  const std::vector<int>& view() const { return scores; }
};

class Members : public testing::Test {
 protected:
  Engine engine;
  State state{engine};
  World world;

  void SetUp() override {
    state.bind<Item>("Item").constructor<>().field("price", &Item::price).result().value();
    state.bind<World>("World")
        .field("scores", &World::scores)
        .field("ages", &World::ages)
        .field("grid", &World::grid)
        .field("items", &World::items)
        .field("shared", &World::shared)
        .field("maybe", &World::maybe)
        .readonly_field("pair", &World::pair)
        .readonly_field("two", &World::two)
        .readonly_field("item", &World::item)
        .method("both", [](const World& world) -> const auto& { return world.two; })
        .property("own", [](World& world) -> Item& { return world.item; })
        .property("doubled", &World::doubled)
        .property("view", &World::view)
        .result()
        .value();
    state["w"] = &world;
    state["sum"] = [](const std::vector<int>& all) {
      int sum = 0;
      for (const int each : all) sum += each;
      return sum;
    };
  }

  void refuses(const std::string& program, const std::string& what) {
    const Result<void> result = state.run(program);
    ASSERT_FALSE(result) << program;
    EXPECT_NE(result.error().message.find("cannot set " + what), std::string::npos) << result.error().message;
  }
};

TEST_F(Members, WritesToCopiesOfContainersAreErrors) {
  for (const char* member : {"scores", "maybe", "pair", "view"}) {
    refuses("w." + std::string(member) + "[1] = 9", "'1': the table is a copy of a container of the host");
    refuses("table.insert(w." + std::string(member) + ", 9)", "'");
  }
  refuses("table.remove(w.scores)", "'");
  refuses("table.sort(w.scores, function(a, b) return a > b end)", "'");
  refuses("w.ages.ann = 31", "'ann'");
  refuses("w.ages.bob = 1", "'bob'");
  refuses("w.grid[1][2] = 9", "'2'");
  refuses("w.grid[1] = {}", "'1'");
  EXPECT_EQ(world.scores, (std::vector<int>{1, 2, 3}));
}

TEST_F(Members, WritesToObjectsInContainersAreErrors) {
  refuses("w.items[2].price = 1", "field 'price' of Item: it is a copy");
  refuses("for _, item in ipairs(w.items) do item.price = 1 end", "field 'price' of Item");
  refuses("for _, item in pairs(w.items) do item.price = 1 end", "field 'price' of Item");
  EXPECT_EQ(world.items[1].price, 7);
  state.run("w.shared[1].price = 12").value();  // no copy
  EXPECT_EQ(world.shared[0]->price, 12);
  EXPECT_EQ(state.run<int>("local i = Item() i.price = 3 return i.price").value(), 3);
}

TEST_F(Members, WritesToCopiesOfConstantMembersAreErrors) {
  refuses("w.two[1] = 5", "'1': the table is a copy");
  refuses("w.item.price = 5", "field 'price' of Item: it is a copy");
  EXPECT_EQ(state.run<int>("return w.two[1] + w.item.price").value(), 4);
  state.run("w.own.price = 6").value();  // no copy
  EXPECT_EQ(world.item.price, 6);
  // What a method returns is the script's.
  EXPECT_EQ(state.run<int>("local all, item = w:both() all[1] = 4 item.price = 9 return all[1] + item.price").value(), 13);
  EXPECT_EQ(world.two.second.price, 2);
}

TEST_F(Members, CopiesReadLikeTables) {
  EXPECT_EQ(state.run<int>("return #w.scores + #w.grid[1]").value(), 5);
  EXPECT_EQ(state.run<int>("local s = 0 for i, x in ipairs(w.scores) do s = s + i * x end return s").value(), 14);
  EXPECT_EQ(state.run<std::string>("local s = '' for k, v in pairs(w.ages) do s = s .. k .. v end return s").value(), "ann30");
  EXPECT_EQ(state.run<std::string>("return table.concat(w.scores, ',') .. select('#', table.unpack(w.scores))").value(), "1,2,33");
  EXPECT_EQ(state.run<int>("return w.grid[1][2] * 10 + w.grid[2][1]").value(), 23);
  EXPECT_EQ(state.run<int>("return w.items[1].price + w.items[2].price").value(), 12);
  EXPECT_EQ(state.run<int>("local s = w.scores local n = 0 for i = 1, 30000 do n = n + s[i % 3 + 1] end return n").value(), 60000);
}

TEST_F(Members, CopiesAreContainersForTheHost) {
  EXPECT_EQ(state.run<int>("return sum(w.scores) + sum(w.grid[1])").value(), 9);
  EXPECT_EQ((state.run<std::vector<std::vector<int>>>("return w.grid").value()), world.grid);
  EXPECT_EQ((state.run<std::map<std::string, int>>("return w.ages").value()), world.ages);
  state.run("w.scores = w.doubled w.grid = w.grid").value();
  EXPECT_EQ(world.scores, (std::vector<int>{2, 4}));
  EXPECT_EQ(world.grid.size(), 2u);
  // What is made for the script is its own.
  state.run("local mine = w.doubled mine[3] = 6 w.scores = mine").value();
  EXPECT_EQ(world.scores, (std::vector<int>{2, 4, 6}));
}

struct Account {
  int balance = 0;
};
struct Savings : Account {};

TEST(SharedObjects, HeldInAnotherWaySayWhatToDo) {
  Engine engine;
  State state(engine);
  state.bind<Account>("Acc").constructor<>().factory([] { return std::make_shared<Account>(); }).result().value();
  state.bind<Savings>("Savings").base<Account>().factory([] { return std::make_shared<Savings>(); }).result().value();
  state["share"] = [](const std::shared_ptr<Account>& account) { return account == nullptr ? -1 : account->balance; };
  state["value"] = Account{3};
  Account own{4};
  state["own"] = &own;
  EXPECT_EQ(state.run<int>("return share(Acc()) + share(nil)").value(), -1);
  const auto message = [&](const char* program) { return state.run(program).error().message; };
  EXPECT_NE(message("share(value)").find("bad argument #1 to 'share' (std::shared_ptr<Acc> expected, got Acc held by value: bind a factory "
                                         "that returns std::make_shared<Acc>(...), or take a reference)"),
            std::string::npos)
      << message("share(value)");
  EXPECT_NE(message("share(own)").find("got Acc that the host owns: "), std::string::npos) << message("share(own)");
  EXPECT_NE(message("share(Savings())").find("got one of Savings: take a reference, or std::shared_ptr<Savings>"), std::string::npos)
      << message("share(Savings())");
  EXPECT_NE(message("share(1)").find("Acc expected, got number"), std::string::npos) << message("share(1)");
  EXPECT_EQ((state["value"].get<std::shared_ptr<Account>>().error().message),
            "'value': std::shared_ptr<Acc> expected, got Acc held by value: bind a factory that returns std::make_shared<Acc>(...), or take a reference");
  // Classes have their names in all such messages.
  EXPECT_EQ(state["value"].get<Savings>().error().message, "'value': Savings expected, got Acc");
  EXPECT_EQ(state["value"].get<int>().error().message, "'value': number expected, got Acc");
}

}  // namespace
