// Inline caches against a model: tables that are each other's metatables, with every change a cache could
// miss.
#include "vm/interpreter/inline_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "vm/frontend/compile.h"
#include "vm/object/table_inline.h"
#include "vm/operations/operations.h"
#include "vm/vm.h"

namespace mangata {
namespace {

constexpr int kTableCount = 14;
constexpr int kPopularCount = 2;  // tables that most __index and __newindex lead to, so that many metatables say the same
constexpr int kKeyCount = 7;  // the last two are __index and __newindex
constexpr int kSiteCount = 10;
constexpr int kMaxSteps = 40;
constexpr int kIndex = kKeyCount - 2, kNewIndex = kKeyCount - 1;

/// What Lua 5.4 §2.4 says, without any cache. Values are integers, or tables for __index and __newindex.
struct Model {
  struct Entry {
    int64_t number = 0;
    int table = -1;
  };
  std::map<int, Entry> fields[kTableCount];
  int metatable[kTableCount];

  const Entry* find(int table, int key) const {
    const auto found = fields[table].find(key);
    return found == fields[table].end() ? nullptr : &found->second;
  }
  /// The __index or __newindex table of `table`; -1: none.
  int handler(int table, int event) const {
    if (metatable[table] < 0) return -1;
    const Entry* entry = find(metatable[table], event);
    return entry == nullptr ? -1 : entry->table;
  }
  /// False when the chain does not end.
  bool get(int table, int key, std::optional<Entry>* out) const {
    for (int step = 0; step < kMaxSteps; ++step) {
      if (const Entry* entry = find(table, key)) {
        *out = *entry;
        return true;
      }
      table = handler(table, kIndex);
      if (table < 0) {
        out->reset();
        return true;
      }
    }
    return false;
  }
  /// The table that a store ends in; -1 when the chain does not end.
  int target(int table, int key) const {
    for (int step = 0; step < kMaxSteps; ++step) {
      if (find(table, key) != nullptr) return table;
      const int next = handler(table, kNewIndex);
      if (next < 0) return table;
      table = next;
    }
    return -1;
  }
};

class CacheTest {
 public:
  explicit CacheTest(uint32_t seed) : random_(seed) {
    for (int i = 0; i < kTableCount; ++i) {
      tables_[i] = table_new(vm_, 0, random_() % 4);
      model_.metatable[i] = -1;
      (void)table_set_integer(vm_, vm_.registry, 10 + i, Value::table(tables_[i]));
    }
    for (int i = 0; i < kKeyCount; ++i) {
      keys_[i] = vm_.intern(i == kIndex      ? "__index"
                            : i == kNewIndex ? "__newindex"
                                             : "key" + std::to_string(i));
      (void)table_set_integer(vm_, vm_.registry, 50 + i, Value::string(keys_[i]));
    }
  }

  void run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) step();
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

  void step() {
    const int action = pick(100);
    if (action < 60) {
      get();
    } else if (action < 90) {
      set();
    } else if (action < 98) {
      change_metatable();
    } else if (action == 98) {
      // The collector knows the caches of functions; these it does not know.
      ASSERT_TRUE(vm_.heap.collect_full().ok());
      for (int i = 0; i < kSiteCount; ++i) gets_[i] = sets_[i] = InlineCache{};
      for (InlineCache& cache : metamethod_sites_) cache = InlineCache{};
    } else {
      make_dictionary(pick(kTableCount));
    }
  }

  void get() {
    const int site = pick(kSiteCount), key = site % (kKeyCount - 2), table = pick(kTableCount);
    std::optional<Model::Entry> expected;
    if (!model_.get(table, key, &expected)) return;
    Value value;
    if (!cache_get(tables_[table], gets_[site], keys_[key], &value)) {
      const Result<Value> result =
          cached_get_miss(vm_, Value::table(tables_[table]), keys_[key], gets_[site]);
      ASSERT_TRUE(result.ok());
      value = result.value();
    }
    ASSERT_EQ(value.is_nil(), !expected.has_value());
    if (expected) {
      ASSERT_TRUE(value.is_identical(Value::integer(expected->number)));
    }
  }

