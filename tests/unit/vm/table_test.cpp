// Tables against a model: a std::map with the same keys and values after every step.
#include "vm/object/table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "vm/object/hash_part.h"
#include "vm/object/table_inline.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// A key that compares as Lua's keys do: numbers by value, strings by content, everything else by identity.
std::string model_key(Value key) {
  if (key.is_string()) return "s" + std::string(key.as_string()->view());
  if (key.is_float()) {
    const double d = key.as_float();
    if (d == static_cast<double>(static_cast<int64_t>(d)))
      return "i" + std::to_string(static_cast<int64_t>(d));
    return "f" + std::to_string(key.payload);
  }
  if (key.is_integer()) return "i" + std::to_string(key.as_integer());
  return "o" + std::to_string(static_cast<uint64_t>(key.tag)) + ":" + std::to_string(key.payload);
}

class TableModel {
 public:
  TableModel(Vm& vm, Table* table) : vm_(vm), table_(table) {}

  void set(Value key, Value value) {
    ASSERT_TRUE(table_set(vm_, table_, key, value).ok());
    if (value.is_nil()) {
      entries_.erase(model_key(key));
    } else {
      entries_[model_key(key)] = value;
    }
    expect(key);
  }

  void expect(Value key) const {
    const auto found = entries_.find(model_key(key));
    const Value expected = found == entries_.end() ? Value::nil() : found->second;
    ASSERT_TRUE(table_get(table_, key).is_identical(expected)) << model_key(key);
  }

  /// Every entry is met exactly once by next and by the cursor, in the same order; the length is a border.
  void check_all() const {
    std::set<std::string> met;
    uint32_t cursor = 0;
    Value key = Value::nil(), value, cursor_key, cursor_value;
    while (true) {
      const int more = table_next(table_, key, &key, &value);
      ASSERT_NE(more, -1);
      ASSERT_EQ(table_iterate(table_, &cursor, &cursor_key, &cursor_value), more == 1);
      if (more == 0) break;
      ASSERT_TRUE(cursor_key.is_identical(key) && cursor_value.is_identical(value));
      ASSERT_EQ(table_cursor_after(table_, key), cursor);
      const auto found = entries_.find(model_key(key));
      ASSERT_NE(found, entries_.end()) << model_key(key);
      ASSERT_TRUE(found->second.is_identical(value));
      ASSERT_TRUE(met.insert(model_key(key)).second) << "twice: " << model_key(key);
    }
    ASSERT_EQ(met.size(), entries_.size());
    const int64_t border = table_length(table_);
    if (border > 0) {
      ASSERT_FALSE(table_get_integer(table_, border).is_nil());
    }
    ASSERT_TRUE(table_get_integer(table_, border + 1).is_nil());
  }

  /// Removes or replaces entries while traversing; every entry must still be met once.
  void clear_while_traversing(std::mt19937& random) {
    const size_t count = entries_.size();
    size_t met = 0;
    Value key = Value::nil(), value;
    while (true) {
      const int more = table_next(table_, key, &key, &value);
      ASSERT_NE(more, -1);
      if (more == 0) break;
      ++met;
      if (random() % 4 != 0) set(key, random() % 3 == 0 ? Value::integer(1) : Value::nil());
    }
    ASSERT_EQ(met, count);
  }

  size_t size() const { return entries_.size(); }

 private:
  Vm& vm_;
  Table* table_;
  std::map<std::string, Value> entries_;
};

Value random_value(Vm& vm, std::mt19937& random, uint32_t style) {
  switch (style == 3 ? random() % 5 : style) {
    case 0:
      return Value::integer(static_cast<int64_t>(random()));
    case 1:
      return Value::number(static_cast<double>(random()) / 8);
    case 2:
      return vm.string_value("value " + std::to_string(random() % 50));
    case 3:
      return Value::boolean(true);
    default:
      return Value::nil();
  }
}

Value random_key(Vm& vm, std::mt19937& random, uint32_t style, uint32_t range) {
  const uint32_t pick = random() % range;
  switch (style == 5 ? random() % 5 : style) {
    case 0:
      return Value::integer(static_cast<int64_t>(pick) + 1);
    case 1:
      return vm.string_value("key" + std::to_string(pick));
    case 2:
      return Value::number(pick % 2 == 0 ? pick / 2.0 : -static_cast<double>(pick));
    case 3:
      return vm.string_value("a long key, longer than the strings that are interned " + std::to_string(pick));
    default:
      return pick % 3 == 0 ? Value::boolean(pick % 2 == 0)
                           : Value::integer((static_cast<int64_t>(pick) - 8) << (pick % 50));
  }
}

