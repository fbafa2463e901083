// The heap: size classes, reuse of cells, reachability, weak tables, finalizers, limits, pacing.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "vm/bytecode/proto.h"
#include "vm/heap/collector.h"
#include "vm/heap/large_space.h"
#include "vm/heap/memory_grant.h"
#include "vm/native.h"
#include "vm/operations/operations.h"
#include "vm/vm.h"

namespace mangata {
namespace {

void collect(Vm& vm) { ASSERT_TRUE(vm.heap.collect_full().ok()); }

void set(Vm& vm, Table* table, std::string_view key, Value value) {
  ASSERT_TRUE(table_set_string(vm, table, vm.intern(key), value).ok());
}

Value get(Vm& vm, Table* table, std::string_view key) { return table_get_string(table, vm.intern(key)); }

Table* rooted_table(Vm& vm, std::string_view name) {
  Table* table = table_new(vm);
  set(vm, vm.globals, name, Value::table(table));
  return table;
}

Table* weak_table(Vm& vm, std::string_view name, std::string_view mode) {
  Table* table = rooted_table(vm, name);
  Table* metatable = table_new(vm);
  set(vm, metatable, "__mode", vm.string_value(mode));
  table_set_metatable(vm, table, metatable);
  return table;
}

int count_entries(Table* table) {
  int count = 0;
  Value key = Value::nil();
  Value value = Value::nil();
  while (table_next(table, key, &key, &value) == 1) ++count;
  return count;
}

TEST(SizeClasses, EveryCellHoldsItsSizeAndWastesLessThanAQuarter) {
  for (size_t size = 1; size <= kMaxSmallBytes; ++size) {
    const int size_class = size_class_of(size);
    ASSERT_LT(size_class, kSizeClassCount);
    ASSERT_GE(kClassBytes[size_class], size);
    if (size_class > 1) {
      ASSERT_LT(kClassBytes[size_class - 1], size);
    }
    if (size > 64) {
      ASSERT_LE(kClassBytes[size_class], size + size / 4 + 1);
    }
  }
}

TEST(Heap, ObjectsDoNotOverlap) {
  Vm vm;
  std::mt19937 random(1);
  std::set<std::pair<char*, char*>> ranges;
  for (int i = 0; i < 20000; ++i) {
    const size_t size = random() % 10 == 0 ? 1 + random() % 20000 : 1 + random() % 300;
    Object* object = vm.heap.allocate(ObjectType::Bytes, std::max(size, sizeof(Object)));
    char* start = reinterpret_cast<char*>(object);
    // Storage that is allocated on its own starts its elements, not itself, on a boundary.
    ASSERT_EQ(reinterpret_cast<uintptr_t>(start) % 8, 0u);
    ranges.emplace(start, start + size);
  }
  char* end = nullptr;
  for (const auto& [from, to] : ranges) {
    ASSERT_GE(from, end);
    end = to;
  }
}

TEST(Heap, GarbageIsReusedAndReachableObjectsStay) {
  Vm vm;
  Table* kept = rooted_table(vm, "kept");
  for (int i = 1; i <= 1000; ++i) {
    Table* entry = table_new(vm);
    set(vm, entry, "n", Value::integer(i));
    ASSERT_TRUE(table_set_integer(vm, kept, i, Value::table(entry)).ok());
  }
  collect(vm);
  const size_t before = vm.heap.total_bytes();
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 20000; ++i) set(vm, table_new(vm), "garbage", Value::integer(i));
    collect(vm);
  }
  EXPECT_LE(vm.heap.total_bytes(), before + before / 10);
  for (int i = 1; i <= 1000; ++i) {
    EXPECT_EQ(get(vm, table_get_integer(kept, i).as_table(), "n").as_integer(), i);
  }
}