  void set() {
    // Stores of "__" keys are rarer, and reach through caches and raw stores alike.
    const int site = pick(kSiteCount), key = pick(12) == 0 ? kIndex + pick(2) : site % (kKeyCount - 2);
    const int table = pick(kTableCount), target = model_.target(table, key);
    if (target < 0) return;
    Model::Entry entry{.number = static_cast<int64_t>(random_()), .table = -1};
    Value value = Value::integer(entry.number);
    if (key >= kIndex) {
      entry.table = pick(3) == 0 ? pick(kTableCount) : pick(kPopularCount);
      value = Value::table(tables_[entry.table]);
    }
    if (pick(4) == 0) value = Value::nil();
    InlineCache& cache = key >= kIndex ? metamethod_sites_[key - kIndex] : sets_[site];
    if (pick(5) == 0 && target == table) {
      ASSERT_TRUE(table_set_string(vm_, tables_[table], keys_[key], value, pick(2) == 0).ok());
    } else if (!cache_set(vm_, tables_[table], cache, keys_[key], value)) {
      ASSERT_TRUE(cached_set_miss(vm_, Value::table(tables_[table]), keys_[key], value, cache).ok());
    }
    if (value.is_nil()) {
      model_.fields[target].erase(key);
    } else {
      model_.fields[target][key] = entry;
    }
    for (int i = 0; i < kTableCount; ++i) {
      const Model::Entry* expected = model_.find(i, key);
      const Value stored = table_get_string(tables_[i], keys_[key]);
      ASSERT_EQ(stored.is_nil(), expected == nullptr);
      if (expected != nullptr && key < kIndex) {
        ASSERT_EQ(stored.as_integer(), expected->number);
      }
    }
  }

  void change_metatable() {
    const int table = pick(kTableCount);
    model_.metatable[table] = pick(kTableCount + 1) - 1;
    const int metatable = model_.metatable[table];
    table_set_metatable(vm_, tables_[table], metatable < 0 ? nullptr : tables_[metatable]);
  }

  void make_dictionary(int table) {
    for (int i = 0; i < 40; ++i) {
      String* key = vm_.intern("filler" + std::to_string(i));
      ASSERT_TRUE(table_set_string(vm_, tables_[table], key, Value::boolean(true), true).ok());
    }
  }

  std::mt19937 random_;
  Vm vm_;
  Model model_;
  Table* tables_[kTableCount];
  String* keys_[kKeyCount];
  InlineCache gets_[kSiteCount];
  InlineCache sets_[kSiteCount];
  InlineCache metamethod_sites_[2];
};

TEST(InlineCache, AgreesWithAModelWhateverChanges) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    CacheTest(seed).run(2000);
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(InlineCache, IsSharedByObjectsWhoseMetatablesSayTheSame) {
  Vm vm;
  String* key = vm.intern("method");
  Table* prototype = table_new(vm);
  ASSERT_TRUE(table_set_string(vm, prototype, key, Value::integer(1)).ok());
  Table* objects[4];
  for (Table*& object : objects) {
    object = table_new(vm);
    Table* metatable = table_new(vm);
    ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), Value::table(prototype)).ok());
    table_set_metatable(vm, object, metatable);
  }
  InlineCache cache;
  EXPECT_NE(objects[0]->shape, objects[1]->shape);  // the first one to say something might have been the only one,
  ASSERT_TRUE(cached_get_miss(vm, Value::table(objects[0]), key, cache).ok());
  EXPECT_EQ(objects[0]->shape, objects[1]->shape);  // until that is noticed
  EXPECT_EQ(objects[1]->shape, objects[2]->shape);
  EXPECT_EQ(objects[1]->shape, objects[3]->shape);
  Value value;
  ASSERT_TRUE(cached_get_miss(vm, Value::table(objects[1]), key, cache).ok());
  ASSERT_TRUE(cache_get(objects[3], cache, key, &value));
  EXPECT_EQ(value.as_integer(), 1);
  // One metatable changes: nobody trusts the shape any more, and the others get a new one together.
  ASSERT_TRUE(table_set_string(vm, objects[2]->metatable(), vm.intern("__index"), Value::nil()).ok());
  EXPECT_FALSE(cache_get(objects[1], cache, key, &value));
  EXPECT_TRUE(cached_get_miss(vm, Value::table(objects[2]), key, cache).value().is_nil());
  EXPECT_EQ(cached_get_miss(vm, Value::table(objects[1]), key, cache).value().as_integer(), 1);
  EXPECT_EQ(cached_get_miss(vm, Value::table(objects[3]), key, cache).value().as_integer(), 1);
  EXPECT_EQ(cached_get_miss(vm, Value::table(objects[1]), key, cache).value().as_integer(), 1);
  EXPECT_EQ(objects[1]->shape, objects[3]->shape);
  EXPECT_NE(objects[1]->shape, objects[2]->shape);
}