TEST(Table, AgreesWithAMapUnderRandomStores) {
  Vm vm;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    std::mt19937 random(seed);
    const uint32_t key_style = seed % 6, value_style = seed / 6 % 4, range = 4u << (random() % 7);
    Table* table = table_new(vm, random() % 6, random() % 6);
    TableModel model(vm, table);
    const int steps = 20 + static_cast<int>(random() % 600);
    for (int step = 0; step < steps; ++step) {
      const bool removes = random() % 5 == 0;
      const Value key = random_key(vm, random, key_style, range);
      model.set(key, removes ? Value::nil() : random_value(vm, random, value_style));
      if (step % 64 == 63) model.check_all();
      if (step % 200 == 199) model.clear_while_traversing(random);
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << " step " << step;
    }
    model.check_all();
    model.clear_while_traversing(random);
    model.check_all();
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Table, StoresAndLoadsElementsInline) {
  Vm vm;
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Table* table = table_new(vm);
    TableModel model(vm, table);
    for (int step = 0; step < 200; ++step) {
      const Value key = Value::integer(static_cast<int64_t>(random() % 40));
      const Value value = random_value(vm, random, round % 4 == 3 ? 3 : round % 3);
      Value read;
      if (table_set_element(vm, table, key.as_integer(), value)) {
        ASSERT_TRUE(table_get_element(table, key.as_integer(), &read));
        ASSERT_TRUE(read.is_identical(value));
      }
      model.set(key, value);
      if (table_get_element(table, key.as_integer(), &read)) {
        ASSERT_TRUE(read.is_identical(value));
      }
    }
    model.check_all();
  }
}

TEST(Table, KeepsNumbersUnboxedUntilSomethingElseIsStored) {
  Vm vm;
  Table* table = table_new(vm);
  for (int i = 1; i <= 100; ++i) ASSERT_TRUE(table_set_integer(vm, table, i, Value::integer(i * i)).ok());
  EXPECT_EQ(table->element_kind(), ElementKind::Integer);
  EXPECT_EQ(table->array_size(), 100u);
  ASSERT_TRUE(table_set_integer(vm, table, 50, Value::number(0.5)).ok());
  EXPECT_EQ(table->element_kind(), ElementKind::Any);
  for (int i = 1; i <= 100; ++i) {
    EXPECT_TRUE(
        table_get_integer(table, i).is_identical(i == 50 ? Value::number(0.5) : Value::integer(i * i)));
  }
}

TEST(Table, ElementsFilledBackwardsEndUpInTheElements) {
  Vm vm;
  Table* table = table_new(vm);
  for (int i = 1000; i >= 1; --i) ASSERT_TRUE(table_set_integer(vm, table, i, Value::integer(i)).ok());
  EXPECT_EQ(table->array_size(), 1000u);
  EXPECT_EQ(table_length(table), 1000);
  for (int i = 1; i <= 1000; ++i) EXPECT_EQ(table_get_integer(table, i).as_integer(), i);
}

TEST(Table, AQueueDoesNotGrowWithoutBound) {
  Vm vm;
  Table* table = table_new(vm);
  for (int64_t i = 1; i <= 200000; ++i) {
    ASSERT_TRUE(table_set_integer(vm, table, i, Value::integer(i)).ok());
    if (i > 10) {
      ASSERT_TRUE(table_set_integer(vm, table, i - 10, Value::nil()).ok());
    }
  }
  EXPECT_LT(table_size_bytes(table), 8192u);
  for (int64_t i = 199991; i <= 200000; ++i) EXPECT_EQ(table_get_integer(table, i).as_integer(), i);
}

TEST(Table, RotatingKeysDoNotRehashEveryTime) {
  Vm vm;
  Table* table = table_new(vm);
  for (int64_t i = 0; i < 1023; ++i)
    ASSERT_TRUE(table_set_integer(vm, table, i * 1000003, Value::integer(i)).ok());
  int changes = 0;
  const HashPart* previous = table->hash;
  for (int64_t i = 1023; i < 100000; ++i) {
    ASSERT_TRUE(table_set_integer(vm, table, (i - 1023) * 1000003, Value::nil()).ok());
    ASSERT_TRUE(table_set_integer(vm, table, i * 1000003, Value::integer(i)).ok());
    changes += table->hash != previous;
    previous = table->hash;
  }
  EXPECT_LT(changes, 1000);
}

