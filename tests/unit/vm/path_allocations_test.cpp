// Whose allocations are, with a heap in which the tests allocate.
#include "vm/interpreter/path_allocations.h"

#include <gtest/gtest.h>

#include <array>

#include "vm/interpreter/path_event.h"
#include "vm/object/thread.h"
#include "vm/vm.h"

namespace mangata {
namespace {

constexpr size_t kCellBytes = 48;

/// Activations of functions with two paths each, on a stack of frames.
class PathAllocationsTest : public ::testing::Test {
 protected:
  PathAllocationsTest() {
    allocations_.attach(vm_.heap);
    for (PathCounters* counters : {&outer_, &inner_}) {
      counters->allocations = &allocations_;
      for (CountTable* table : {&counters->allocated.bytes, &counters->allocated.objects}) table->array = LowArray<uint64_t>(2);
      counters->events = {{.kind = PathEventKind::AllocationEntry},
                          {.kind = PathEventKind::AllocationPath},
                          {.kind = PathEventKind::CountAndStart},
                          {.kind = PathEventKind::AllocationExit},
                          {.kind = PathEventKind::Count}};
    }
  }

  void allocate(int objects) {
    for (int i = 0; i < objects; ++i) vm_.heap.allocate(ObjectType::Bytes, kCellBytes);
  }
  enum Event {
    Entry = 0,
    Path = 1,
    Exit = 3
  };
  /// So many objects are allocated, and then the event happens.
  void after(int objects, PathCounters& counters, Event event, size_t frame, uint64_t path = 0) {
    allocate(objects);
    run_allocation_event(counters, counters.events[event], path, &frames_[frame]);
  }
  static uint64_t objects(const PathCounters& counters, uint64_t path) {
    EXPECT_EQ(counters.allocated.bytes.value(path), counters.allocated.objects.value(path) * kCellBytes);
    return counters.allocated.objects.value(path);
  }