TEST(Heap, IncrementalCyclesKeepWhatTheProgramMovesAround) {
  // A random mutator over an array of linked tables, safepoints in between: every table remembers what it
  // should hold.
  Vm vm;
  std::mt19937 random(7);
  Table* all = rooted_table(vm, "all");
  constexpr int kCount = 3000;
  const auto fresh = [&](int64_t id) {
    Table* table = table_new(vm);
    set(vm, table, "id", Value::integer(id));
    return table;
  };
  for (int i = 1; i <= kCount; ++i) ASSERT_TRUE(table_set_integer(vm, all, i, Value::table(fresh(i))).ok());
  int cycles = 0;
  bool was_marking = false;
  for (int step = 0; step < 400000; ++step) {
    const int i = 1 + static_cast<int>(random() % kCount);
    const int j = 1 + static_cast<int>(random() % kCount);
    Table* a = table_get_integer(all, i).as_table();
    switch (random() % 4) {
      case 0: {  // hide an object behind another, then move it back
        Table* holder = fresh(i);
        set(vm, holder, "hidden", Value::table(a));
        ASSERT_TRUE(table_set_integer(vm, all, i, Value::table(holder)).ok());
        break;
      }
      case 1:
        if (const Value hidden = get(vm, a, "hidden"); hidden.is_table()) {
          ASSERT_TRUE(table_set_integer(vm, all, i, hidden).ok());
        }
        break;
      case 2:
        ASSERT_TRUE(table_set(vm, a, Value::number(0.5), Value::table(fresh(j))).ok());
        break;
      default:
        ASSERT_EQ(get(vm, a, "id").as_integer(), i);
    }
    ASSERT_TRUE(vm.heap.safepoint().ok());
    if (was_marking && !vm.heap.marking()) ++cycles;
    was_marking = vm.heap.marking();
    if (step % 50000 == 0) {
      ASSERT_TRUE(vm.heap.step_kilobytes(1).ok());
    }
  }
  EXPECT_GT(cycles, 2);
  for (int i = 1; i <= kCount; ++i) {
    Table* a = table_get_integer(all, i).as_table();
    EXPECT_EQ(get(vm, a, "id").as_integer(), i);
    const Value other = table_get(a, Value::number(0.5));
    if (other.is_table()) {
      EXPECT_TRUE(get(vm, other.as_table(), "id").is_integer());
    }
  }
}

TEST(Heap, LargeObjectsAreFreed) {
  Vm vm;
  collect(vm);
  const size_t before = vm.heap.total_bytes();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(vm.new_long_string(100000).ok());
  EXPECT_GE(vm.heap.total_bytes(), before + 100 * 100000);
  String* kept = vm.new_long_string(50000).value();
  set(vm, vm.globals, "kept", Value::string(kept));
  collect(vm);
  EXPECT_LT(vm.heap.total_bytes(), before + 60000);
  EXPECT_EQ(get(vm, vm.globals, "kept").as_string()->length, 50000u);
}

TEST(Heap, FreedStorageIsReusedAtOnce) {
  Vm vm;
  const size_t before = vm.heap.total_bytes();
  for (int i = 0; i < 100000; ++i) vm.heap.free_storage(vm.heap.allocate(ObjectType::Bytes, 16 + i % 500));
  EXPECT_LE(vm.heap.total_bytes(), before + 64);
}

TEST(Strings, ShortStringsAreUniqueAcrossCollections) {
  Vm vm;
  Table* kept = rooted_table(vm, "kept");
  for (int i = 1; i <= 5000; ++i) {
    String* name = vm.intern("name" + std::to_string(i));
    if (i % 3 == 0) {
      ASSERT_TRUE(table_set_integer(vm, kept, i / 3, Value::string(name)).ok());
    }
  }
  const uint32_t full = vm.strings.string_count();
  collect(vm);
  EXPECT_LT(vm.strings.string_count(), full - 3000);
  for (int i = 3; i <= 5000; i += 3) {
    EXPECT_EQ(table_get_integer(kept, i / 3).as_string(), vm.intern("name" + std::to_string(i)));
  }
  for (int i = 1; i <= 5000; ++i) {
    EXPECT_EQ(vm.intern("name" + std::to_string(i))->view(), "name" + std::to_string(i));
  }
}

TEST(Strings, HashOfLongStringsIsCachedAndEqualForEqualContent) {
  Vm vm;
  const std::string text(1000, 'x');
  String* a = vm.new_string(text).value();
  String* b = vm.new_string(text).value();
  EXPECT_NE(a, b);
  EXPECT_TRUE(strings_equal(a, b));
  EXPECT_EQ(string_hash(a), string_hash(b));
}

TEST(WeakTables, WeakValuesAreClearedAndStringsAndNumbersStay) {
  Vm vm;
  Table* weak = weak_table(vm, "weak", "v");
  Table* kept = rooted_table(vm, "kept");
  set(vm, weak, "dead", Value::table(table_new(vm)));
  set(vm, weak, "alive", Value::table(kept));
  set(vm, weak, "string", vm.string_value("only here"));
  ASSERT_TRUE(table_set_integer(vm, weak, 1, Value::table(table_new(vm))).ok());
  ASSERT_TRUE(table_set_integer(vm, weak, 2, Value::table(kept)).ok());
  ASSERT_TRUE(table_set_integer(vm, weak, 3, Value::table(table_new(vm))).ok());
  ASSERT_TRUE(table_set(vm, weak, Value::number(1.5), Value::table(table_new(vm))).ok());
  ASSERT_TRUE(table_set(vm, weak, Value::number(2.5), Value::integer(9)).ok());
  collect(vm);
  EXPECT_TRUE(get(vm, weak, "dead").is_nil());
  EXPECT_TRUE(get(vm, weak, "alive").is_table());
  EXPECT_EQ(get(vm, weak, "string").as_string()->view(), "only here");
  EXPECT_TRUE(table_get_integer(weak, 1).is_nil());
  EXPECT_TRUE(table_get_integer(weak, 2).is_table());
  EXPECT_TRUE(table_get_integer(weak, 3).is_nil());
  EXPECT_EQ(weak->array_size(), 2u);
  EXPECT_TRUE(table_get(weak, Value::number(1.5)).is_nil());
  EXPECT_EQ(count_entries(weak), 4);
}

