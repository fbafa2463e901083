// Walks that wait, and what is told of the one that runs: where its operations come from, which of its checks seem to fail.
#include "jit/build/walk_queue.h"

#include "jit/build/forced_failures.h"
#include "jit/build/place_numbers.h"
#include "tests/unit/jit/generated_code.h"

namespace mangata::jit {
namespace {

TEST(WalkQueue, AWalkBesideLeavesTheOneThatRunsAsItWas) {
  Vm vm;
  GeneratedCode code(vm);
  WalkQueue queue(code.b, code.walk);
  const Block exit = code.b.make_block("exit"), aside = code.b.make_block("aside");
  code.walk.pc = 7;
  code.walk.exit_block = exit;
  code.walk.track.step = 3;
  code.walk.state.uncounted_events = 2;
  code.b.set_position(aside);
  queue.beside([&] {
    EXPECT_EQ(code.walk.exit_block, exit) << "it is the same instruction";
    code.walk.pc = 20;
    code.walk.exit_block = {};
    code.walk.track = {};
    code.walk.state.uncounted_events = 9;
    code.walk.state.slots.clear();
  });
  EXPECT_EQ(code.walk.pc, 7);
  EXPECT_EQ(code.walk.exit_block, exit);
  EXPECT_EQ(code.walk.track.step, 3u);
  EXPECT_EQ(code.walk.state.uncounted_events, 2);
  EXPECT_EQ(code.walk.state.slots.size(), 8u);
  queue.beside([&] { code.walk.ended = true; });
  EXPECT_FALSE(code.walk.ended);
  ASSERT_FALSE(queue.is_empty());
  code.walk.ended = true;
  queue.run_next();
  EXPECT_TRUE(queue.is_empty()) << "the one that ended does not wait";
  EXPECT_FALSE(code.walk.ended);
  EXPECT_EQ(code.walk.pc, 20);
  EXPECT_EQ(code.b.position(), aside);
  EXPECT_TRUE(code.walk.track.is_generic());
  EXPECT_EQ(code.walk.state.uncounted_events, 9);
  code.walk.ended = true;
  code.walk.track.step = 5;
  queue.beside([] {});
  ASSERT_FALSE(queue.is_empty()) << "that one has not ended, whatever became of the other";
  code.walk.track = {};
  queue.run_next();
  EXPECT_EQ(code.walk.track.step, 5u);
}

TEST(WalkQueue, TheLastOneRunsFirst) {
  Vm vm;
  GeneratedCode code(vm);
  WalkQueue queue(code.b, code.walk);
  const Block first = code.b.make_block("first"), second = code.b.make_block("second"), third = code.b.make_block("third");
  State state = code.walk.state;
  state.reserved_events = 4;
  code.walk.pc = 3;
  code.walk.track.step = 2;
  queue.add(first, code.walk.state, 5, {.loop = 1, .hot = {}});
  queue.add(second, state, 6, {.loop = 2, .hot = {}});
  queue.begin_anew(third, state);
  code.walk.track = {};
  queue.run_next();
  EXPECT_EQ(code.b.position(), third);
  EXPECT_EQ(code.walk.pc, 3);
  EXPECT_EQ(code.walk.track.step, 2u);
  EXPECT_EQ(code.walk.state.reserved_events, 4);
  code.walk.state.reserved_events = 0;
  queue.run_next();
  EXPECT_EQ(code.b.position(), second);
  EXPECT_EQ(code.walk.pc, 6);
  EXPECT_EQ(code.walk.track.loop, 2);
  EXPECT_EQ(code.walk.state.reserved_events, 4);
  queue.run_next();
  EXPECT_EQ(code.b.position(), first);
  EXPECT_EQ(code.walk.pc, 5);
  EXPECT_EQ(code.walk.track.loop, 1);
  EXPECT_EQ(code.walk.state.reserved_events, 0);
}

TEST(PlaceNumbers, AreOfInstructionsWithinCalls) {
  Instruction of_root[10], of_callee[10];
  RegionFunction root, callee;
  root.address = of_root;
  callee.address = of_callee;
  RunningWalk walk;
  walk.state.frames.push_back({.function = &root});
  PlaceNumbers places;
  walk.pc = 4;
  EXPECT_EQ(places.number_of(walk), 1u);
  walk.state.frames.push_back({.function = &callee, .base = FrameSlot{8}, .return_pc = 5});
  walk.pc = 2;
  EXPECT_EQ(places.number_of(walk), 2u);
  walk.state.frames.back().return_pc = 7;
  EXPECT_EQ(places.number_of(walk), 3u) << "another call of it";
  walk.state.frames.push_back({.function = &callee, .base = FrameSlot{16}, .return_pc = 9});
  EXPECT_EQ(places.number_of(walk), 4u) << "it calls itself";
  walk.state.frames.resize(1);
  walk.pc = 4;
  EXPECT_EQ(places.number_of(walk), 1u);
  const std::vector<std::vector<const Instruction*>> expected = {{of_root + 4}, {of_root + 4, of_callee + 2}, {of_root + 6, of_callee + 2}, {of_root + 6, of_callee + 8, of_callee + 2}};
  EXPECT_EQ(places.take(), expected);
}

TEST(ForcedFailures, OnceInSoManyTimesAConditionSeemsNotToHold) {
  Vm vm;
  for (const uint32_t period : {1u, 2u, 5u, 30u}) {
    GeneratedCode code(vm);
    ForcedFailures failures(code.b);
    EXPECT_EQ(code.b.known_word(failures.now_and_then(code.b.boolean(true), 0)), 1u);
    std::vector<Value*> seen;
    constexpr int kChecks = 3;
    for (int check = 0; check < kChecks; ++check) {
      IrValue condition = code.b.ne(code.unknown(Value::integer(1)).payload, code.b.word(0));
      code.write(code.b.zext(failures.now_and_then(condition, period), IrType::I64), *seen.emplace_back(&code.cell()));
    }
    const auto countdowns = failures.take_countdowns();
    code.b.return_status(code.b.word(0));
    std::vector<uint32_t> last_failure(kChecks, 0), failed(kChecks, 0);
    for (uint32_t time = 1; time <= 10 * period; ++time) {
      code.run();
      for (size_t check = 0; check < kChecks; ++check) {
        if (seen[check]->payload != 0) continue;
        EXPECT_TRUE(failed[check]++ == 0 || time - last_failure[check] == period);
        last_failure[check] = time;
      }
    }
    for (const uint32_t times : failed) EXPECT_EQ(times, 10u);
    EXPECT_TRUE(period < 30 || countdowns[0] != countdowns[1]) << "not all at once";
  }
}

TEST(ForcedFailures, WhatDoesNotHoldNeverSeemsTo) {
  Vm vm;
  GeneratedCode code(vm);
  ForcedFailures failures(code.b);
  Value& seen = code.cell();
  IrValue condition = code.b.ne(code.unknown(Value::integer(0)).payload, code.b.word(0));
  code.write(code.b.zext(failures.now_and_then(condition, 3), IrType::I64), seen);
  const auto countdowns = failures.take_countdowns();
  code.b.return_status(code.b.word(0));
  for (int time = 0; time < 10; ++time) {
    code.run();
    EXPECT_EQ(seen.payload, 0u);
  }
}

}  // namespace
}  // namespace mangata::jit
