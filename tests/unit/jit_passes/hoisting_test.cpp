#include "jit/passes/hoisting.h"

#include "jit/passes/dead_code.h"
#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit {
namespace {

/// The only function, as text, without dead code.
std::string after(const std::string& text) { return ir::text_after(text, hoist_invariants, remove_dead_code); }

TEST(Hoisting, WhatDoesNotDependOnTheIterationIsDoneInFrontOfTheLoop) {
  EXPECT_EQ(after(R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  jump block1(i64 0)
block1(i64 %2):
  %3 = load.i64 %0 header
  %4 = mul %3, %1
  %5 = load.i64 %0 + 8 frame
  store %4, %0 + 16 frame
  %6 = add %2, %5
  %7 = slt %6, %4
  branch %7, block2, block3
block2:
  jump block1(%6)
block3:
  return %6
}
)"),
            R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  %2 = load.i64 %0 header
  %3 = mul %2, %1
  jump block1(i64 0)
block1(i64 %4):
  %5 = load.i64 %0 + 8 frame
  store %3, %0 + 16 frame
  %6 = add %4, %5
  %7 = slt %6, %3
  branch %7, block2, block3
block2:
  jump block1(%6)
block3:
  return %6
}
)");
}

TEST(Hoisting, AGuardLeavesWithTheStateOfTheFirstIteration) {
  EXPECT_EQ(after(R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  jump block1(i64 5)
block1(i64 %2):
  %3 = mul %2, i64 3
  %4 = load.i64 %0 header
  %5 = eq %4, i64 7
  branch %5, block2, block4 weights 1000000 1
block2:
  %6 = load.i64 %0 + 8 header
  %7 = add %3, %6
  %8 = slt %7, %1
  branch %8, block3, block5
block3:
  jump block1(%7)
block4: cold
  store %2, %0 + 16 frame
  jump block6(%3)
block5:
  jump block6(%7)
block6(i64 %9):
  %10 = add %9, %2
  return %10
}
)"),
            R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  %2 = load.i64 %0 header
  %3 = eq %2, i64 7
  branch %3, block8, block7 weights 1000000 1
block1(i64 %4):
  %5 = mul %4, i64 3
  jump block2
block2:
  %6 = add %5, %12
  %7 = slt %6, %1
  branch %7, block3, block5
block3:
  jump block1(%6)
block4: cold
  unreachable
block5:
  jump block6(%6, %4)
block6(i64 %8, i64 %9):
  %10 = add %8, %9
  return %10
block7: cold
  %11 = mul i64 5, i64 3
  store i64 5, %0 + 16 frame
  jump block6(%11, i64 5)
block8:  ; preheader
  %12 = load.i64 %0 + 8 header
  jump block1(i64 5)
}
)");
}

TEST(Hoisting, NothingMovesPastAGuardThatDependsOnTheIterationOrPastAWrite) {
  const std::string text = R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  jump block1(i64 5)
block1(i64 %2):
  %3 = add %2, i64 1
  %4 = slt %3, %1
  branch %4, block2, block4 weights 1000000 1
block2:
  %5 = load.i64 %0 header
  %6 = eq %5, i64 7
  branch %6, block3, block4 weights 1000000 1
block3:
  jump block1(%3)
block4: cold
  return %2
}
)";
  EXPECT_EQ(after(text), text);
}

TEST(Hoisting, ALoopThatIsEnteredAtSeveralPlacesGetsABlockInFront) {
  EXPECT_EQ(after(R"(function f(pointer %0, i64 %1, bool %2) -> i64 {
block0:
  branch %2, block1, block2
block1:
  jump block3(i64 1)
block2:
  jump block3(i64 2)
block3(i64 %3):
  %4 = load.i64 %0 header
  %5 = add %3, %4
  %6 = slt %5, %1
  branch %6, block4, block5
block4:
  jump block3(%5)
block5:
  return %5
}
)"),
            R"(function f(pointer %0, i64 %1, bool %2) -> i64 {
block0:
  branch %2, block1, block2
block1:
  jump block6(i64 1)
block2:
  jump block6(i64 2)
block3(i64 %3):
  %4 = add %3, %7
  %5 = slt %4, %1
  branch %5, block4, block5
block4:
  jump block3(%4)
block5:
  return %4
block6(i64 %6):  ; preheader
  %7 = load.i64 %0 header
  jump block3(%6)
}
)");
}

}  // namespace
}  // namespace mangata::jit