TEST(WeakTables, EphemeronChainsLiveExactlyAsLongAsTheirFirstKey) {
  for (const bool keep_first : {true, false}) {
    Vm vm;
    Table* ephemeron = weak_table(vm, "ephemeron", "k");
    std::vector<Table*> chain;
    for (int i = 0; i < 500; ++i) chain.push_back(table_new(vm));
    for (int i = 0; i + 1 < 500; ++i) {
      ASSERT_TRUE(table_set(vm, ephemeron, Value::table(chain[i]), Value::table(chain[i + 1])).ok());
    }
    if (keep_first) set(vm, vm.globals, "first", Value::table(chain[0]));
    collect(vm);
    EXPECT_EQ(count_entries(ephemeron), keep_first ? 499 : 0);
  }
}

TEST(WeakTables, AllWeakKeepsOnlyPairsThatAreAliveElsewhere) {
  Vm vm;
  Table* weak = weak_table(vm, "weak", "kv");
  Table* kept = rooted_table(vm, "kept");
  ASSERT_TRUE(table_set(vm, weak, Value::table(kept), Value::table(table_new(vm))).ok());
  ASSERT_TRUE(table_set(vm, weak, Value::table(table_new(vm)), Value::table(kept)).ok());
  Table* other = rooted_table(vm, "other");
  ASSERT_TRUE(table_set(vm, weak, Value::table(other), Value::table(kept)).ok());
  collect(vm);
  EXPECT_EQ(count_entries(weak), 1);
}

std::vector<int64_t> finalized;  // ids in order

Result<int> record_finalizer(Call& call) {
  finalized.push_back(table_get_string(call[0].as_table(), call.vm().intern("id")).as_integer());
  return call.ret();
}

Table* finalizable(Vm& vm, Table* metatable, int64_t id) {
  Table* table = table_new(vm);
  set(vm, table, "id", Value::integer(id));
  table_set_metatable(vm, table, metatable);
  if ((table->gc_flags & Object::kHasFinalizer) == 0) vm.heap.add_finalizable(table);
  return table;
}

TEST(Finalizers, AreCalledOnceInReverseOrderOfMarking) {
  finalized.clear();
  {
    Vm vm;
    Table* metatable = rooted_table(vm, "metatable");
    set(vm, metatable, "__gc", Value::function(vm.new_native(record_finalizer, "gc")));
    for (int i = 1; i <= 5; ++i) {
      Table* table = finalizable(vm, metatable, i);
      if (i == 3) set(vm, vm.globals, "kept", Value::table(table));
    }
    collect(vm);
    EXPECT_EQ(finalized, (std::vector<int64_t>{5, 4, 2, 1}));
    collect(vm);
    EXPECT_EQ(finalized.size(), 4u);
  }
  EXPECT_EQ(finalized, (std::vector<int64_t>{5, 4, 2, 1, 3}));  // the rest when the machine is closed
}

TEST(Upvalues, OfDeadThreadsKeepTheirValues) {
  Vm vm;
  Thread* thread = vm.new_thread();
  Table* target = table_new(vm);
  *thread->top++ = Value::table(target);
  auto* upvalue = static_cast<Upvalue*>(vm.heap.allocate_small(ObjectType::Upvalue, sizeof(Upvalue)));
  upvalue->location = thread->top - 1;
  upvalue->next_open = nullptr;
  thread->open_upvalues = upvalue;
  Proto* proto = vm.new_proto();
  proto->upvalues.resize(1);
  proto->upvalues[0].name = nullptr;
  LuaFunction* function = vm.new_lua_function(proto);
  function->upvalues[0] = upvalue;
  set(vm, vm.globals, "closure", Value::function(function));
  set(vm, target, "x", Value::integer(42));
  collect(vm);
  EXPECT_FALSE(upvalue->is_open());
  collect(vm);
  EXPECT_EQ(get(vm, upvalue->location->as_table(), "x").as_integer(), 42);
}

