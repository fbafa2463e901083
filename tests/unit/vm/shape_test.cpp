// Shapes: sharing, lookup against a model, dictionary mode, metatable transitions.
#include "vm/object/shape.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "vm/object/table_inline.h"
#include "vm/vm.h"

namespace mangata {
namespace {

Table* table_with_keys(Vm& vm, std::initializer_list<const char*> keys) {
  Table* table = table_new(vm);
  for (const char* key : keys)
    EXPECT_TRUE(table_set_string(vm, table, vm.intern(key), Value::integer(1)).ok());
  return table;
}

TEST(Shape, TablesWithTheSameKeysInTheSameOrderShareOne) {
  Vm vm;
  EXPECT_EQ(table_with_keys(vm, {"x", "y"})->shape, table_with_keys(vm, {"x", "y"})->shape);
  EXPECT_NE(table_with_keys(vm, {"x", "y"})->shape, table_with_keys(vm, {"y", "x"})->shape);
}

TEST(Shape, ANilInAConstructorIsAProperty) {
  Vm vm;
  String* value = vm.intern("value");
  String* next = vm.intern("next");
  const auto made = [&](Value first_next, uint32_t room) {
    Table* table = table_new(vm, 0, room);
    EXPECT_TRUE(table_set_string(vm, table, next, first_next).ok());
    EXPECT_TRUE(table_set_string(vm, table, value, Value::integer(1)).ok());
    return table;
  };
  Table* with_nil = made(Value::nil(), 2);
  EXPECT_EQ(with_nil->shape, made(Value::integer(1), 2)->shape);
  EXPECT_TRUE(table_get_string(with_nil, next).is_nil());
  EXPECT_NE(with_nil->shape, made(Value::nil(), 0)->shape) << "no constructor has made room";
  // Behind a metatable, under a name that metatables look for, and by a computed key there is none.
  Table* behind = table_new(vm, 0, 2);
  table_set_metatable(vm, behind, table_new(vm));
  ASSERT_TRUE(table_set_string(vm, behind, next, Value::nil()).ok());
  EXPECT_EQ(behind->shape->slot_count, 0u);
  Table* other = table_new(vm, 0, 2);
  ASSERT_TRUE(table_set_string(vm, other, vm.intern("__gc"), Value::nil()).ok());
  ASSERT_TRUE(table_set_string(vm, other, next, Value::nil(), /*computed=*/true).ok());
  EXPECT_EQ(other->shape->slot_count, 0u);
}

TEST(Shape, FindsEveryKeyOfEveryShapeInATree) {
  Vm vm;
  std::mt19937 random(3);
  std::vector<std::pair<Shape*, std::map<std::string, uint32_t>>> known = {{vm.empty_shape, {}}};
  for (int i = 0; i < 3000; ++i) {
    const auto [shape, slots] = known[random() % 4 == 0 ? random() % known.size() : known.size() - 1];
    const std::string key = "k" + std::to_string(random() % 60);
    if (slots.count(key) != 0) continue;
    Shape* child = shape_add(vm, shape, vm.intern(key));
    ASSERT_EQ(shape_add(vm, shape, vm.intern(key)), child);
    auto child_slots = slots;
    child_slots[key] = shape->slot_count;
    known.emplace_back(child, child_slots);
  }
  for (const auto& [shape, slots] : known) {
    for (int k = 0; k < 60; ++k) {
      const std::string key = "k" + std::to_string(k);
      const auto found = slots.find(key);
      ASSERT_EQ(shape_find(shape, vm.intern(key)), found == slots.end() ? kNoSlot : found->second);
      if (found != slots.end()) {
        ASSERT_EQ(shape_key_at(shape, found->second), vm.intern(key));
      }
    }
  }
}

TEST(Shape, AMetatableIsPartOfIt) {
  Vm vm;
  Table* metatable = table_new(vm);
  Table* first = table_with_keys(vm, {"x", "y"});
  Table* second = table_new(vm);
  table_set_metatable(vm, first, metatable);
  table_set_metatable(vm, second, metatable);
  EXPECT_EQ(second->shape, metatable->instance_shape);
  ASSERT_TRUE(table_set_string(vm, second, vm.intern("x"), Value::integer(1)).ok());
  ASSERT_TRUE(table_set_string(vm, second, vm.intern("y"), Value::integer(1)).ok());
  EXPECT_EQ(first->shape, second->shape);
  EXPECT_EQ(first->metatable(), metatable);
  table_set_metatable(vm, first, nullptr);
  EXPECT_EQ(first->shape, table_with_keys(vm, {"x", "y"})->shape);
  EXPECT_EQ(table_get_string(first, vm.intern("y")).as_integer(), 1);
}

TEST(Shape, ManyComputedKeysMakeADictionary) {
  Vm vm;
  Table* table = table_new(vm);
  for (int i = 0; i < 1000; ++i) {
    String* key = vm.intern("word " + std::to_string(i));
    ASSERT_TRUE(table_set_string(vm, table, key, Value::integer(i), /*computed=*/true).ok());
  }
  EXPECT_TRUE(table->shape->is_dictionary);
  EXPECT_EQ(table->shape->slot_count, 0u);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(table_get_string(table, vm.intern("word " + std::to_string(i))).as_integer(), i);
  }
  Table* metatable = table_new(vm);
  table_set_metatable(vm, table, metatable);
  EXPECT_TRUE(table->shape->is_dictionary);
  EXPECT_EQ(table->metatable(), metatable);
  EXPECT_EQ(table_get_string(table, vm.intern("word 7")).as_integer(), 7);
}

TEST(Shape, ManyConstantKeysStayProperties) {
  Vm vm;
  Table* table = table_new(vm);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(table_set_string(vm, table, vm.intern("global" + std::to_string(i)), Value::integer(i)).ok());
  }
  EXPECT_FALSE(table->shape->is_dictionary);
  EXPECT_EQ(table->shape->slot_count, 1000u);
}

TEST(Shape, SmallMapsWithRandomKeysDoNotLitterTheTree) {
  Vm vm;
  uint32_t dictionaries = 0;
  for (int i = 0; i < 1000; ++i) {
    Table* table = table_new(vm);
    String* key = vm.intern("unique " + std::to_string(i));
    ASSERT_TRUE(table_set_string(vm, table, key, Value::integer(i), /*computed=*/true).ok());
    dictionaries += table->shape->is_dictionary;
  }
  EXPECT_GT(dictionaries, 900u);
}

}  // namespace
}  // namespace mangata