  Vm vm_;
  PathAllocations allocations_;
  PathCounters outer_, inner_;
  std::array<FrameHeader, 4> frames_{};
};

TEST_F(PathAllocationsTest, ThoseOfACalleeAreTheCallees) {
  after(5, outer_, Entry, 0);
  after(10, inner_, Entry, 1);
  after(100, inner_, Path, 1, 1);
  after(200, inner_, Exit, 1, 0);
  after(3, outer_, Exit, 0, 1);
  EXPECT_EQ(objects(outer_, 1), 13u);
  EXPECT_EQ(objects(inner_, 1), 100u);
  EXPECT_EQ(objects(inner_, 0), 200u);
}

TEST_F(PathAllocationsTest, EachActivationOfARecursionHasItsOwn) {
  after(0, outer_, Entry, 0);
  after(7, outer_, Entry, 1);
  after(50, outer_, Exit, 1, 1);
  after(8, outer_, Exit, 0, 0);
  EXPECT_EQ(objects(outer_, 1), 50u);
  EXPECT_EQ(objects(outer_, 0), 15u);
}

TEST_F(PathAllocationsTest, FramesThatAnErrorDiscardsAreForgotten) {
  after(0, outer_, Entry, 0);
  after(1, inner_, Entry, 1);
  after(2, inner_, Entry, 2);
  after(40, outer_, Path, 0, 1);  // the two above are gone: what was allocated until then was theirs
  EXPECT_EQ(objects(outer_, 1), 1u);
  after(6, inner_, Entry, 1);  // a new activation where one was
  after(9, inner_, Exit, 1, 0);
  EXPECT_EQ(objects(inner_, 0), 9u);
  after(2, outer_, Exit, 0, 0);
  EXPECT_EQ(objects(outer_, 0), 8u);
}

TEST_F(PathAllocationsTest, CoroutinesHaveStacksOfTheirOwn) {
  std::array<Value, 2> stacks;
  Thread main_thread{}, coroutine{};
  main_thread.stack = &stacks[0];
  coroutine.stack = &stacks[1];
  allocations_.change_thread(main_thread, true);
  after(0, outer_, Entry, 2);
  allocate(10);
  allocations_.change_thread(coroutine, true);
  after(1, inner_, Entry, 0);
  allocate(100);
  allocations_.change_thread(main_thread, false);
  after(20, outer_, Path, 2, 1);
  allocate(2);
  allocations_.change_thread(coroutine, false);
  after(300, inner_, Exit, 0, 1);
  allocations_.change_thread(main_thread, false);
  EXPECT_EQ(objects(outer_, 1), 30u);
  EXPECT_EQ(objects(inner_, 1), 400u);
  // Another coroutine on the same stack.
  after(0, outer_, Exit, 2, 0);
  allocations_.change_thread(coroutine, false);
  after(0, inner_, Entry, 0);
  allocations_.change_thread(main_thread, false);
  allocations_.change_thread(coroutine, true);
  after(7, inner_, Path, 1, 0);
  EXPECT_EQ(objects(inner_, 0), 0u);
}

/// What was allocated stays counted when it is freed, whether the cell is given back to its run or recycled, and across collections.
TEST(Allocated, CountsEverythingOnce) {
  Vm vm;
  uint64_t bytes = vm.heap.allocated().bytes, objects = vm.heap.allocated().objects;
  const auto expect_more = [&](uint64_t more_bytes, uint64_t more_objects) {
    bytes += more_bytes;
    objects += more_objects;
    EXPECT_EQ(vm.heap.allocated().bytes, bytes);
    EXPECT_EQ(vm.heap.allocated_bytes(), bytes);
    EXPECT_EQ(vm.heap.allocated().objects, objects);
  };
  for (int i = 0; i < 1000; ++i) vm.heap.allocate(ObjectType::Bytes, 40);
  expect_more(48000, 1000);
  vm.heap.free_storage(vm.heap.allocate(ObjectType::Bytes, 300));  // the newest of its class
  expect_more(320, 1);
  Object* older = vm.heap.allocate(ObjectType::Bytes, 300);
  vm.heap.allocate(ObjectType::Bytes, 300);
  vm.heap.free_storage(older);
  for (int i = 0; i < 500; ++i) vm.heap.allocate(ObjectType::Bytes, 300);
  expect_more(502 * 320, 502);
  Object* large = vm.heap.allocate(ObjectType::Bytes, 100000);
  vm.heap.free_storage(large);
  expect_more(100000, 1);
  ASSERT_TRUE(vm.heap.collect_full().ok());
  expect_more(0, 0);
  for (int i = 0; i < 5000; ++i) vm.heap.allocate(ObjectType::Bytes, 16);
  expect_more(80000, 5000);
}

/// A run begins in a cell that was freed; it and the cell in front of it are given back, so the run ends in front of where it began.
TEST(Allocated, IsRightInARunThatHasMovedBack) {
  Vm vm;
  const Allocated before = vm.heap.allocated();
  Object* first = vm.heap.allocate(ObjectType::Bytes, 300);
  Object* hole = vm.heap.allocate(ObjectType::Bytes, 300);
  ASSERT_EQ(reinterpret_cast<char*>(hole), reinterpret_cast<char*>(first) + 320);
  uint64_t objects = 2;
  for (; objects < 1000; ++objects) vm.heap.allocate(ObjectType::Bytes, 300);
  vm.heap.free_storage(hole);
  const Object* last = nullptr;
  for (; last != hole && objects < 100'000; ++objects) last = vm.heap.allocate(ObjectType::Bytes, 300);
  ASSERT_EQ(last, hole) << "it was not used again";
  vm.heap.free_storage(hole);
  vm.heap.free_storage(first);
  const auto expect_all = [&] {
    const Allocated now = vm.heap.allocated() - before;
    EXPECT_EQ(now.objects, objects);
    EXPECT_EQ(now.bytes, 320 * objects);
  };
  expect_all();
  for (int i = 0; i < 10; ++i, ++objects) vm.heap.allocate(ObjectType::Bytes, 300);
  expect_all();
}

}  // namespace
}  // namespace mangata