TEST(Table, ConstructorListsKeepHolesInTheElements) {
  Vm vm;
  Table* table = table_new(vm, 3);
  const Value values[] = {Value::nil(), Value::nil(), Value::integer(3), Value::nil()};
  ASSERT_TRUE(table_set_list(vm, table, 1, values, 4).ok());
  EXPECT_EQ(table_length(table), 3);
  EXPECT_TRUE(table_get_integer(table, 2).is_nil());
  EXPECT_EQ(table_get_integer(table, 3).as_integer(), 3);
}

TEST(Table, AFloatKeyWithAnIntegerValueIsThatInteger) {
  Vm vm;
  Table* table = table_new(vm);
  ASSERT_TRUE(table_set(vm, table, Value::number(1.0), Value::integer(1)).ok());
  ASSERT_TRUE(table_set(vm, table, Value::number(-0.0), Value::integer(2)).ok());
  ASSERT_TRUE(table_set(vm, table, Value::number(9007199254740992.0), Value::integer(3)).ok());
  EXPECT_EQ(table_get_integer(table, 1).as_integer(), 1);
  EXPECT_EQ(table_get_integer(table, 0).as_integer(), 2);
  EXPECT_EQ(table_get_integer(table, 9007199254740992).as_integer(), 3);
  EXPECT_EQ(table->array_size(), 1u);
}

TEST(Table, RemovedKeysInTheHashPartDoNotConfuseATraversal) {
  Vm vm;
  Table* table = table_new(vm);
  // 8 goes to the hash part, is removed there, and comes back as an element.
  for (int64_t i = 1; i <= 5; ++i) ASSERT_TRUE(table_set_integer(vm, table, i, Value::integer(i)).ok());
  ASSERT_TRUE(table_set(vm, table, Value::number(0.5), Value::integer(1)).ok());
  ASSERT_TRUE(table_set_integer(vm, table, 100, Value::integer(100)).ok());
  ASSERT_TRUE(table_set_integer(vm, table, 8, Value::integer(8)).ok());
  ASSERT_TRUE(table_set_integer(vm, table, 8, Value::nil()).ok());
  for (int64_t i = 6; i <= 8; ++i) ASSERT_TRUE(table_set_integer(vm, table, i, Value::integer(i)).ok());
  Value key = Value::nil(), value;
  int met = 0;
  while (table_next(table, key, &key, &value) == 1) {
    ++met;
    ASSERT_TRUE(table_set(vm, table, key, Value::nil()).ok());
  }
  EXPECT_EQ(met, 10);
}

TEST(Table, NextRefusesAKeyThatIsNotThere) {
  Vm vm;
  Table* table = table_new(vm);
  Value key, value;
  EXPECT_EQ(table_next(table, vm.string_value("absent"), &key, &value), -1);
  EXPECT_EQ(table_next(table, Value::integer(3), &key, &value), -1);
  EXPECT_EQ(table_next(table, Value::nil(), &key, &value), 0);
}

TEST(Table, FloatsOfASequenceHavePlacesOfTheirOwn) {
  Vm vm;
  constexpr int kCount = 1024;
  HashPart* hash = hash_part_new(vm.heap, kCount);
  const auto places = [&](auto key_at) {
    std::set<const HashNode*> met;
    for (int i = 1; i <= kCount; ++i) met.insert(hash_main_position(hash, Value::number(key_at(i))));
    return met.size();
  };
  // Of 1024 places, 1024 random keys take 647.
  EXPECT_GT(places([](int i) { return i + 0.5; }), 400u);
  EXPECT_GT(places([](int i) { return i / 4096.0; }), 400u);
  EXPECT_GT(places([](int i) { return i * 0x1p80; }), 400u);
  EXPECT_GT(places([](int i) { return i * 0.1; }), 400u);
}

TEST(Table, ASmallRecordIsOneCell) {
  Vm vm;
  Table* table = table_new(vm, 0, 2);
  ASSERT_TRUE(table_set_string(vm, table, vm.intern("x"), Value::integer(1)).ok());
  ASSERT_TRUE(table_set_string(vm, table, vm.intern("y"), Value::integer(2)).ok());
  EXPECT_TRUE(table_slots_are_inline(table));
  EXPECT_LE(table_size_bytes(table), 96u);
}

}  // namespace
}  // namespace mangata