TEST(InlineCache, KnowsThatNilPropertiesAreAbsentAltogether) {
  Vm vm;
  String* key = vm.intern("next");
  Table* object = table_new(vm);
  Table* metatable = table_new(vm);
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), Value::table(metatable)).ok());
  table_set_metatable(vm, object, metatable);
  ASSERT_TRUE(table_set_string(vm, object, key, Value::integer(1)).ok());
  ASSERT_TRUE(table_set_string(vm, object, key, Value::nil()).ok());
  InlineCache cache;
  Value value = Value::integer(7);
  ASSERT_TRUE(cached_get_miss(vm, Value::table(object), key, cache).value().is_nil());
  ASSERT_TRUE(cache_get(object, cache, key, &value));
  EXPECT_TRUE(value.is_nil());
  ASSERT_TRUE(table_set_string(vm, metatable, key, Value::integer(2)).ok());
  EXPECT_FALSE(cache_get(object, cache, key, &value));
  EXPECT_EQ(cached_get_miss(vm, Value::table(object), key, cache).value().as_integer(), 2);
}

TEST(InlineCache, LearnsMethodsOfInheritedClasses) {
  Vm vm;
  String* key = vm.intern("method");
  Table* classes[3];
  for (int i = 0; i < 3; ++i) {
    classes[i] = table_new(vm);
    ASSERT_TRUE(table_set_string(vm, classes[i], vm.intern("__index"), Value::table(classes[i])).ok());
    if (i > 0) table_set_metatable(vm, classes[i], classes[i - 1]);
  }
  ASSERT_TRUE(table_set_string(vm, classes[0], key, Value::integer(1)).ok());
  Table* object = table_new(vm);
  table_set_metatable(vm, object, classes[2]);
  InlineCache cache;
  Value value;
  ASSERT_TRUE(cached_get_miss(vm, Value::table(object), key, cache).ok());
  EXPECT_EQ(cache.kind, InlineCache::kMetatable);
  ASSERT_TRUE(cache_get(object, cache, key, &value));
  EXPECT_EQ(value.as_integer(), 1);
  // An overriding method in between is seen at once.
  ASSERT_TRUE(table_set_string(vm, classes[1], key, Value::integer(2)).ok());
  EXPECT_FALSE(cache_get(object, cache, key, &value));
  EXPECT_EQ(cached_get_miss(vm, Value::table(object), key, cache).value().as_integer(), 2);
}

/// A function for which nothing but its prototype matters.
Value function_of(Vm& vm, const char* name) {
  LuaFunction* function = vm.new_lua_function(compile(vm, "return 1", name).value());
  return Value(reinterpret_cast<uint64_t>(function), Tag::LuaFunction);
}

TEST(InlineCache, KnowsTheFunctionThatIsCalledForWhatIsAbsent) {
  Vm vm;
  vm.heap.stop();
  String* key = vm.intern("absent");
  const Value first = function_of(vm, "=first"), second = function_of(vm, "=second");
  Table* last = table_new(vm);
  Table* metatable = table_new(vm);
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), first).ok());
  table_set_metatable(vm, last, metatable);
  Table* object = table_new(vm);
  Table* outer = table_new(vm);
  ASSERT_TRUE(table_set_string(vm, outer, vm.intern("__index"), Value::table(last)).ok());
  table_set_metatable(vm, object, outer);

  InlineCache direct, behind;
  Table* argument = nullptr;
  learn_index_handler(vm, last, key, &direct, nullptr);
  learn_index_handler(vm, object, key, &behind, nullptr);
  ASSERT_EQ(direct.kind, InlineCache::kHandler);
  ASSERT_EQ(behind.kind, InlineCache::kHandler);
  EXPECT_EQ(cache_handler(last, direct, &argument)->payload, first.payload);
  EXPECT_EQ(argument, last);
  EXPECT_EQ(cache_handler(object, behind, &argument)->payload, first.payload);
  EXPECT_EQ(argument, last);
  // It is read at each access, and anything else is not taken for one.
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), second).ok());
  EXPECT_EQ(cache_handler(last, direct, &argument)->payload, second.payload);
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), Value::table(outer)).ok());
  EXPECT_EQ(cache_handler(last, direct, &argument), nullptr);
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), first).ok());
  learn_index_handler(vm, object, key, &behind, nullptr);
  ASSERT_NE(cache_handler(object, behind, &argument), nullptr);
  // The table on the way gets the key.
  ASSERT_TRUE(table_set_string(vm, last, key, Value::integer(1)).ok());
  EXPECT_EQ(cache_handler(object, behind, &argument), nullptr);
  EXPECT_EQ(cache_handler(last, direct, &argument), nullptr);
}

