#include "jit/region/recorded_paths.h"

#include <gtest/gtest.h>

#include "tests/unit/jit/pc_literal.h"
#include "tests/unit/jit/recorded_machine.h"

#include "vm/value/value.h"

namespace mangata::jit {
namespace {

using testing::operator""_pc;

// A `while` around a numeric `for`, whose body is empty.
const std::vector<Instruction> kCode = {
    Instruction::abi(Opcode::JumpIfFalse, 0, 0, 4),  // 0, the head; to 5
    Instruction::abi(Opcode::LoadNil, 1, 1, 0),
    Instruction::abi(Opcode::ForPrepare, 1, 0, 1),   // 2; to 4
    Instruction::abi(Opcode::ForLoop, 1, 0, -1),     // 3; to itself
    Instruction::abi(Opcode::Jump, 1, 0, -5),        // 4, the backedge
    Instruction::abi(Opcode::Return0, 0, 0, 0),
};
const std::vector<bool> kBody = {true, true, true, true, true, false};

class Recording {
 public:
  Recording& start(int activation) {
    events_.push_back({&stack_[activation], BranchEvent::kStart, {}});
    return *this;
  }
  /// One iteration of the outer loop, with so many of the inner one.
  Recording& iterate(int trips, int activation = 0) {
    add(0, 1, activation);
    add(2, trips > 0 ? 3 : 4, activation);
    for (int i = 1; i < trips; ++i) add(3, 3, activation);
    if (trips > 0) add(3, 4, activation);
    add(4, 0, activation);
    return *this;
  }
  Recording& leave(int activation = 0) {
    add(0, 5, activation);
    return *this;
  }
  /// In the middle of an iteration; it goes on in the middle of another one.
  Recording& pause() {
    add(0, 1, 0);
    events_.push_back({nullptr, BranchEvent::kPause, {}});
    add(3, 4, 0);
    add(4, 0, 0);
    return *this;
  }
  LoopPaths paths(unsigned k) const { return recorded_paths(events_, kCode, 0_pc, kBody, k); }

 private:
  void add(int pc, int next_pc, int activation) { events_.push_back({&stack_[activation], OriginalPc(pc), OriginalPc(next_pc)}); }

