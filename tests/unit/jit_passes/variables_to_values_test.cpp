#include "jit/passes/variables_to_values.h"

#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit {
namespace {

/// The only function, as text.
std::string after(const std::string& text) { return ir::text_after(text, variables_to_values); }

TEST(VariablesToValues, InOneBlockTheLastAssignmentCounts) {
  EXPECT_EQ(after(R"(function f(i64 %0) -> i64 {
  variable v0 i64
block0:
  set_variable v0, %0
  %1 = get_variable.i64 v0
  %2 = add %1, i64 1
  set_variable v0, %2
  %3 = get_variable.i64 v0
  return %3
}
)"),
            R"(function f(i64 %0) -> i64 {
block0:
  %1 = add %0, i64 1
  return %1
}
)");
}

TEST(VariablesToValues, AMergeOfDifferentValuesGetsAParameterAndTheOthersNone) {
  EXPECT_EQ(after(R"(function f(i64 %0, bool %1) -> i64 {
  variable v0 i64
  variable v1 i64
  variable v2 i64
block0:
  set_variable v0, i64 1
  set_variable v1, %0
  set_variable v2, i64 3
  branch %1, block1, block2
block1:
  set_variable v0, i64 2
  set_variable v2, i64 4
  jump block3
block2:
  jump block3
block3:
  %2 = get_variable.i64 v0
  %3 = get_variable.i64 v1
  %4 = add %2, %3
  return %4
}
)"),
            R"(function f(i64 %0, bool %1) -> i64 {
block0:
  branch %1, block1, block2
block1:
  jump block3(i64 2)
block2:
  jump block3(i64 1)
block3(i64 %2):
  %3 = add %2, %0
  return %3
}
)");
}

TEST(VariablesToValues, ALoopHasParametersForWhatItAssigns) {
  EXPECT_EQ(after(R"(function f(i64 %0) -> i64 {
  variable v0 i64
  variable v1 i64
block0:
  set_variable v0, i64 0
  set_variable v1, %0
  jump block1
block1:
  %1 = get_variable.i64 v0
  %2 = get_variable.i64 v1
  %3 = add %1, %2
  set_variable v0, %3
  set_variable v1, %2
  %4 = slt %3, i64 100
  branch %4, block2, block3
block2:
  jump block1
block3:
  %5 = get_variable.i64 v0
  return %5
}
)"),
            R"(function f(i64 %0) -> i64 {
block0:
  jump block1(i64 0)
block1(i64 %1):
  %2 = add %1, %0
  %3 = slt %2, i64 100
  branch %3, block2, block3
block2:
  jump block1(%2)
block3:
  return %2
}
)");
}

TEST(VariablesToValues, NestedLoopsKeepWhatNeitherAssigns) {
  EXPECT_EQ(after(R"(function f(i64 %0, bool %1) -> i64 {
  variable v0 i64
block0:
  set_variable v0, %0
  jump block1
block1:
  jump block2
block2:
  branch %1, block3, block4
block3:
  jump block2
block4:
  branch %1, block5, block6
block5:
  jump block1
block6:
  %2 = get_variable.i64 v0
  return %2
}
)"),
            R"(function f(i64 %0, bool %1) -> i64 {
block0:
  jump block1
block1:
  jump block2
block2:
  branch %1, block3, block4
block3:
  jump block2
block4:
  branch %1, block5, block6
block5:
  jump block1
block6:
  return %0
}
)");
}

TEST(VariablesToValues, AnEdgeOfABranchToAMergeIsABlockOfItsOwn) {
  EXPECT_EQ(after(R"(function f(i64 %0, bool %1) -> i64 {
  variable v0 i64
block0:
  set_variable v0, i64 1
  branch %1, block1, block2 weights 1 9
block1:
  set_variable v0, %0
  jump block2
block2:
  %2 = get_variable.i64 v0
  return %2
}
)"),
            R"(function f(i64 %0, bool %1) -> i64 {
block0:
  branch %1, block1, block3 weights 1 9
block1:
  jump block2(%0)
block2(i64 %2):
  return %2
block3:  ; edge
  jump block2(i64 1)
}
)");
}

TEST(VariablesToValues, ParametersThatWereThereStayInFront) {
  EXPECT_EQ(after(R"(function f(i64 %0, bool %1) -> i64 {
  variable v0 i64
block0:
  branch %1, block1, block2
block1:
  set_variable v0, i64 5
  jump block3(i64 1)
block2:
  set_variable v0, %0
  jump block3(i64 2)
block3(i64 %2):
  %3 = get_variable.i64 v0
  %4 = mul %2, %3
  return %4
}
)"),
            R"(function f(i64 %0, bool %1) -> i64 {
block0:
  branch %1, block1, block2
block1:
  jump block3(i64 1, i64 5)
block2:
  jump block3(i64 2, %0)
block3(i64 %2, i64 %3):
  %4 = mul %2, %3
  return %4
}
)");
}

TEST(VariablesToValues, StoresAndJumpsThatNameVariablesGetWhatTheyHoldThere) {
  EXPECT_EQ(after(R"(function f(i64 %0, bool %1, pointer %2) -> i64 {
  variable v0 i64
  variable v1 i64
block0:
  set_variable v0, %0
  store v0, %2 frame
  set_variable v0, i64 7
  store v0, %2 + 8 frame
  branch %1, block1, block2
block1:
  set_variable v0, i64 8
  jump block3(v0, v0)
block2:
  jump block3(v0, i64 9)
block3(i64 %3, i64 %4):
  store v0, %2 + 16 frame
  jump block4(%4, v1)
block4(i64 %5, i64 %6):
  %7 = add %3, %5
  return %7
}
)"),
            R"(function f(i64 %0, bool %1, pointer %2) -> i64 {
block0:
  %3 = undefined.i64
  store %0, %2 frame
  store i64 7, %2 + 8 frame
  branch %1, block1, block2
block1:
  jump block3(i64 8, i64 8, i64 8)
block2:
  jump block3(i64 7, i64 9, i64 7)
block3(i64 %4, i64 %5, i64 %6):
  store %6, %2 + 16 frame
  jump block4(%5, %3)
block4(i64 %7, i64 %8):
  %9 = add %4, %7
  return %9
}
)");
}

TEST(VariablesToValues, WhatWasNeverAssignedIsUndefined) {
  EXPECT_EQ(after(R"(function f(bool %0) -> i64 {
  variable v0 i64
block0:
  branch %0, block1, block2
block1:
  set_variable v0, i64 5
  jump block2
block2:
  %1 = get_variable.i64 v0
  return %1
block3:
  %2 = get_variable.i64 v0
  return %2
}
)"),
            R"(function f(bool %0) -> i64 {
block0:
  %1 = undefined.i64
  branch %0, block1, block4
block1:
  jump block2(i64 5)
block2(i64 %2):
  return %2
block3:
  unreachable
block4:  ; edge
  jump block2(%1)
}
)");
}

}  // namespace
}  // namespace mangata::jit