TEST(Threads, ManyFitAndTheirStacksAreReusedClean) {
  Vm vm;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20000; ++i) {
      Thread* thread = vm.new_thread();
      ASSERT_NE(thread, nullptr);
      for (Value* slot = thread->top; slot < thread->stack_soft_limit; ++slot) ASSERT_TRUE(slot->is_nil());
      *thread->top++ = Value::integer(i);
    }
    collect(vm);
  }
  EXPECT_EQ(vm.heap.collector().threads.size(), 1u);
}

TEST(Threads, DeepStacksAreClearedAboveTheTop) {
  Vm vm;
  Thread& thread = *vm.main_thread;
  thread.stack_soft_limit = thread.stack + 500000;
  for (Value* slot = thread.top; slot < thread.stack_soft_limit; ++slot) *slot = Value::integer(1);
  collect(vm);
  for (Value* slot = thread.top; slot < thread.stack_soft_limit; ++slot) ASSERT_TRUE(slot->is_nil());
}

TEST(Limit, RaisesNotEnoughMemoryOnlyWhenTheMemoryIsReallyInUse) {
  Vm vm;
  vm.heap.set_limit(8 << 20);
  for (int i = 0; i < 200000; ++i) {  // 100 MB of garbage
    (void)vm.new_long_string(500);
    ASSERT_TRUE(vm.heap.safepoint().ok());
  }
  Table* kept = rooted_table(vm, "kept");
  bool raised = false;
  for (int i = 1; i < 200000 && !raised; ++i) {
    ASSERT_TRUE(table_set_integer(vm, kept, i, Value::string(vm.new_long_string(500).value())).ok());
    raised = !vm.heap.safepoint().ok();
  }
  EXPECT_TRUE(raised);
  EXPECT_EQ(vm.error.as_string()->view(), "not enough memory");
  EXPECT_LT(vm.heap.total_bytes(), 9u << 20);
  EXPECT_FALSE(vm.new_long_string(10 << 20).ok());
  EXPECT_FALSE(vm.heap.ensure_headroom(4 << 20).ok());
  set(vm, vm.globals, "kept", Value::nil());
  EXPECT_TRUE(vm.heap.ensure_headroom(4 << 20).ok());
  EXPECT_TRUE(vm.new_long_string(4 << 20).ok());
}

/// Gives what is asked for, up to `most`.
struct Purse : MemoryGrant {
  size_t given = 1, most = 0, asked = 0;
  size_t grow_to(size_t wanted_bytes) override {
    ++asked;
    if (wanted_bytes <= most) given = wanted_bytes;
    return given;
  }
  size_t shrink_to(size_t used_bytes) override { return given = std::max<size_t>(std::min(given, used_bytes), 1); }
};

TEST(Limit, AGrantIsAskedForWhatTheHeapHolds) {
  Vm vm;
  collect(vm);
  const size_t before = vm.heap.total_bytes();
  Purse purse;
  purse.most = before - 1;
  EXPECT_FALSE(vm.heap.set_grant(&purse));
  purse.most = before + 400000;
  EXPECT_TRUE(vm.heap.set_grant(&purse));
  EXPECT_GE(purse.given, before);
  ASSERT_TRUE(vm.new_long_string(200000).ok());  // garbage
  EXPECT_GE(purse.given, before + 200000);
  // It does not stand in the way of what comes at a safepoint.
  EXPECT_TRUE(vm.heap.ensure_headroom(300000).ok());
  EXPECT_LT(vm.heap.total_bytes(), before + 10000);
  EXPECT_FALSE(vm.new_long_string(600000).ok());
  vm.error = Value::nil();
  EXPECT_FALSE(vm.heap.ensure_headroom(500000).ok());
  vm.error = Value::nil();
  EXPECT_TRUE(vm.new_long_string(100000).ok());
  collect(vm);
  EXPECT_LE(purse.given, before + 10000) << "what is not used any more is given back";
  vm.heap.set_grant(nullptr);
  EXPECT_TRUE(vm.new_long_string(1000000).ok());
}