  Value stack_[2];
  std::vector<BranchEvent> events_;
};

TEST(RecordedPaths, PathHasTheInnerIterations) {
  const LoopPaths paths = Recording().start(0).iterate(1).iterate(2).leave().paths(1);
  ASSERT_EQ(paths.distinct.size(), 1u);  // where the first iteration began is not known
  const LoopPath expected = {{0_pc, false}, {2_pc, false}, {3_pc, true}, {3_pc, false}};
  EXPECT_EQ(paths.distinct[0], expected);
  EXPECT_EQ(paths.iterations(), 1u);
}

TEST(RecordedPaths, RunsDoNotGoBeyondAStay) {
  Recording recording;
  for (int stay = 0; stay < 10; ++stay) recording.start(0).iterate(9).iterate(1).iterate(2).iterate(1).leave();
  const LoopPaths paths = recording.paths(2);
  EXPECT_EQ(paths.distinct.size(), 2u);
  EXPECT_EQ(paths.iterations(), 20u);  // 1 2 and 2 1, in each
  EXPECT_EQ(paths.runs.size(), 2u);
}

TEST(RecordedPaths, NothingIsJoinedAcrossAPause) {
  const LoopPaths paths = Recording().start(0).iterate(1).iterate(1).pause().iterate(1).iterate(1).leave().paths(2);
  ASSERT_EQ(paths.distinct.size(), 1u) << "what was seen of two iterations is none";
  ASSERT_EQ(paths.runs.size(), 1u);
  EXPECT_EQ(paths.runs[0].second, 1u) << "only behind the pause are two known, one behind the other";
}

TEST(RecordedPaths, ActivationsAreToldApart) {
  Recording recording;
  recording.start(0).iterate(1).start(1).iterate(3, 1);
  for (int i = 0; i < 5; ++i) recording.iterate(1, 0).iterate(3, 1);
  const LoopPaths paths = recording.paths(2);
  EXPECT_EQ(paths.runs.size(), 2u);  // each repeats itself
  EXPECT_EQ(paths.iterations(), 8u);
}

LoopContexts contexts_of(const LoopPaths& paths) { return form_contexts(paths); }

TEST(RecordedPaths, ShortTripsThatRepeatAreFlat) {
  Recording recording;
  for (int i = 0; i < 300; ++i) recording.iterate(1 + i % 3);
  const LoopPaths paths = recording.paths(2);
  const LoopContexts loop = contexts_of(paths);
  EXPECT_EQ(loop.k, 2u);
  EXPECT_TRUE(is_flat(loop, paths));
}

TEST(RecordedPaths, LongOrRandomTripsAreNot) {
  Recording longer, random;
  for (int i = 0; i < 300; ++i) longer.iterate(40);
  uint32_t state = 1;
  for (int i = 0; i < 2000; ++i) random.iterate(static_cast<int>((state = state * 1664525 + 1013904223) >> 28));
  EXPECT_FALSE(is_flat(contexts_of(longer.paths(2)), longer.paths(2)));
  EXPECT_FALSE(is_flat(contexts_of(random.paths(2)), random.paths(2)));
}

TEST(RecordedPaths, OneVeryLongIterationEndsTheSearch) {
  Recording recording;
  for (int i = 0; i < 300; ++i) recording.iterate(1 + i % 3);
  EXPECT_TRUE(recording.iterate(1000).paths(2).runs.empty());
}

TEST(RecordedPaths, LoopsWithoutInnerIterationsAreNotFlat) {
  Recording recording;
  for (int i = 0; i < 300; ++i) recording.iterate(0);
  EXPECT_FALSE(is_flat(contexts_of(recording.paths(2)), recording.paths(2)));
}

/// Of the innermost loops of a chunk that has run.
std::vector<LoopPaths> innermost(const char* text, std::vector<LoopPaths> counted = {}) {
  RecordedMachine machine;
  const Proto& main = machine.run(text);
  add_recorded(main, machine.recorder.branches(main), 2, &counted);
  return counted;
}

TEST(RecordedPaths, InnermostLoopsThatWereNotCountedAreTakenFromTheRecording) {
  const std::vector<LoopPaths> found = innermost("local x = 0 for i = 1, 3 do for j = 1, 200 do if j % 2 == 0 then x = x + 1 else x = x - 1 end end end");
  ASSERT_EQ(found.size(), 1u) << "not of the outer one";
  EXPECT_EQ(found[0].k, 2u);
  EXPECT_EQ(found[0].distinct.size(), 2u);
  EXPECT_EQ(found[0].line, 1);
  for (const auto& [run, count] : found[0].runs) EXPECT_NE(run.front(), run.back()) << "they take turns";
}

TEST(RecordedPaths, WhatWasCountedStays) {
  const char* text = "local x = 0 for j = 1, 400 do if j % 2 == 0 then x = x + 1 else x = x - 1 end end";
  std::vector<LoopPaths> counted = innermost(text);
  ASSERT_EQ(counted.size(), 1u);
  counted[0].k = 1;
  const std::vector<LoopPaths> found = innermost(text, counted);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].k, 1u);
}

TEST(RecordedPaths, FewIterationsOrOneWaySayNothing) {
  EXPECT_TRUE(innermost("local x = 0 for j = 1, 150 do if j % 2 == 0 then x = x + 1 else x = x - 1 end end").empty());
  EXPECT_TRUE(innermost("local x = 0 for j = 1, 400 do if j > 0 then x = x + 1 else x = x - 1 end end").empty());
}

}  // namespace
}  // namespace mangata::jit
