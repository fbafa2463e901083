#include "jit/passes/redundancies.h"

#include "jit/passes/dead_code.h"
#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit {
namespace {

/// The only function, as text, without dead code.
std::string after(const std::string& text) { return ir::text_after(text, remove_redundancies, remove_dead_code); }

TEST(Redundancies, WhatDominatesIsNotMadeAgain) {
  EXPECT_EQ(after(R"(function f(i64 %0, bool %1) -> i64 {
block0:
  %2 = mul %0, i64 3
  branch %1, block1, block2
block1:
  %3 = mul %0, i64 3
  return %3
block2:
  %4 = add %2, i64 1
  return %4
}
)"),
            R"(function f(i64 %0, bool %1) -> i64 {
block0:
  %2 = mul %0, i64 3
  branch %1, block1, block2
block1:
  return %2
block2:
  %3 = add %2, i64 1
  return %3
}
)");
}

TEST(Redundancies, ALoadIsKnownUntilItsClassIsWrittenTo) {
  EXPECT_EQ(after(R"(function f(pointer %0, pointer %1) -> i64 {
block0:
  %2 = load.i64 %0 + 8 header
  store %2, %1 frame
  %3 = load.i64 %0 + 8 header
  store i64 5, %0 + 16 header
  %4 = load.i64 %0 + 8 header
  %5 = load.i64 %0 + 16 header
  %6 = add %3, %4
  %7 = add %6, %5
  return %7
}
)"),
            R"(function f(pointer %0, pointer %1) -> i64 {
block0:
  %2 = load.i64 %0 + 8 header
  store %2, %1 frame
  store i64 5, %0 + 16 header
  %3 = load.i64 %0 + 8 header
  %4 = add %2, %3
  %5 = add %4, i64 5
  return %5
}
)");
}

TEST(Redundancies, AStoreOfWhatIsThereGoes) {
  EXPECT_EQ(after(R"(function f(pointer %0) -> i64 {
block0:
  %1 = load.i64 %0 frame
  store %1, %0 frame
  return %1
}
)"),
            R"(function f(pointer %0) -> i64 {
block0:
  %1 = load.i64 %0 frame
  return %1
}
)");
}

TEST(Redundancies, InALoopWhatWasLoadedBeforeIsKnownWhereNothingWritesToIt) {
  EXPECT_EQ(after(R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  %2 = load.i64 %0 header
  %3 = load.i64 %0 + 8 frame
  jump block1(%3)
block1(i64 %4):
  %5 = load.i64 %0 header
  %6 = load.i64 %0 + 8 frame
  %7 = add %5, %6
  store %7, %0 + 8 frame
  %8 = add %4, %2
  %9 = slt %8, %1
  branch %9, block2, block3
block2:
  jump block1(%8)
block3:
  return %8
}
)"),
            R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  %2 = load.i64 %0 header
  %3 = load.i64 %0 + 8 frame
  jump block1(%3)
block1(i64 %4):
  %5 = load.i64 %0 + 8 frame
  %6 = add %2, %5
  store %6, %0 + 8 frame
  %7 = add %4, %2
  %8 = slt %7, %1
  branch %8, block2, block3
block2:
  jump block1(%7)
block3:
  return %7
}
)");
}

TEST(Redundancies, ABranchThatAnotherHasDecidedIsAJump) {
  EXPECT_EQ(after(R"(function f(i64 %0) -> i64 {
block0:
  %1 = slt %0, i64 3
  branch %1, block1, block3
block1:
  %2 = slt %0, i64 3
  branch %2, block2, block3
block2:
  return i64 1
block3:
  return i64 2
}
)"),
            R"(function f(i64 %0) -> i64 {
block0:
  %1 = slt %0, i64 3
  branch %1, block1, block3
block1:
  jump block2
block2:
  return i64 1
block3:
  return i64 2
}
)");
}

TEST(Redundancies, OfParametersThatBringTheSameOneIsEnough) {
  EXPECT_EQ(after(R"(function f(i64 %0) -> i64 {
block0:
  jump block1(i64 1, i64 0, i64 1)
block1(i64 %1, i64 %2, i64 %3):
  %4 = add %2, %3
  %5 = add %1, i64 1
  %6 = slt %5, %0
  branch %6, block2, block3
block2:
  jump block1(%5, %4, %5)
block3:
  return %4
}
)"),
            R"(function f(i64 %0) -> i64 {
block0:
  jump block1(i64 1, i64 0)
block1(i64 %1, i64 %2):
  %3 = add %2, %1
  %4 = add %1, i64 1
  %5 = slt %4, %0
  branch %5, block2, block3
block2:
  jump block1(%4, %3)
block3:
  return %3
}
)");
}

TEST(Redundancies, AfterAMergeALoadIsKnownOnlyIfNeitherWayWroteThere) {
  const std::string text = R"(function f(pointer %0, bool %1) -> i64 {
block0:
  %2 = load.i64 %0 header
  branch %1, block1, block2
block1:
  store i64 5, %0 + 8 header
  jump block3
block2:
  jump block3
block3:
  %3 = load.i64 %0 header
  %4 = add %2, %3
  return %4
}
)";
  EXPECT_EQ(after(text), text);
}

}  // namespace
}  // namespace mangata::jit
