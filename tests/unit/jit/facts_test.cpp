// What optimized code knows of registers: when code for one state may be entered with another, and what holds in both.
#include "jit/build/facts.h"

#include <gtest/gtest.h>

#include <random>

namespace mangata::jit {
namespace {

Shape* shape_at(int index) { return reinterpret_cast<Shape*>(static_cast<uintptr_t>(16 * (index + 1))); }

Fact random_fact(std::mt19937& random) {
  constexpr Kind kKinds[] = {Kind::Frame, Kind::Any, Kind::Nil, Kind::Integer, Kind::Float, Kind::Table, Kind::LuaFunction};
  Fact fact{.kind = kKinds[random() % std::size(kKinds)]};
  if (fact.kind == Kind::Frame) return fact;
  fact.dirty = random() % 2 == 0;
  if (fact.kind == Kind::Table) {
    if (random() % 2 == 0) fact.shape = shape_at(static_cast<int>(random() % 2));
    if (random() % 2 == 0) fact.elements = static_cast<uint8_t>(random() % 2);
    if (random() % 2 == 0) fact.new_slots = static_cast<uint8_t>(random() % 2);
  }
  if (fact.kind == Kind::LuaFunction && random() % 2 == 0) fact.method = reinterpret_cast<const Proto*>(uintptr_t{16});
  if (fact.kind == Kind::Integer && random() % 2 == 0) fact.is_constant = true, fact.constant = random() % 2;
  return fact;
}

TEST(Facts, TagsAreKinds) {
  for (int tag = 0; tag < static_cast<int>(Tag::Frame); ++tag) {
    const Kind kind = kind_of(static_cast<Tag>(tag));
    EXPECT_TRUE(has_known_tag(kind));
    EXPECT_EQ(tag_of(kind), static_cast<Tag>(tag));
  }
  EXPECT_EQ(kind_of(Tag::Frame), Kind::Any);
}

TEST(Facts, CodeForAnythingTakesWhatIsKnown) {
  const Fact any{.kind = Kind::Any}, integer{.kind = Kind::Integer}, number{.kind = Kind::Float};
  EXPECT_TRUE(covers(any, integer));
  EXPECT_FALSE(covers(integer, any));
  EXPECT_FALSE(covers(integer, number));
  EXPECT_TRUE(covers({}, integer)) << "it is stored in the frame";
  EXPECT_FALSE(covers(integer, {}));
}

TEST(Facts, CodeThatStoresNothingIsNotEnteredWithOldSlots) {
  EXPECT_FALSE(covers({.kind = Kind::Integer, .dirty = false}, {.kind = Kind::Integer, .dirty = true}));
  EXPECT_TRUE(covers({.kind = Kind::Integer, .dirty = true}, {.kind = Kind::Integer, .dirty = false}));
}

TEST(Facts, EachThingThatCodeReliesOnHasToHold) {
  const Fact table{.kind = Kind::Table, .elements = 1, .shape = shape_at(0), .new_slots = 2};
  for (int thing = 0; thing < 3; ++thing) {
    Fact other = table;
    if (thing == 0) other.shape = shape_at(1);
    if (thing == 1) other.elements = 2;
    if (thing == 2) other.new_slots = 3;
    EXPECT_FALSE(covers(table, other)) << thing;
    EXPECT_FALSE(covers(table, {.kind = Kind::Table})) << thing;
  }
  EXPECT_TRUE(covers({.kind = Kind::Table}, table));
  const Fact seven{.kind = Kind::Integer, .is_constant = true, .constant = 7};
  EXPECT_FALSE(covers(seven, {.kind = Kind::Integer, .is_constant = true, .constant = 8}));
  EXPECT_FALSE(covers(seven, {.kind = Kind::Integer, .constant = 7}));
}

TEST(Facts, JoinCoversBothAndNoMoreThanItHasTo) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const Fact a = random_fact(random), b = random_fact(random);
    const Fact both = join(a, b);
    EXPECT_TRUE(covers(both, a) && covers(both, b)) << i;
    EXPECT_EQ(join(a, a), a) << i;
    // Whatever covers both covers what they have in common.
    const Fact other = random_fact(random);
    if (covers(other, a) && covers(other, b)) EXPECT_TRUE(covers(other, both)) << i;
  }
}

TEST(Facts, CoveringIsTransitive) {
  std::mt19937 random(5);
  for (int i = 0; i < 50000; ++i) {
    const Fact a = random_fact(random), b = random_fact(random), c = random_fact(random);
    if (b.kind != Kind::Frame && covers(a, b) && covers(b, c)) EXPECT_TRUE(covers(a, c)) << i;
  }
}

/// A state with three scalar-replaced tables: 0 holds 1; 2 is by itself.
State three_tables() {
  State state;
  state.tables.resize(3);
  for (ReplacedTable& table : state.tables) table.shape = shape_at(0);
  state.tables[0].fields[0] = {.kind = Kind::Table, .replaced_table = 1};
  state.slots = {{.kind = Kind::Table, .replaced_table = 0}, {.kind = Kind::Integer}, {.kind = Kind::Table, .replaced_table = 2}};
  return state;
}

TEST(Facts, TablesAreReachedThroughFields) {
  State state = three_tables();
  EXPECT_EQ(reachable_tables(state, 0), (std::vector<int>{0, 1}));
  EXPECT_EQ(reachable_tables(state, 2), (std::vector<int>{2}));
  state.tables[1].fields[2] = {.kind = Kind::Table, .replaced_table = 0};  // a cycle
  EXPECT_EQ(reachable_tables(state, 1), (std::vector<int>{1, 0}));
}

TEST(Facts, TablesThatNothingLeadsToAreNoMore) {
  State state = three_tables();
  state.slots[2] = {};
  drop_unreachable_tables(&state);
  EXPECT_EQ(state.tables.size(), 2u) << "the last ones go, the others keep their numbers";
  state.slots[0] = {.kind = Kind::Table, .replaced_table = 1};
  drop_unreachable_tables(&state);
  ASSERT_EQ(state.tables.size(), 2u);
  EXPECT_EQ(state.tables[0].shape, nullptr);
  EXPECT_NE(state.tables[1].shape, nullptr);
  state.slots[0] = {};
  drop_unreachable_tables(&state);
  EXPECT_TRUE(state.tables.empty());
}

TEST(Facts, StatesWithOtherTablesDoNotCoverEachOther) {
  const State state = three_tables();
  State other = state;
  EXPECT_TRUE(all_cover(state, other));
  other.tables[1].fields[0] = {.kind = Kind::Integer};
  EXPECT_FALSE(all_cover(state, other));
}

}  // namespace
}  // namespace mangata::jit