TEST(InlineCache, SharedCachesLearnWhatTheyAreAskedFor) {
  Vm vm;
  vm.heap.stop();
  String* key = vm.intern("x");
  Table* parent = table_new(vm);
  Table* metatable = table_new(vm);
  Table* child = table_new(vm);
  ASSERT_TRUE(table_set_string(vm, parent, key, Value::integer(7)).ok());
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), Value::table(parent)).ok());
  table_set_metatable(vm, child, metatable);
  Value found;
  ASSERT_TRUE(get_shared(vm, child, key, &found));
  EXPECT_EQ(found.payload, 7u);
  EXPECT_NE(find_shared(vm, &SharedPropertyCache::gets, child->shape, key), nullptr);
  const Shape* without = child->shape;
  ASSERT_TRUE(set_shared(vm, child, key, Value::integer(8)));
  EXPECT_NE(find_shared(vm, &SharedPropertyCache::sets, without, key), nullptr);
  ASSERT_TRUE(get_shared(vm, child, key, &found));
  EXPECT_EQ(found.payload, 8u) << "it has the property itself now";
  // Functions are not called.
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), function_of(vm, "=get")).ok());
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__newindex"), function_of(vm, "=set")).ok());
  EXPECT_FALSE(get_shared(vm, child, vm.intern("y"), &found));
  EXPECT_FALSE(set_shared(vm, child, vm.intern("y"), Value::integer(1)));
  EXPECT_TRUE(set_shared(vm, child, key, Value::integer(9))) << "what it has is stored";
}

TEST(InlineCache, FourThatFallTogetherStay) {
  Vm vm;
  vm.heap.stop();
  String* key = vm.intern("x");
  // Of so many shapes some set gets four, wherever the heap has put them; the empty shape may have more children than that.
  constexpr size_t kEnough = SharedPropertyCache::kSetCount * (SharedPropertyCache::kSetSize - 1) + 1;
  std::map<size_t, std::vector<Table*>> by_position;
  const std::vector<Table*>* together = nullptr;
  for (size_t i = 0; i < kEnough && together == nullptr; ++i) {
    Table* table = table_new(vm);
    ASSERT_TRUE(table_set_string(vm, table, vm.intern("k" + std::to_string(i)), Value::integer(1)).ok());
    ASSERT_TRUE(table_set_string(vm, table, key, Value::integer(1)).ok());
    std::vector<Table*>& fallen = by_position[SharedPropertyCache::position(table->shape, key)];
    fallen.push_back(table);
    if (fallen.size() == SharedPropertyCache::kSetSize) together = &fallen;
  }
  ASSERT_NE(together, nullptr);
  for (Table* table : *together) {
    Value found;
    ASSERT_TRUE(get_shared(vm, table, key, &found));
  }
  for (const Table* table : *together) {
    EXPECT_NE(find_shared(vm, &SharedPropertyCache::gets, table->shape, key), nullptr);
  }
}