TEST(Interrupts, GiveUpAFullCollection) {
  Vm vm;
  Table* kept = rooted_table(vm, "kept");
  const auto fill = [&](int64_t from) {
    for (int64_t i = from; i < from + 50000; ++i) {
      Table* element = table_new(vm);
      ASSERT_TRUE(table_set_integer(vm, element, 1, Value::integer(i)).ok());
      ASSERT_TRUE(table_set_integer(vm, kept, i, Value::table(element)).ok());
      (void)table_new(vm);  // garbage
    }
  };
  fill(1);
  const size_t full = vm.heap.total_bytes();
  vm.on_interrupt = [](Vm& vm) -> Status {
    vm.error = vm.string_value("stop");
    return Raised{};
  };
  vm.interrupt = true;
  EXPECT_FALSE(vm.heap.collect_full().ok());
  EXPECT_EQ(vm.error.as_string()->view(), "stop");
  vm.error = Value::nil();
  EXPECT_FALSE(vm.heap.marking());
  EXPECT_GE(vm.heap.total_bytes(), full) << "nothing was freed";
  fill(50001);
  EXPECT_FALSE(vm.interrupt);
  collect(vm);
  EXPECT_LT(vm.heap.total_bytes(), 2 * full - 50000 * sizeof(Table));
  for (int64_t i = 1; i <= 100000; ++i) {
    ASSERT_EQ(table_get_integer(table_get_integer(kept, i).as_table(), 1).as_integer(), i);
  }
}

TEST(Pacing, TheHeapStaysWithinTheParameters) {
  Vm vm;
  Table* kept = rooted_table(vm, "kept");
  for (int i = 1; i <= 50000; ++i) {
    Table* entry = table_new(vm);
    set(vm, entry, "n", Value::integer(i));
    ASSERT_TRUE(table_set_integer(vm, kept, i, Value::table(entry)).ok());
    ASSERT_TRUE(vm.heap.safepoint().ok());
  }
  collect(vm);
  const size_t live = vm.heap.total_bytes();
  size_t peak = 0;
  for (int i = 0; i < 500000; ++i) {
    set(vm, table_new(vm), "garbage", Value::integer(i));
    ASSERT_TRUE(vm.heap.safepoint().ok());
    peak = std::max(peak, vm.heap.total_bytes());
  }
  EXPECT_LT(peak, live * 5 / 2);
}

TEST(Pacing, WhatFunctionsOwnLetsTheHeapGrowNoFurther) {
  constexpr ptrdiff_t kFunctionBytes = 64 << 20;
  Vm vm;
  vm.heap.account_function(kFunctionBytes);
  collect(vm);
  const size_t live = vm.heap.total_bytes();
  EXPECT_GE(live, static_cast<size_t>(kFunctionBytes));
  size_t peak = 0;
  for (int i = 0; i < 200000; ++i) {
    set(vm, table_new(vm), "garbage", Value::integer(i));
    ASSERT_TRUE(vm.heap.safepoint().ok());
    peak = std::max(peak, vm.heap.total_bytes());
  }
  EXPECT_LT(peak - live, size_t{1} << 20);
  vm.heap.account_function(-kFunctionBytes);
  EXPECT_LT(vm.heap.total_bytes(), static_cast<size_t>(kFunctionBytes));
}

TEST(Pacing, ParametersAreReportedAsInLua54) {
  Vm vm;
  EXPECT_EQ(vm.heap.set_pause(400), 200);
  EXPECT_EQ(vm.heap.set_pause(150), 400);
  EXPECT_EQ(vm.heap.set_step_multiplier(200), 100);
  EXPECT_EQ(vm.heap.set_step_multiplier(100), 200);
  EXPECT_TRUE(vm.heap.is_running());
  vm.heap.stop();
  EXPECT_FALSE(vm.heap.is_running());
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(vm.heap.step_kilobytes(20000).value());
  vm.heap.restart();
  EXPECT_TRUE(vm.heap.is_running());
}

TEST(Machine, FindsNoTraceOfThoseBeforeIt) {
  constexpr int kSlots = 5000, kObjects = 3000;
  for (int round = 0; round < 8; ++round) {
    Vm vm;
    Thread& thread = *vm.main_thread;
    for (Value* slot = thread.top; slot < thread.stack + kSlots; ++slot) ASSERT_TRUE(slot->is_nil() && slot->payload == 0);
    EXPECT_EQ(get(vm, vm.globals, "kept").tag, Tag::Nil);
    Table* kept = rooted_table(vm, "kept");
    for (int i = 0; i < kObjects; ++i) {
      Table* table = table_new(vm);
      if (i % 2 == 0) set(vm, kept, "key " + std::to_string(i), Value::table(table));
    }
    collect(vm);
    for (int i = 0; i < kObjects; i += 2) ASSERT_TRUE(get(vm, kept, "key " + std::to_string(i)).is_table());
    ASSERT_TRUE(ensure_stack(vm, thread.top, kSlots).ok());
    for (int i = 0; i < kSlots; ++i) *thread.top++ = Value::integer(i);
  }
}

}  // namespace
}  // namespace mangata