TEST(InlineCache, SharedCachesOutliveTheCollectorsCyclesButNotWhatTheyKnow) {
  Vm vm;
  String* key = vm.intern("x");
  const auto made = [&](const std::string& other) {
    Table* table = table_new(vm);
    EXPECT_TRUE(table_set_string(vm, table, vm.intern(other), Value::integer(1)).ok());
    EXPECT_TRUE(table_set_string(vm, table, key, Value::integer(1)).ok());
    return table;
  };
  Table* lives = made("lives");
  ASSERT_TRUE(table_set_string(vm, vm.globals, vm.intern("lives"), Value::table(lives)).ok());
  Table* dies = made("dies");
  const Shape* dead = dies->shape;
  for (Table* table : {lives, dies}) {
    Value found;
    ASSERT_TRUE(get_shared(vm, table, key, &found));
    ASSERT_TRUE(set_shared(vm, table, key, Value::integer(2)));
  }
  const InlineCache* known = find_shared(vm, &SharedPropertyCache::gets, lives->shape, key);
  ASSERT_NE(known, nullptr);
  ASSERT_NE(find_shared(vm, &SharedPropertyCache::gets, dead, key), nullptr);
  ASSERT_NE(find_shared(vm, &SharedPropertyCache::sets, dead, key), nullptr);
  ASSERT_TRUE(vm.heap.collect_full().ok());
  EXPECT_NE(find_shared(vm, &SharedPropertyCache::gets, lives->shape, key), nullptr);
  EXPECT_NE(find_shared(vm, &SharedPropertyCache::sets, lives->shape, key), nullptr);
  EXPECT_EQ(find_shared(vm, &SharedPropertyCache::gets, dead, key), nullptr);
  EXPECT_EQ(find_shared(vm, &SharedPropertyCache::sets, dead, key), nullptr);
  ASSERT_TRUE(table_set_string(vm, vm.globals, vm.intern("lives"), Value::nil()).ok());
  const Shape* shape = lives->shape;
  ASSERT_TRUE(vm.heap.collect_full().ok());
  EXPECT_EQ(find_shared(vm, &SharedPropertyCache::gets, shape, key), nullptr);
  EXPECT_TRUE(vm.property_cache->gets.used.none()) << "no set has to be looked at again";
}

TEST(InlineCache, AFullSiteKeepsWhatItKnows) {
  Vm vm;
  vm.heap.stop();
  String* key = vm.intern("x");
  InlineCache cache;
  const Shape* last = nullptr;
  for (int i = 0; i < 20; ++i) {
    Table* table = table_new(vm);
    ASSERT_TRUE(table_set_string(vm, table, vm.intern("k" + std::to_string(i)), Value::integer(i)).ok());
    ASSERT_TRUE(table_set_string(vm, table, key, Value::integer(i)).ok());
    ASSERT_TRUE(cached_get_miss(vm, Value::table(table), key, cache).ok());
    if (i == InlineCache::kMaxMisses - 1) last = cache.shape;
  }
  EXPECT_TRUE(cache.is_full());
  EXPECT_EQ(cache.shape, last);
  EXPECT_EQ(cache.kind, InlineCache::kOwn);
}

TEST(InlineCache, AStaleShapeGivesWay) {
  Vm vm;
  vm.heap.stop();
  String* key = vm.intern("x");
  const auto made = [&](Table* index) {
    Table* object = table_new(vm);
    Table* metatable = table_new(vm);
    EXPECT_TRUE(table_set_string(vm, object, key, Value::integer(1)).ok());
    EXPECT_TRUE(table_set_string(vm, metatable, vm.intern("__index"), Value::table(index)).ok());
    table_set_metatable(vm, object, metatable);
    return object;
  };
  Table* prototype = table_new(vm);
  Table* first = made(prototype);
  InlineCache cache, second;
  ASSERT_TRUE(cached_get_miss(vm, Value::table(first), key, cache, &second).ok());
  cache.miss_count = InlineCache::kMaxMisses;
  Table* next = made(prototype);  // now their metatables are of a class
  ASSERT_TRUE(cached_get_miss(vm, Value::table(next), key, cache, &second).ok());
  EXPECT_EQ(cache.shape, next->shape);
  EXPECT_FALSE(cache.is_full());
  EXPECT_EQ(second.kind, InlineCache::kEmpty);
}

TEST(InlineCache, SharesWhatItKnowsOfFunctionsWithSitesThatHaveNoCache) {
  Vm vm;
  vm.heap.stop();
  String* key = vm.intern("absent");
  Table* object = table_new(vm);
  Table* metatable = table_new(vm);
  ASSERT_TRUE(table_set_string(vm, metatable, vm.intern("__newindex"), function_of(vm, "=store")).ok());
  table_set_metatable(vm, object, metatable);
  EXPECT_EQ(find_shared(vm, &SharedPropertyCache::sets, object->shape, key), nullptr);
  learn_newindex_handler(vm, object, key, nullptr, nullptr);
  const InlineCache* known = find_shared(vm, &SharedPropertyCache::sets, object->shape, key);
  ASSERT_NE(known, nullptr);
  Table* argument = nullptr;
  ASSERT_NE(cache_handler(object, *known, &argument), nullptr);
  EXPECT_EQ(find_or_insert_shared(vm, &SharedPropertyCache::sets, object->shape, key), known);
  EXPECT_EQ(find_shared(vm, &SharedPropertyCache::gets, object->shape, key), nullptr);
}

}  // namespace
}  // namespace mangata
